"""Figures of hardware: sparse peaks, other dtypes, other chips, both directions of a link."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import Symbol

from symcost.analysis.check.case import Case, Hypothesis
from symcost.analysis.check.roles import role
from symcost.analysis.check.rounding import agrees
from symcost.errors import SymcostError

SPARSE_SLACK = Fraction(1, 500)  # 1979e12 is printed beside 989e12, not twice it


def doubled_rates(case: Case) -> Iterator[Hypothesis]:
    """A peak with structured sparsity, or the bandwidth of both directions; or half of one."""
    for symbol in _of_role(case, "peak"):
        yield Hypothesis(
            "sparse-for-dense-peak",
            f"{_named(case, symbol)} with structured sparsity is twice the dense peak",
            case.substituted({symbol: 2 * symbol}),
            "2",
            SPARSE_SLACK,
        )
        yield Hypothesis(
            "sparse-for-dense-peak",
            f"{_named(case, symbol)} is taken for a sparse peak and halved, but it is dense",
            case.substituted({symbol: symbol / 2}),
            "1/2",
        )
    for symbol in _of_role(case, "bandwidth"):
        yield Hypothesis(
            "both-directions",
            f"{_named(case, symbol)} is the sum of both directions; one way is half of it",
            case.substituted({symbol: 2 * symbol}),
            "2",
        )
        yield Hypothesis(
            "both-directions",
            f"{_named(case, symbol)} is halved as if it counted both directions",
            case.substituted({symbol: symbol / 2}),
            "1/2",
        )


def _of_role(case: Case, wanted: str) -> list[Symbol]:
    return [s for s in case.inputs if role(s.name) == wanted]


def _named(case: Case, symbol: Symbol) -> str:
    value = case.values.get(symbol)
    return f"{symbol} = {float(value):.4g}" if value is not None else str(symbol)


def other_dtypes(case: Case) -> Iterator[Hypothesis]:
    """The peak of the same chip at another dtype, or its vector unit."""
    if case.chip is None:
        return
    dtype = case.dtype or _dtype_in_use(case)
    for unit in ("matmul", "vector"):
        for name, figure in getattr(case.chip, unit).items():
            if isinstance(figure.value, str) or (unit == "matmul" and name == dtype):
                continue
            for symbol in _of_role(case, "peak"):
                peak = f"{_si(figure.value)} FLOP/s"
                text = f"the {name} {unit} peak, {peak}, where {dtype or 'another'} runs"
                value = case.substituted({symbol: _exact(figure.value)})
                yield Hypothesis("other-dtype-peak", text, value, f"{name} {unit}")


def _dtype_in_use(case: Case) -> str:
    """The dtype whose peak on this chip is the value of the case's peak."""
    values = {case.values.get(symbol) for symbol in _of_role(case, "peak")}
    return next((n for n, figure in case.chip.matmul.items() if figure.value in values), "")


def other_chips(case: Case) -> Iterator[Hypothesis]:
    """The figure of another chip, found by the value that an input must have had."""
    if case.printed is None:
        return
    from symcost.analysis.check.diagnose.inputs import implied

    for symbol in [*_of_role(case, "peak"), *_of_role(case, "bandwidth")]:
        needed = implied(case, symbol)
        if needed is None:
            continue
        low, high = needed
        for title, what, figure in _catalogue(role(symbol.name)):
            if low <= figure <= high:
                text = f"{symbol} = {_si(figure)} is the {what} of {title}"
                yield Hypothesis("other-chip", text, None, f"{symbol} = {float(figure):.4g}")
                break


def _catalogue(wanted: str) -> Iterator[tuple[str, str, Fraction]]:
    """The peaks, or bandwidths, of all chips that are built in."""
    from symcost.hardware import chip, chip_names

    for name in chip_names():
        try:
            each = chip(name)
        except SymcostError:
            continue
        if wanted == "peak":
            found: Any = each.matmul.items()
        else:
            found = each.channels.items()
        for key, figure in found:
            if isinstance(figure.value, Fraction | int):
                word = "peak" if wanted == "peak" else "bandwidth"
                yield each.title, f"{key} {word}", Fraction(figure.value)


def literals(case: Case) -> Iterator[Hypothesis]:
    """A number typed in the claim that is a sparse, foreign or doubled figure of the chip."""
    if case.chip is None or not case.literals:
        return
    for unit, word in (("matmul", "peak"),):
        for name, figure in getattr(case.chip, unit).items():
            if isinstance(figure.value, str):
                continue
            for number in case.literals:
                if number.digits >= 3 and agrees(number, 2 * Fraction(figure.value)):
                    text = f"{float(number.value):.4g} is twice the dense {name} {word}"
                    yield Hypothesis("sparse-for-dense-peak", text, None, "2")
    for name, figure in case.chip.channels.items():
        if isinstance(figure.value, str):
            continue
        for number in case.literals:
            if number.value >= 10**9 and agrees(number, 2 * Fraction(figure.value)):
                text = f"{float(number.value):.4g} is both directions of {name}"
                yield Hypothesis("both-directions", text, None, "2")


def _si(value: Any) -> str:
    from symcost.printing.numbers import decimal

    return str(decimal(value))


def _exact(value: Any) -> Any:
    from sympy import Rational

    return Rational(Fraction(value).numerator, Fraction(value).denominator)
