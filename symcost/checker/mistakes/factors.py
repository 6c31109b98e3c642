"""Plain factors: one table of what 2, 3, 4/3, 8, 1000 and the like may mean, and of what.

A row says at which places its factors may be off: the whole, one part of a sum or of a maximum,
a peak or a bandwidth wherever it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from symcost.checker.case import Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes import factors_when as when
from symcost.checker.mistakes.base import OPEN, Example, Proposal, mistake
from symcost.checker.mistakes.factors_at import (
    Spots,
    bandwidths,
    divided,
    of_right,
    peaks,
    terms,
    traffic,
    whole,
)
from symcost.checker.mistakes.factors_when import (
    FOUR,
    HALF,
    LESS,
    MORE,
    QUARTER,
    THIRD,
    THREE,
    TWO,
    Tell,
)
from symcost.checker.rounding import KIBI
from symcost.checker.said import said

TEN = Fraction(10)
SPARSE_SLACK = Fraction(1, 500)  # 1979e12 is printed beside 989e12, not twice it
POWERS = tuple(p for p in range(-18, 19) if p)
BINARY = (1, 2, 3, 4, -1, -2, -3, -4)
TIMES = {
    3600: "an hour has 3600 seconds",
    60: "a minute has 60 seconds",
    86400: "a day has 86,400 seconds",
    24: "a day has 24 hours",
    1440: "a day has 1440 minutes",
    7: "a week has 7 days",
    365: "a year has 365 days",
    8760: "a year has 8760 hours",
}


def factor(
    kind: str,
    says: str,
    specific: float,
    example: tuple[str, ...],
    factors: Mapping[Fraction, str],
    tell: Tell,
    *at: Spots,
    conventions: Collection[Fraction] = (),
    slack: Fraction = Fraction(0),
) -> None:
    """Add a row to the table: what each factor says, and whether it may be meant at a place."""

    def make(case: Case) -> Iterator[Proposal]:
        for spots in at:
            for part, put, name in spots(case):
                for number, text in factors.items():
                    likely = tell(case, part, number)
                    if likely is None or (likely == OPEN and case.is_plain_arithmetic):
                        continue
                    is_whole = part == case.expected
                    shown = _shown(number) if is_whole else said("{} x {}", number, part)
                    wide = slack if number == TWO else Fraction(0)
                    is_convention = number in conventions and is_whole and not told.peaks(case)
                    yield Proposal(
                        put(number), _said(text, name), shown, likely, wide, is_convention
                    )

    mistake(kind, says, specific=specific, example=Example(*example))(make)


def _said(text: str, name: str) -> str:
    """What a factor says, of the part where it is meant."""
    if "{}" in text:
        return said(text, name)
    return said("{}, in {}", text, name) if name else text


def _shown(number: Fraction) -> str:
    for base, name in ((TEN, "10"), (KIBI, "1.024")):
        for power in POWERS:
            if base**power == number:
                return f"{name}^{power}"
    return str(number) if number.denominator < 10**6 else f"{float(number):.4g}"


def _powers(power: int) -> str:
    used, meant = (1024, 1000) if power > 0 else (1000, 1024)
    return f"powers of {used} in place of {meant}"


def _size(power: int) -> str:
    return f"10^{abs(power)} times too {'large' if power > 0 else 'small'}"


# -- the table ----------------------------------------------------------------------------

factor(
    "mac-for-flop",
    "a multiply-add counted as one operation, or a MAC as two of something",
    6.2,
    ("N*K*C", "2*N*K*C"),
    {
        HALF: "counts multiply-adds (MACs); one is two FLOPs",
        TWO: "counts every multiply-add twice over: FLOPs are 2 x MACs, once",
    },
    when.flops,
    *(whole, terms),
    conventions=[HALF],
)
factor(
    "dtype-size",
    "the size of a value in bytes left out, or put in twice",
    6.1,
    ("70 GB", "P*b", "P=70e9, b=2"),
    {
        TWO: "the 2 bytes per value are put in twice",
        **{
            Fraction(1, n): f"counts values, not bytes: {n} bytes per value are left out"
            for n in (2, 4, 8)
        },
    },
    when.values,
    *(traffic, terms),
)
factor(
    "factor-2",
    "a factor of 2",
    5.9,
    ("B/D", "2*B/D"),
    {
        HALF: "half of what it should be: a factor of 2 is missing",
        TWO: "twice what it should be: a factor of 2 is counted twice",
    },
    when.always,
    whole,
)
factor(
    "term-factor",
    "one term has a wrong factor",
    6,
    ("6*N + 24*L*D", "6*N + 6*L*D"),
    {n: f"{{}} is {of_right(n)}" for n in (HALF, TWO, MORE, LESS, FOUR, QUARTER, THREE, THIRD)},
    when.always,
    terms,
)
factor(
    "doubled-term",
    "a term is counted twice",
    6.9,
    ("6*N + 12*L*D", "6*N + 6*L*D"),
    {TWO: "counts {} twice"},
    when.always,
    terms,
)
factor(
    "embedding-as-matmul",
    "an embedding look-up counted as a matmul",
    7.9,
    ("6*P + 3*V*D", "6*P"),
    {TWO: "counts {} twice: a look-up in the embedding table multiplies nothing"},
    when.look_up,
    terms,
)
factor(
    "training-factor",
    "forward pass and training step mixed up",
    5.4,
    ("6*P*T", "2*P*T"),
    {
        THREE: "counts a training step, three times the forward pass",
        THIRD: "counts the forward pass only, a third of a training step",
    },
    when.training,
    whole,
)
factor(
    "recompute-factor",
    "a factor that belongs to another choice of recomputation",
    6.2,
    ("8*P*T", "6*P*T"),
    {
        MORE: "counts the forward pass again, as recomputation does (8 for 6, 96 for 72)",
        LESS: "leaves out the recomputed forward pass (6 for 8, 72 for 96)",
    },
    when.recomputed,
    *(whole, terms),
)
factor(
    "write-allocate",
    "a store on a write-allocate cache reads the line first",
    6,
    ("3*b*N", "2*b*N"),
    {
        Fraction(a, b): f"counts the line that a store reads first, or not: {a} transfers for {b}"
        for a, b in ((3, 2), (2, 3), (4, 3), (3, 4))
    },
    when.streams,
    whole,
    conventions=[Fraction(3, 2), Fraction(2, 3), MORE, LESS],
)
factor(
    "no-reuse",
    "every operand fetched for every multiply-add",
    6.3,
    ("0.1875", "6/16", "", "", "intensity"),
    {HALF: "counts every load, those of one value too: neighbours are not reused"},
    when.every_load,
    whole,
    conventions=[HALF],
)
factor(
    "sum-for-overlap",
    "transfers one after the other where they overlap, or the reverse",
    7.2,
    ("1.6e6", "n*alpha^2/(2*M*F)", "n=4096, alpha=2550, M=4, F=8192"),
    {
        FOUR: "adds two balanced transfers that overlap: (2x)^2 in place of x^2",
        QUARTER: "overlaps two balanced transfers that run one after the other",
    },
    when.square,
    whole,
)
factor(
    "bits-for-bytes",
    "bits and bytes mixed up",
    6.6,
    ("17.8 ms", "V/W", "V=1e9, W=450e9"),
    {
        Fraction(8): "is in bits: 8 of them are a byte",
        Fraction(1, 8): "is divided by 8 as bits are",
    },
    when.bits,
    whole,
)
factor(
    "power-of-ten",
    "the exponent of ten is off",
    7.2,
    ("1.7e10", "2*8*128*8192"),
    {TEN**p: f"{_size(p)}: the exponent is off by {p:+d}" for p in POWERS},
    when.always,
    whole,
)
factor(
    "unit-prefix",
    "the digits are right, the prefix of the unit is not",
    8.5,
    ("2.22 us", "V/W", "V=1e9, W=450e9"),
    {
        TEN**p / KIBI**n: f"{_size(p)}: the digits are right{unit}, the prefix is not"
        for n, unit in enumerate(("", *[" in powers of 1024"] * 4))
        for p in POWERS
        if p % 3 == 0
    },
    when.prefix,
    whole,
)
factor(
    "binary-prefix",
    "powers of 1024 and of 1000 mixed up",
    6.5,
    ("80.0 GB", "n*2^30", "n=80"),
    {
        **{KIBI**p: f"{_powers(p)}: {float(KIBI**p):.4g} times" for p in BINARY},
    },
    when.binary,
    whole,
    conventions=[KIBI**p for p in BINARY],
)
factor(
    "time-unit",
    "seconds, hours and days mixed up",
    7,
    ("7.5 days", "s/86400", "s=648000"),
    {
        number: f"is {number} times what it should be: {fact}"
        for size, fact in TIMES.items()
        for number in (Fraction(size), Fraction(1, size))
    },
    when.clock,
    whole,
)
factor(
    "all-reduce-passes",
    "an all-reduce counted as one pass, or one pass as an all-reduce",
    6.6,
    ("S*(n - 1)/(n*t)", "2*S*(n - 1)/(n*t)"),
    {
        HALF: "an all-reduce passes the data twice (reduce-scatter, all-gather); one is counted",
        TWO: "one pass over the data is counted as an all-reduce, which takes two",
    },
    when.passes,
    *(whole, divided),
)
factor(
    "causal-mask",
    "the causal mask halves attention scores, or not",
    6.7,
    ("4*B*T^2*D", "2*B*T^2*D"),
    {
        TWO: "counts all scores: a causal mask leaves half of them",
        HALF: "is halved as for a causal mask",
    },
    when.scores,
    *(whole, terms),
    conventions=[TWO, HALF],
)
factor(
    "both-directions",
    "the sum of both directions taken for the one-way bandwidth",
    6.4,
    ("900 GB/s", "n*w", "n=18, w=25e9"),
    {
        TWO: "is the sum of both directions; one way is half of it",
        HALF: "is halved as if the rate counted both directions",
    },
    when.directions,
    *(whole, bandwidths),
)
factor(
    "sparse-for-dense-peak",
    "the peak with structured sparsity, twice the dense one",
    6.5,
    ("590", "C/W", "C=989e12, W=3.35e12"),
    {
        TWO: "the peak with structured sparsity is twice the dense one",
        HALF: "a dense peak is halved as if it were one with sparsity",
    },
    when.sparse,
    peaks,
    slack=SPARSE_SLACK,
)
