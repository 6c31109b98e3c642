"""Plain factors: 2 in its many meanings, 3, 4, 8, and a factor without a meaning."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symcost.algebra import Ratio
from symcost.algebra.posynomial import power_of
from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.evidence import (
    UNSURE,
    counts_bytes,
    counts_flops,
    degree,
    doubt,
    has_training_term,
    is_ridge,
)
from symcost.checker.roles import can_be

TWICE = (Fraction(2), Fraction(1, 2))


def times(ratio: Ratio, factor: Fraction) -> Ratio:
    """The ratio multiplied by a number."""
    return Ratio(ratio.num.scaled(factor), ratio.den)


def of_right(factor: Fraction) -> str:
    """How much of the right value something is, in words.

    >>> of_right(Fraction(1, 2)), of_right(Fraction(3)), of_right(Fraction(3, 4))
    ('half of what it should be', '3 times what it should be', '3/4 of what it should be')
    """
    words = {Fraction(1, 2): "half of", Fraction(2): "twice"}
    plain = f"{factor} times" if factor.denominator == 1 else f"{factor} of"
    return f"{words.get(factor, plain)} what it should be"


def twos(case: Case) -> Iterator[Hypothesis]:
    """A factor of 2: a MAC, two bytes, or just a 2."""
    if case.ratio is None:
        return
    for factor in TWICE:
        value = times(case.ratio, factor)
        if not case.explains(value):
            continue
        yield from _macs(case, factor, value)
        yield from _two_bytes(case, factor, value)
        lost = "counted twice" if factor == 2 else "missing"
        text = f"{of_right(factor)}: a factor of 2 is {lost}"
        yield Hypothesis("factor-2", text, value, str(factor))


def _macs(case: Case, factor: Fraction, value: Ratio) -> Iterator[Hypothesis]:
    known = counts_flops(case)
    if known is not False:
        text = (
            "counts multiply-adds (MACs); one is two FLOPs"
            if factor < 1
            else "counts every multiply-add twice over: FLOPs are 2 x MACs, once"
        )
        yield Hypothesis("mac-for-flop", text, value, str(factor), doubt=doubt(known))


def _two_bytes(case: Case, factor: Fraction, value: Ratio) -> Iterator[Hypothesis]:
    known = counts_bytes(case)
    if known is False or (factor < 1 and not _plain_coefficient(case)):
        return
    text = (
        "counts values, not bytes: 2 bytes per value are left out"
        if factor < 1
        else "the 2 bytes per value are put in twice"
    )
    yield Hypothesis("dtype-size", text, value, str(factor), doubt=doubt(known))


def _plain_coefficient(case: Case) -> bool:
    """Whether the claim has no factor 2 left that could be the bytes of a value."""
    if case.claim_ratio is None or case.printed is not None:
        return True
    coefficients = [Fraction(c) for c in case.claim_ratio.num.terms.values()]
    return any(c.numerator % 2 for c in coefficients)


def value_sizes(case: Case) -> Iterator[Hypothesis]:
    """Values counted in place of bytes, for types of four and eight bytes."""
    if case.ratio is None or case.quantity not in ("bytes", "t_comms"):
        return
    for size in (4, 8):
        text = f"counts values, not bytes: {size} bytes per value are left out"
        yield Hypothesis("dtype-size", text, times(case.ratio, Fraction(1, size)), f"1/{size}")


_STEPS = (  # factor, kind, what it says, what the coefficients are multiples of
    (
        Fraction(3),
        "training-factor",
        "counts a training step, three times the forward pass",
        1,
    ),
    (
        Fraction(1, 3),
        "training-factor",
        "counts the forward pass only, a third of a training step",
        3,
    ),
    (
        Fraction(4, 3),
        "recompute-factor",
        "counts the forward pass again, as recomputation does (8 for 6, 96 for 72)",
        6,
    ),
    (
        Fraction(3, 4),
        "recompute-factor",
        "leaves out the recomputed forward pass (6 for 8, 72 for 96)",
        8,
    ),
)


def trainings(case: Case) -> Iterator[Hypothesis]:
    """A training step, 3 forward passes, or 4 with recomputation, mixed up with another."""
    if case.ratio is None or case.quantity in ("threshold", "intensity"):
        return
    if counts_flops(case) is False:
        return
    sure = case.quantity in ("flops", "t_math") or degree(case) >= 2 or has_training_term(case)
    for factor, kind, text, divisor in _STEPS:
        likely = sure or kind == "training-factor" or (degree(case) == 0 and case.inputs)
        if likely and _are_multiples(case, factor, divisor):
            value = times(case.ratio, factor)
            yield Hypothesis(kind, text, value, str(factor), doubt=0 if sure else UNSURE)


def _are_multiples(case: Case, factor: Fraction, divisor: int) -> bool:
    """Whether the coefficients are multiples, as those of a training step are of 6 or 8.

    Of a share of the FLOPs it is those below the line, where the factor is upside down.
    """
    assert case.ratio is not None
    above = [Fraction(c) for c in case.ratio.num.terms.values()]
    lead = max(above, key=abs)
    if len(case.ratio.den) == 1 and (lead / divisor).denominator == 1:
        return True
    below = {Fraction(4, 3): 8, Fraction(3, 4): 6, Fraction(3): 3}.get(factor)
    return below is not None and (1 / lead / below).denominator == 1


def stores(case: Case) -> Iterator[Hypothesis]:
    """The line that a store reads first counted, or not, where reads and writes are streams."""
    if case.ratio is None or case.quantity == "threshold" or not counts_bytes(case):
        return
    if degree(case) > 2 or is_ridge(case):
        return
    for many, few in ((3, 2), (4, 3)):
        for factor in (Fraction(many, few), Fraction(few, many)):
            more = f"counts the line that a store reads first (write-allocate): {many} for {few}"
            less = (
                f"leaves out the line that a store reads first (write-allocate): {few} for {many}"
            )
            text = more if (factor > 1) != (case.quantity == "intensity") else less
            value = times(case.ratio, factor)
            yield Hypothesis("write-allocate", f"{text} transfers", value, str(factor))


def overlaps(case: Case) -> Iterator[Hypothesis]:
    """A square in which two transfers are added that overlap, or the reverse."""
    if case.ratio is None or not _has_square(case):
        return
    more = "adds two balanced transfers that overlap: (2x)^2 in place of x^2"
    less = "overlaps two balanced transfers that run one after the other"
    for factor, text in ((Fraction(4), more), (Fraction(1, 4), less)):
        yield Hypothesis("sum-for-overlap", text, times(case.ratio, factor), str(factor))


def _has_square(case: Case) -> bool:
    """Whether a ratio of rates is squared, as where a time is spent on two axes."""
    assert case.ratio is not None
    squared = [s for s in case.inputs for m in case.ratio.num.terms if power_of(s, m) == 2]
    return degree(case) <= 1 and any(not can_be(s.name, "length") for s in squared)


def bits(case: Case) -> Iterator[Hypothesis]:
    """Bits for bytes."""
    if case.ratio is None or case.quantity in ("flops", "t_math", "count"):
        return
    known = True if counts_bytes(case) or case.quantity in ("rate", "time") else None
    for factor, text in (
        (Fraction(8), "is in bits: 8 of them are a byte"),
        (Fraction(1, 8), "is divided by 8 as bits are"),
    ):
        value = times(case.ratio, factor)
        yield Hypothesis("bits-for-bytes", text, value, str(factor), doubt=doubt(known))


def any_factor(case: Case) -> Iterator[Hypothesis]:
    """A constant factor without a known meaning; only for formulas, where it is exact."""
    if case.printed is not None:
        return
    if case.factor is None:
        yield from _irrational(case)
    elif case.factor < 0:
        yield Hypothesis("wrong-sign", "the sign is the wrong way round", None, "-1")
    else:
        text = f"off by a constant factor: it is {of_right(case.factor)}"
        yield Hypothesis("constant-factor", text, None, str(case.factor))


def _irrational(case: Case) -> Iterator[Hypothesis]:
    """A factor such as the root of 2."""
    quotient = case.quotient.to_sympy() if case.quotient is not None else None
    if quotient is not None and not quotient.free_symbols and quotient.is_positive:
        text = f"off by a constant factor: it is {quotient} times what it should be"
        yield Hypothesis("constant-factor", text, None, str(quotient))
