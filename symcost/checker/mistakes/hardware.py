"""Figures of hardware: sparse peaks, other dtypes, other chips, both directions of a link."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import Symbol

from symcost.algebra import as_ratio
from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.catalogue import (
    figures,
    is_known_link,
    is_known_memory,
    machines,
)
from symcost.checker.mistakes.evidence import bandwidths, is_link, peaks
from symcost.checker.mistakes.evidence import doubt as doubt_of
from symcost.checker.roles import role
from symcost.checker.rounding import agrees

SPARSE_SLACK = Fraction(1, 500)  # 1979e12 is printed beside 989e12, not twice it
SAME_AS_SPARSE = 8  # ranks lost by a dtype whose peak is twice ours, as the sparse peak is
GIVEN = 3  # ranks lost by a peak whose dtype, or a bandwidth whose link, is not known


def doubled_rates(case: Case) -> Iterator[Hypothesis]:
    """A peak with structured sparsity, or half of one."""
    for symbol in peaks(case):
        doubt = 0 if case.values.get(symbol) is not None else GIVEN
        yield Hypothesis(
            "sparse-for-dense-peak",
            f"{_named(case, symbol)} with structured sparsity is twice the dense peak",
            case.substituted({symbol: 2 * symbol}),
            "2",
            SPARSE_SLACK,
            doubt,
        )
        yield Hypothesis(
            "sparse-for-dense-peak",
            f"{_named(case, symbol)} is taken for a sparse peak and halved, but it is dense",
            case.substituted({symbol: symbol / 2}),
            "1/2",
            doubt=doubt,
        )


def both_directions(case: Case) -> Iterator[Hypothesis]:
    """The bandwidth of both directions of a link for that of one, or half of one."""
    for symbol in bandwidths(case):
        known = is_link(case, symbol)
        if known is False:
            continue
        yield Hypothesis(
            "both-directions",
            f"{_named(case, symbol)} is the sum of both directions; one way is half of it",
            case.substituted({symbol: 2 * symbol}),
            "2",
            doubt=doubt_of(known),
        )
        yield Hypothesis(
            "both-directions",
            f"{_named(case, symbol)} is halved as if it counted both directions",
            case.substituted({symbol: symbol / 2}),
            "1/2",
            doubt=doubt_of(known),
        )
    if case.quantity == "rate" and not bandwidths(case):
        yield from _rate_itself(case)


def _rate_itself(case: Case) -> Iterator[Hypothesis]:
    """A rate in bytes a second that is twice, or half, what follows."""
    value = case.number(case.expected)
    if case.ratio is None or value is None:
        return
    known = True if is_known_link(value) else None
    for factor, text in (
        (Fraction(2), "is the sum of both directions; one way is half of it"),
        (Fraction(1, 2), "is halved as if the rate counted both directions"),
    ):
        whole = case.ratio * as_ratio(factor)
        yield Hypothesis("both-directions", text, whole, str(factor), doubt=doubt_of(known))


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
            for symbol in peaks(case):
                peak = f"{_si(figure.value)} FLOP/s"
                text = f"the {name} {unit} peak, {peak}, where {dtype or 'another'} runs"
                value = case.substituted({symbol: Fraction(figure.value)})
                twice = _is_twice(case, symbol, Fraction(figure.value))
                doubt = SAME_AS_SPARSE if twice else 0
                yield Hypothesis("other-dtype-peak", text, value, f"{name} {unit}", doubt=doubt)


def _is_twice(case: Case, symbol: Symbol, figure: Fraction) -> bool:
    ours = case.values.get(symbol)
    return bool(ours) and ours is not None and abs(figure / ours / 2 - 1) <= SPARSE_SLACK


def _dtype_in_use(case: Case) -> str:
    """The dtype whose peak on this chip is the value of the case's peak."""
    values = {case.values.get(symbol) for symbol in peaks(case)}
    return next((n for n, figure in case.chip.matmul.items() if figure.value in values), "")


def other_chips(case: Case) -> Iterator[Hypothesis]:
    """The figure of another chip, found by the value that an input must have had."""
    if case.printed is None:
        return
    from symcost.checker.mistakes.inputs import implied

    for symbol in [*peaks(case), *bandwidths(case)]:
        needed = implied(case, symbol)
        if needed is None:
            continue
        low, high = needed
        for title, what, figure in figures(role(symbol.name)):
            own = case.values.get(symbol)
            if low <= figure <= high and not (own and abs(figure / own - 1) < SPARSE_SLACK):
                text = f"{symbol} = {_si(figure)} is the {what} of {title}"
                yield Hypothesis("other-chip", text, None, f"{symbol} = {float(figure):.4g}")
                break


def other_machines(case: Case) -> Iterator[Hypothesis]:
    """Peak and bandwidth of another chip, both."""
    rates = [*peaks(case), *bandwidths(case)]
    if case.printed is None or case.printed.digits < 3 or len(rates) != 2:
        return
    if case.number(case.expected) is None:
        return
    ours = tuple(case.values[s] for s in rates)
    dtypes = {dtype for _, dtype, *pair in machines() if pair[0] == ours[0]}
    for title, dtype, *pair in machines():
        if dtype in dtypes and all(a != b for a, b in zip(pair, ours, strict=True)):
            value = case.substituted(dict(zip(rates, pair, strict=True)))
            text = f"the {dtype} peak {_si(pair[0])} and the bandwidth {_si(pair[1])} are {title}'s"
            yield Hypothesis("other-chip", text, value, title)


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
        if isinstance(figure.value, str) or is_known_memory(Fraction(figure.value)):
            continue
        for number in case.literals:
            if number.value >= 10**9 and agrees(number, 2 * Fraction(figure.value)):
                text = f"{float(number.value):.4g} is both directions of {name}"
                yield Hypothesis("both-directions", text, None, "2")


def _si(value: Any) -> str:
    from symcost.printing.numbers import decimal

    return str(decimal(value))
