"""A sum that stands as a factor, such as ``N - 1``, left out."""

from __future__ import annotations

from collections.abc import Iterator

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.factors import factors
from symcost.algebra.posynomial import ONE
from symcost.algebra.ratio import content
from symcost.checker.case import Case, Hypothesis


def lost_factors(case: Case) -> Iterator[Hypothesis]:
    """A factor of several terms left out, or the ratio of one and a symbol upside down."""
    if case.ratio is None:
        return
    for part, where in ((case.ratio.num, "above"), (case.ratio.den, "below")):
        for each in factors(part) if len(part) > 1 else ():
            if len(each) > 1:
                yield from _without(case, each / content(each), where)


def _without(case: Case, factor: Posynomial, where: str) -> Iterator[Hypothesis]:
    assert case.ratio is not None
    change = Ratio.of(ONE, factor) if where == "above" else Ratio.of(factor)
    text = f"the factor {factor} {where} the line is left out"
    yield Hypothesis("missing-factor", text, case.ratio * change, str(factor))
    for symbol in sorted(factor.symbols, key=lambda s: s.name):
        whole = change * as_ratio(symbol) if where == "above" else change / as_ratio(symbol)
        text = f"the ratio of {factor} and {symbol} is upside down"
        turned = case.ratio * whole**2
        yield Hypothesis("inverted-ratio", text, turned, f"({factor})/{symbol}")
        for number, shown in ((1, ""), (2, "2*")):
            name = f"{shown}({factor})/{symbol}"
            text = f"the factor {name} is left out"
            value = case.ratio * whole / as_ratio(number)
            yield Hypothesis("missing-factor", text, value, name)
