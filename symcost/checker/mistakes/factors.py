"""Plain factors: one table of what 2, 3, 4/3, 8, 1000 and the like may mean, and of what.

A factor may be that of the whole, of one part of a sum or a maximum, or of a rate of the chip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.checker.case import Case
from symcost.checker.equality import ratio_of
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import Example, Proposal, mistake
from symcost.checker.mistakes.places import parts
from symcost.notation.kinds import can_be

HALF, THIRD, TWO, FOUR = Fraction(1, 2), Fraction(1, 3), Fraction(2), Fraction(4)
MORE, LESS = Fraction(4, 3), Fraction(3, 4)

SPARSE_SLACK = Fraction(1, 500)  # 1979e12 is printed beside 989e12, not twice it

Tell = Callable[[Case], float | None]  # likely, or None when it cannot be meant
Target = tuple[Expr | Ratio, Callable[[Fraction], Expr | Ratio], str]


@dataclass(frozen=True, slots=True)
class Row:
    """One meaning of factors: the kind, what each says, when it may be meant, an example."""

    kind: str
    says: str
    specific: float
    factors: dict[Fraction, str]
    tell: Tell
    example: Example | None = None
    convention: frozenset[Fraction] = frozenset()


def of_right(factor: Fraction) -> str:
    """How much of the right value something is, in words.

    >>> of_right(Fraction(1, 2)), of_right(Fraction(3)), of_right(Fraction(3, 4))
    ('half of what it should be', '3 times what it should be', '3/4 of what it should be')
    """
    words = {HALF: "half of", TWO: "twice"}
    plain = f"{factor} times" if factor.denominator == 1 else f"{factor} of"
    return f"{words.get(factor, plain)} what it should be"


def times(case: Case, factor: Fraction) -> Expr | Ratio:
    """The expectation multiplied by a number."""
    if case.ratio is None:
        return case.expected * as_ratio(factor).to_sympy()
    return Ratio(case.ratio.num.scaled(factor), case.ratio.den)


def _likely(known: bool | None, sure: float = 0) -> float | None:
    """What an answer of ``evidence`` adds: nothing if it says yes, less if nothing tells."""
    return {True: sure, False: None, None: -1.0}[known]


def _flops(case: Case) -> float | None:
    unlikely = case.unit == "%" or (case.source and "2" not in case.source)
    unlikely = unlikely or case.quantity == "threshold"
    return _likely(told.counts_flops(case), -0.5 if unlikely else 0.2)


def _values(case: Case) -> float | None:
    """Bytes are counted, and the claim has no factor 2 left that could be those of a value."""
    known = told.counts_bytes(case)
    if known is False or (case.printed is None and not _odd(case)):
        return None
    if case.printed is None:
        return _likely(known, 0.9 if told.has_elements(case) else 0.1)
    return _likely(known, 0.4 if told.has_value_factor(case) else -0.4)


def _odd(case: Case) -> bool:
    if case.claim_ratio is None or (case.factor is not None and case.factor > 1):
        return True
    return any(Fraction(c).numerator % 2 for c in case.claim_ratio.num.terms.values())


def _wide_values(case: Case) -> float | None:
    return 0 if case.quantity in ("bytes", "t_comms") else None


def _any(case: Case) -> float | None:
    return 0


def _training(case: Case) -> float | None:
    if case.quantity in ("threshold", "intensity") or told.counts_flops(case) is False:
        return None
    return 0 if told.is_training(case) else -1


def _recomputed(case: Case) -> float | None:
    if _training(case) is None or not told.has_training_coefficient(case):
        return None
    sure = told.is_training(case)
    return 0 if sure else -1 if told.degree(case) == 0 and case.inputs else None


def _thirds(case: Case) -> float | None:
    return _training(case) if told.has_thirds(case) else None


def _streams(case: Case) -> float | None:
    if case.quantity == "threshold" or told.is_ridge(case):
        return None
    counted = case.quantity == "intensity" or told.counts_bytes(case)
    likely = 0.8 if case.quantity == "intensity" else 0
    return likely if counted and told.degree(case) <= 2 else None


def _every_load(case: Case) -> float | None:
    return 1 if case.quantity == "intensity" and case.ledger is None else None


def _square(case: Case) -> float | None:
    return 0 if told.has_square(case) else None


def _bits(case: Case) -> float | None:
    if case.quantity in ("flops", "t_math", "count"):
        return None
    return 0 if told.counts_bytes(case) or case.quantity in ("rate", "time") else -1


def _tens(case: Case) -> float | None:
    return 0


def _prefix(case: Case) -> float | None:
    if not case.unit:
        return None
    has_prefix = case.unit_size != 1 or any(c.isalpha() for c in case.source)
    return 0 if has_prefix else -2.5


def _binary(case: Case) -> float | None:
    if case.printed is None:
        return 0
    value = case.number(case.expected) or Fraction(0)
    exact = any(value * factor == case.printed.value for factor in _BINARY)
    counted = case.quantity in ("bytes", "rate")
    return 0 if counted and (case.printed.digits > 1 or exact) else None


def _clock(case: Case) -> float | None:
    if case.quantity in ("threshold", "intensity", "bytes"):
        return None
    return None if told.is_ridge(case) and case.quantity != "rate" else 0


def _passes(case: Case) -> float | None:
    sure = told.has_ring_factor(case) and not told.channel(case)
    known = told.is_collective(case)
    if known is None and case.printed is None and told.bandwidths(case):
        return -0.3 if not told.has_elements(case) else -1
    bare = case.printed is None and _odd(case) and told.has_elements(case)
    two = 0.5 if list(case.numbers.values()).count(TWO) > 1 else 0
    return _likely(known, 1 if sure else -0.7 if bare else two)


def _scores(case: Case) -> float | None:
    """The whole cost is attention scores, in a program one with a softmax."""
    if not case.ratio or told.counts_flops(case) is False:
        return None
    lead = max(case.ratio.num, key=told.length_power)
    if len(case.ratio.num) > 1 or not told.is_quadratic(lead):
        return None
    if case.ledger is not None and not told.has_scores(case.ledger):
        return -2
    return 0 if told.is_usual_score(lead, case.factor) else -0.6


def _rate(case: Case) -> float | None:
    if case.quantity != "rate" or told.bandwidths(case):
        return None
    return _likely(told.is_rate_of_link(case))


_TIMES = {
    3600: "an hour has 3600 seconds",
    60: "a minute has 60 seconds",
    86400: "a day has 86,400 seconds",
    24: "a day has 24 hours",
    365: "a year has 365 days",
}
_POWERS = tuple(p for p in range(-18, 19) if p)
_BINARY = {Fraction(1024, 1000) ** p for p in (1, 2, 3, 4, -1, -2, -3, -4)}


def _size(power: int) -> str:
    return f"10^{abs(power)} times too {'large' if power > 0 else 'small'}"


WHOLE = (
    Row(
        "mac-for-flop",
        "a multiply-add counted as one operation, or a MAC as two of something",
        6.2,
        {
            HALF: "counts multiply-adds (MACs); one is two FLOPs",
            TWO: "counts every multiply-add twice over: FLOPs are 2 x MACs, once",
        },
        _flops,
        Example("N*K*C", "2*N*K*C"),
        frozenset({HALF}),
    ),
    Row(
        "dtype-size",
        "the size of a value in bytes left out, or put in twice",
        6.1,
        {
            HALF: "counts values, not bytes: 2 bytes per value are left out",
            TWO: "the 2 bytes per value are put in twice",
        },
        _values,
        Example("70 GB", "P*b", "P=70e9, b=2"),
    ),
    Row(
        "dtype-size",
        "",
        6.1,
        {
            Fraction(1, size): f"counts values, not bytes: {size} bytes per value are left out"
            for size in (4, 8)
        },
        _wide_values,
    ),
    Row(
        "factor-2",
        "a factor of 2",
        5.9,
        {
            HALF: "half of what it should be: a factor of 2 is missing",
            TWO: "twice what it should be: a factor of 2 is counted twice",
        },
        _any,
        Example("B/D", "2*B/D"),
    ),
    Row(
        "training-factor",
        "forward pass and training step mixed up",
        5.4,
        {Fraction(3): "counts a training step, three times the forward pass"},
        _training,
        Example("6*P*T", "2*P*T"),
    ),
    Row(
        "training-factor",
        "",
        5.4,
        {THIRD: "counts the forward pass only, a third of a training step"},
        _thirds,
    ),
    Row(
        "recompute-factor",
        "a factor that belongs to another choice of recomputation",
        6.2,
        {
            MORE: "counts the forward pass again, as recomputation does (8 for 6, 96 for 72)",
            LESS: "leaves out the recomputed forward pass (6 for 8, 72 for 96)",
        },
        _recomputed,
        Example("8*P*T", "6*P*T"),
    ),
    Row(
        "write-allocate",
        "a store on a write-allocate cache reads the line first",
        5.2,
        {
            Fraction(
                a, b
            ): f"counts the line that a store reads first, or not: {a} transfers for {b}"
            for a, b in ((3, 2), (2, 3), (4, 3), (3, 4))
        },
        _streams,
        Example("3*b*N", "2*b*N"),
        frozenset({Fraction(3, 2), Fraction(2, 3), MORE, LESS}),
    ),
    Row(
        "no-reuse",
        "every operand fetched for every multiply-add",
        5.1,
        {HALF: "counts every load, those of one value too: neighbours are not reused"},
        _every_load,
        Example("0.1875", "6/16", quantity="intensity"),
        frozenset({HALF}),
    ),
    Row(
        "sum-for-overlap",
        "transfers one after the other where they overlap, or the reverse",
        7.2,
        {
            FOUR: "adds two balanced transfers that overlap: (2x)^2 in place of x^2",
            1 / FOUR: "overlaps two balanced transfers that run one after the other",
        },
        _square,
        Example("1.6e6", "n*alpha^2/(2*M*F)", "n=4096, alpha=2550, M=4, F=8192"),
    ),
    Row(
        "bits-for-bytes",
        "bits and bytes mixed up",
        6.6,
        {
            Fraction(8): "is in bits: 8 of them are a byte",
            Fraction(1, 8): "is divided by 8 as bits are",
        },
        _bits,
        Example("17.8 ms", "V/W", "V=1e9, W=450e9"),
    ),
    Row(
        "power-of-ten",
        "the exponent of ten is off",
        7.2,
        {Fraction(10) ** p: f"{_size(p)}: the exponent is off by {p:+d}" for p in _POWERS},
        _tens,
        Example("1.7e10", "2*8*128*8192"),
    ),
    Row(
        "unit-prefix",
        "the digits are right, the prefix of the unit is not",
        8.5,
        {
            Fraction(10) ** p: f"{_size(p)}: the digits are right, the prefix is not"
            for p in _POWERS
            if p % 3 == 0
        },
        _prefix,
        Example("2.22 us", "V/W", "V=1e9, W=450e9"),
    ),
    Row(
        "binary-prefix",
        "powers of 1024 and of 1000 mixed up",
        6.5,
        {
            f: f"powers of {1024 if f > 1 else 1000} in place of {1000 if f > 1 else 1024}: "
            f"{float(f):.4g} times"
            for f in _BINARY
        },
        _binary,
        Example("80.0 GB", "n*2^30", "n=80"),
        frozenset(_BINARY),
    ),
    Row(
        "time-unit",
        "seconds, hours and days mixed up",
        7,
        {
            factor: f"is {factor} times what it should be: {fact}"
            for size, fact in _TIMES.items()
            for factor in (Fraction(size), Fraction(1, size))
        },
        _clock,
        Example("7.5 days", "s/86400", "s=648000"),
    ),
    Row(
        "all-reduce-passes",
        "an all-reduce counted as one pass, or one pass as an all-reduce",
        6.4,
        {
            HALF: "an all-reduce passes the data twice (reduce-scatter, then all-gather); "
            "one is counted",
            TWO: "one pass over the data is counted as an all-reduce, which takes two",
        },
        _passes,
        Example("S*(n - 1)/(n*t)", "2*S*(n - 1)/(n*t)"),
    ),
    Row(
        "causal-mask",
        "the causal mask halves attention scores, or not",
        6.7,
        {
            TWO: "counts all scores: a causal mask leaves half of them",
            HALF: "is halved as for a causal mask",
        },
        _scores,
        Example("4*B*T^2*D", "2*B*T^2*D"),
        frozenset({TWO, HALF}),
    ),
    Row(
        "both-directions",
        "the sum of both directions taken for the one-way bandwidth",
        6.4,
        {
            TWO: "is the sum of both directions; one way is half of it",
            HALF: "is halved as if the rate counted both directions",
        },
        _rate,
        Example("900 GB/s", "n*w", "n=18, w=25e9"),
    ),
)


def _register(row: Row) -> None:
    @mistake(row.kind, row.says, specific=row.specific, example=row.example)
    def whole(case: Case) -> Iterator[Proposal]:
        likely = row.tell(case)
        if likely is None or (case.ratio is None and case.printed is None):
            return
        for factor, text in row.factors.items():
            value = times(case, factor)
            is_convention = factor in row.convention and not told.peaks(case)
            yield Proposal(value, text, _shown(factor), likely, convention=is_convention)


def _shown(factor: Fraction) -> str:
    for base, name in ((Fraction(10), "10"), (Fraction(1024, 1000), "1.024")):
        for power in range(-18, 19):
            if abs(power) > 0 and base**power == factor:
                return f"{name}^{power}"
    return str(factor)


for _row in WHOLE:
    _register(_row)


@mistake("constant-factor", "a constant factor", specific=2, example=Example("4*B*D", "B*D"))
def any_factor(case: Case) -> Iterator[Proposal]:
    """A constant factor without a known meaning; only for formulas, where it is exact."""
    factor = case.factor
    if case.printed is not None or factor == 0:
        return
    if factor is None:
        quotient = case.quotient.to_sympy() if case.quotient is not None else None
        if quotient is not None and not quotient.free_symbols and quotient.is_positive:
            text = f"off by a constant factor: it is {quotient} times what it should be"
            yield Proposal(None, text, str(quotient))
    elif factor < 0:
        yield Proposal(None, "the sign is the wrong way round", "-1", kind="wrong-sign")
    else:
        yield Proposal(None, f"off by a constant factor: it is {of_right(factor)}", str(factor))


@mistake(
    "sparse-for-dense-peak",
    "the peak with structured sparsity, twice the dense one",
    specific=6.5,
    example=Example("590", "C/W", "C=989e12, W=3.35e12"),
)
def sparse_peak(case: Case) -> Iterator[Proposal]:
    """A peak with structured sparsity, or half of one."""
    for symbol in told.peaks(case):
        likely = 0 if symbol in case.values else -0.3
        for factor, text in (
            (TWO, f"{_named(case, symbol)} with structured sparsity is twice the dense peak"),
            (
                HALF,
                f"{_named(case, symbol)} is taken for a sparse peak and halved, but it is dense",
            ),
        ):
            value = case.substituted({symbol: as_ratio(symbol) * as_ratio(factor)})
            halved = factor == HALF
            slack = Fraction(0) if halved else SPARSE_SLACK
            yield Proposal(value, text, str(factor), likely - 0.5 * halved, slack)


@mistake(
    "both-directions",
    example=Example("1.11 ms", "V/W", "V=1e9, W=450e9"),
)
def both_directions(case: Case) -> Iterator[Proposal]:
    """The bandwidth of both directions of a link for that of one, or half of one."""
    for symbol in told.bandwidths(case):
        likely = _likely(told.is_link(case, symbol))
        if likely is None:
            continue
        for factor, text in (
            (TWO, f"{_named(case, symbol)} is the sum of both directions; one way is half of it"),
            (HALF, f"{_named(case, symbol)} is halved as if it counted both directions"),
        ):
            value = case.substituted({symbol: as_ratio(symbol) * as_ratio(factor)})
            yield Proposal(value, text, str(factor), likely)


@mistake("all-reduce-passes")
def passes_beside_others(case: Case) -> Iterator[Proposal]:
    """What is divided by one bandwidth, beside latencies or a time of computation."""
    likely = _passes(case)
    for symbol in told.bandwidths(case) if likely is not None else ():
        for factor, word in ((HALF, "one pass for two"), (TWO, "two passes for one")):
            value = case.substituted({symbol: as_ratio(symbol) / as_ratio(factor)})
            text = f"counts {word}, in what is divided by {symbol}; an all-reduce takes two"
            yield Proposal(value, text, str(factor), likely or 0)


@mistake("all-reduce-passes")
def whole_all_reduce(case: Case) -> Iterator[Proposal]:
    """Bus bandwidth, or an all-reduce by sending and receiving: ``2(n - 1)/n`` for one pass."""
    for symbol in case.others if told.bandwidths(case) else ():
        factor = 2 * (symbol - 1) / symbol
        text = f"an all-reduce that sends and receives, 2({symbol} - 1)/{symbol} passes, for one"
        yield Proposal(case.expected * factor, text, f"2({symbol} - 1)/{symbol}")


def _named(case: Case, symbol: Symbol) -> str:
    value = case.values.get(symbol)
    return f"{symbol} = {float(value):.4g}" if value is not None else str(symbol)


@mistake("causal-mask")
def every_pair(case: Case) -> Iterator[Proposal]:
    """Scores under a mask or a window, a sum of several terms, taken for all pairs."""
    if case.ratio is None or len(case.ratio.num) < 2 or told.counts_flops(case) is False:
        return
    lead = max(case.ratio.num, key=told.length_power)
    if told.is_quadratic(lead) and sum(map(told.is_quadratic, case.ratio.num)) == 1:
        text = f"counts every pair, {lead.scaled(2)}: under a causal mask half of them are left"
        yield Proposal(Ratio.of(lead.scaled(2), case.ratio.den), text, "2", convention=True)
    for symbol in case.inputs if len(case.ratio.den) == 1 else ():
        if can_be(symbol.name, "length"):
            text = f"counts every pair, {symbol}**2, which a mask or a window does not leave"
            yield Proposal(symbol**2, text, f"{symbol}**2")


# -- one part of a sum, or of a maximum ---------------------------------------------------


@mistake(
    "term-factor",
    "one term has a wrong factor",
    specific=6,
    example=Example("6*N + 24*L*D", "6*N + 6*L*D"),
)
def factor_of_a_part(case: Case) -> Iterator[Proposal]:
    """One part with another factor, under the kind that the factor has there."""
    for part, put, where in parts(case.expected):
        for factor in (HALF, TWO, MORE, LESS, FOUR, 1 / FOUR, Fraction(3), THIRD, Fraction(-1)):
            number = as_ratio(factor).to_sympy()
            value = put(number * part)
            if value == case.expected:
                continue
            for kind, text, likely in _meanings(case, part, factor):
                yield Proposal(value, f"{text}{where}", f"{factor} x {part}", likely, kind=kind)


def _meanings(case: Case, part: Expr, factor: Fraction) -> Iterator[tuple[str, str, float]]:
    """The kinds of mistake that change one part by a factor."""
    if factor < 0:
        yield "wrong-sign", f"the term {part} has the wrong sign", 0
        return
    yield "", f"the term {part} is {of_right(factor)}", 0
    term = _term(part)
    if term is None:
        return
    if factor in (TWO, HALF) and told.is_masked_term(case, term):
        text = (
            f"the term {part} is not halved: a causal mask leaves half of the scores"
            if factor == TWO
            else f"the term {part} is halved as for a causal mask"
        )
        yield "causal-mask", text, 0.3 if told.counts_flops(case) else 0
    if factor in (TWO, HALF) and told.peaks(case) and told.peaks(case)[0] in part.free_symbols:
        yield "mac-for-flop", f"counts the FLOPs of {part} by another factor: one MAC is two", 0.1
    if factor == TWO and any(can_be(a.name, "vocabulary") for a in part.free_symbols):
        text = f"counts {part} twice: a look-up in the embedding table multiplies nothing"
        yield "embedding-as-matmul", text, 0
    if factor == TWO:
        yield "doubled-term", f"counts the term {part} twice", 0
    yield from _of_coefficient(case, part, term, factor)


def _of_coefficient(
    case: Case, part: Expr, term: Posynomial, factor: Fraction
) -> Iterator[tuple[str, str, float]]:
    """Bytes per value, and recomputation, as far as the coefficient allows."""
    (coefficient,) = (Fraction(c) for c in term.terms.values())
    counted = told.counts_bytes(case)
    if (
        factor in (HALF, 1 / FOUR)
        and (coefficient * factor).denominator == 1
        and counted is not False
    ):
        text = f"the term {part} lacks its {1 / factor} bytes per value"
        yield "dtype-size", text, 0 if counted else -0.5
    divisor = {MORE: 6, LESS: 2}.get(factor)
    if divisor is None or (coefficient / divisor).denominator != 1 or len(term.symbols) < 2:
        return
    if case.quantity != "threshold" and told.counts_flops(case) is not False:
        text = f"the term {part} has the factor {factor} of another recomputation"
        yield "recompute-factor", text, 0 if told.counts_flops(case) else -1


def _term(part: Expr) -> Posynomial | None:
    """The part as one term, if it is one."""
    ratio = ratio_of(part)
    return ratio.num if ratio is not None and len(ratio.num) == 1 else None


@mistake("term-factor")
def several_parts(case: Case) -> Iterator[Proposal]:
    """One part, or several, but not all, with one and the same factor."""
    if case.ratio is None or case.claim_ratio is None or case.printed is not None:
        return
    if (
        case.ratio.den != case.claim_ratio.den
        or case.ratio.num.terms.keys() != case.claim_ratio.num.terms.keys()
    ):
        return
    ours, theirs = case.ratio.num.terms, case.claim_ratio.num.terms
    changed = {Fraction(theirs[m]) / Fraction(c) for m, c in ours.items() if theirs[m] != c}
    lost = Posynomial({m: c for m, c in ours.items() if theirs[m] != c})
    if len(changed) != 1 or len(lost) == len(ours):
        return
    (factor,) = changed
    names = {MORE: "recompute-factor", LESS: "recompute-factor", Fraction(-1): "wrong-sign"}
    if told.counts_flops(case) and factor in (TWO, HALF):
        names[factor] = "mac-for-flop"
    word = f"the terms {lost} are" if len(lost) > 1 else f"the term {lost} is"
    text = f"{word} {of_right(factor)}" if factor > 0 else f"{lost} is negated"
    kind = names.get(factor, "") if len(lost) > 1 else ""
    yield Proposal(None, text, str(factor), kind=kind)
