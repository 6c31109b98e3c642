"""Plain factors: one table of what 2, 3, 4/3, 8, 1000 and the like may mean, and of what.

A row says at which places its factors may be off: the whole, one part of a sum or of a maximum,
a peak or a bandwidth wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.checker.case import Case
from symcost.checker.equality import ratio_of
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import AGAINST, OPEN, SURE, Example, Likely, Proposal, mistake
from symcost.checker.mistakes.places import Put, parts
from symcost.checker.rounding import KIBI
from symcost.notation.kinds import can_be

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
TWO, THREE, FOUR = Fraction(2), Fraction(3), Fraction(4)
MORE, LESS = Fraction(4, 3), Fraction(3, 4)
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

Tell = Callable[[Case, Expr, Fraction], Likely]
Place = tuple[Expr, Callable[[Fraction], Expr | Ratio], str]
Places = Callable[[Case], Iterator[Place]]


def factor(
    kind: str,
    says: str,
    specific: float,
    example: tuple[str, ...],
    factors: Mapping[Fraction, str],
    tell: Tell,
    *at: Places,
    conventions: Collection[Fraction] = (),
    slack: Fraction = Fraction(0),
) -> None:
    """Add a row to the table: what each factor says, and whether it may be meant at a place."""

    def make(case: Case) -> Iterator[Proposal]:
        for places in at:
            for part, put, where in places(case):
                for number, text in factors.items():
                    likely = tell(case, part, number)
                    if likely is None or (likely == OPEN and case.is_plain_arithmetic):
                        continue
                    is_whole = part == case.expected
                    shown = _shown(number) if is_whole else f"{number} x {part}"
                    wide = slack if number == TWO else Fraction(0)
                    is_convention = number in conventions and is_whole and not told.peaks(case)
                    yield Proposal(
                        put(number), _said(text, where), shown, likely, wide, is_convention
                    )

    mistake(kind, says, specific=specific, example=Example(*example))(make)


# -- places -------------------------------------------------------------------------------


def whole(case: Case) -> Iterator[Place]:
    """All of the expectation."""
    if case.ratio is not None or case.printed is not None:
        yield case.expected, lambda number: times(case, number), ""


def traffic(case: Case) -> Iterator[Place]:
    """All of the bytes, by which an intensity divides."""
    for part, put, where in whole(case):
        is_below = case.quantity == "intensity"
        yield part, (lambda number: times(case, 1 / number)) if is_below else put, where


def terms(case: Case) -> Iterator[Place]:
    """The parts of sums and of maxima."""
    for part, put, where in parts(case.expected):
        if not part.free_symbols:
            continue
        named = f"the term {part}{where}"

        def scaled(number: Fraction, put: Put = put, part: Expr = part) -> Expr:
            return put(to_rational(number) * part)

        yield part, scaled, named


def peaks(case: Case) -> Iterator[Place]:
    """Every peak, wherever it stands."""
    return _each(case, told.peaks(case))


def bandwidths(case: Case) -> Iterator[Place]:
    """Every bandwidth, wherever it stands."""
    return _each(case, told.bandwidths(case))


def _each(case: Case, symbols: list[Symbol]) -> Iterator[Place]:
    for each in symbols:

        def put(number: Fraction, symbol: Symbol = each) -> Expr | Ratio:
            return case.substituted({symbol: as_ratio(symbol) * as_ratio(number)})

        value = case.values.get(each)
        yield each, put, str(each) if value is None else f"{each} = {float(value):.4g}"


def times(case: Case, number: Fraction) -> Expr | Ratio:
    """The expectation multiplied by a number."""
    if case.ratio is None:
        return case.expected * to_rational(number)
    return Ratio(case.ratio.num.scaled(number), case.ratio.den)


# -- words --------------------------------------------------------------------------------


def of_right(number: Fraction) -> str:
    """How much of the right value something is, in words.

    >>> of_right(Fraction(1, 2)), of_right(Fraction(3)), of_right(Fraction(3, 4))
    ('half of what it should be', '3 times what it should be', '3/4 of what it should be')
    """
    words = {HALF: "half of", TWO: "twice"}
    plain = f"{number} times" if number.denominator == 1 else f"{number} of"
    return f"{words.get(number, plain)} what it should be"


def _said(text: str, where: str) -> str:
    """What a factor says, of the part where it is meant."""
    if "{}" in text or not where:
        return text.format(where)
    return f"{text}, in {where}"


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


# -- when it may be meant -----------------------------------------------------------------


def _any(case: Case, part: Expr, number: Fraction) -> Likely:
    return 0


def _likely(known: bool | None, sure: bool = False) -> Likely:
    """What an answer of ``evidence`` adds."""
    return {True: SURE if sure else 0, False: None, None: OPEN}[known]


def _term(part: Expr) -> Posynomial | None:
    """The part as one term, if it is one."""
    ratio = ratio_of(part)
    return ratio.num if ratio is not None and len(ratio.num) == 1 else None


def _is_whole(part: Expr, number: Fraction) -> bool:
    """Whether the part is one term, and its coefficient a multiple of a number."""
    term = _term(part)
    return term is not None and all(Fraction(c) % number == 0 for c in term.terms.values())


def _flops(case: Case, part: Expr, number: Fraction) -> Likely:
    known = told.counts_flops(case)
    if part != case.expected:
        return None if part.free_symbols.isdisjoint(told.peaks(case)[:1]) else 0
    unsaid = case.unit == "%" or (case.source and "2" not in case.source)
    return OPEN if known and (unsaid or case.quantity == "threshold") else _likely(known)


def _values(case: Case, part: Expr, number: Fraction) -> Likely:
    """Bytes are counted, and the claim has no factor 2 left that could be those of a value."""
    known = told.counts_bytes(case)
    if part != case.expected:
        fits = number in (HALF, QUARTER) and _is_whole(part, 1 / number)
        return _likely(known) if fits else None
    if number not in (HALF, TWO):
        return 0 if case.quantity in ("bytes", "t_comms") else None
    if case.printed is None and not _is_odd(case):
        return None
    has = told.has_elements if case.printed is None else told.has_value_factor
    return _likely(known, has(case))


def _is_odd(case: Case) -> bool:
    if case.claim_ratio is None or (case.factor is not None and case.factor > 1):
        return True
    return any(Fraction(c).numerator % 2 for c in case.claim_ratio.num.terms.values())


def _training(case: Case, part: Expr, number: Fraction) -> Likely:
    if case.quantity in ("threshold", "intensity") or told.counts_flops(case) is False:
        return None
    if number == THIRD and not told.has_thirds(case):
        return None
    return 0 if told.is_training(case) else OPEN


def _recomputed(case: Case, part: Expr, number: Fraction) -> Likely:
    if case.quantity == "threshold":
        return None
    if part != case.expected:
        fits = _is_whole(part, Fraction(6 if number == MORE else 2)) and len(part.free_symbols) > 1
        return _likely(told.counts_flops(case)) if fits else None
    likely = _training(case, part, number) if told.has_training_coefficient(case) else None
    is_rate = told.degree(case) == 0 and case.inputs
    return likely if likely == 0 or is_rate else None


def _streams(case: Case, part: Expr, number: Fraction) -> Likely:
    if case.quantity == "threshold" or told.is_ridge(case) or told.degree(case) > 2:
        return None
    return 0 if case.quantity == "intensity" or told.counts_bytes(case) else None


def _every_load(case: Case, part: Expr, number: Fraction) -> Likely:
    return 0 if case.quantity == "intensity" and case.ledger is None else None


def _square(case: Case, part: Expr, number: Fraction) -> Likely:
    return 0 if told.has_square(case) else None


def _bits(case: Case, part: Expr, number: Fraction) -> Likely:
    if case.quantity in ("flops", "t_math", "count"):
        return None
    if 8 in case.values.values():
        return OPEN  # eight of something else
    return 0 if told.counts_bytes(case) or case.quantity in ("rate", "time") else OPEN


def _prefix(case: Case, part: Expr, number: Fraction) -> Likely:
    has_prefix = case.unit_size != 1 or any(c.isalpha() for c in case.source)
    return 0 if case.unit and has_prefix else None


def _binary(case: Case, part: Expr, number: Fraction) -> Likely:
    if case.printed is None:
        return 0
    value = case.number(case.expected)
    counted = case.quantity in ("bytes", "rate")
    exact = value is not None and value * number == case.printed.value
    return 0 if counted and (case.printed.digits > 1 or exact) else None


def _clock(case: Case, part: Expr, number: Fraction) -> Likely:
    if case.quantity in ("threshold", "intensity", "bytes"):
        return None
    return None if told.is_ridge(case) and case.quantity != "rate" else 0


def _passes(case: Case, part: Expr, number: Fraction) -> Likely:
    known, has_ring = told.is_collective(case), told.has_ring_factor(case)
    bare = case.printed is None and _is_odd(case) and told.has_elements(case) and not has_ring
    is_twofold = list(case.numbers.values()).count(TWO) > 1  # values of two bytes, sent twice
    sure = is_twofold or (has_ring and not told.channel(case))
    return _likely(None if known and bare else known, sure)


def _scores(case: Case, part: Expr, number: Fraction) -> Likely:
    """One term may be attention scores, in a program one with a softmax."""
    known, term = told.counts_flops(case), _term(part)
    if part != case.expected:
        masked = term is not None and told.is_masked_term(case, term)
        return (SURE if known else 0) if masked else None
    if term is None or known is False or not told.is_quadratic(term):
        return None
    if case.ledger is not None and not told.has_scores(case.ledger):
        return AGAINST
    return 0 if told.is_usual_score(term, case.factor) else OPEN


def _directions(case: Case, part: Expr, number: Fraction) -> Likely:
    if isinstance(part, Symbol) and part in told.bandwidths(case):
        return _likely(told.is_link(case, part))
    is_rate = case.quantity == "rate" and not told.bandwidths(case)
    return _likely(told.is_rate_of_link(case)) if is_rate else None


def _sparse(case: Case, part: Expr, number: Fraction) -> Likely:
    return 0 if part in case.values and number == TWO else OPEN


def _look_up(case: Case, part: Expr, number: Fraction) -> Likely:
    return 0 if any(can_be(a.name, "vocabulary") for a in part.free_symbols) else None


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
    _flops,
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
    _values,
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
    _any,
    whole,
)
factor(
    "term-factor",
    "one term has a wrong factor",
    6,
    ("6*N + 24*L*D", "6*N + 6*L*D"),
    {n: f"{{}} is {of_right(n)}" for n in (HALF, TWO, MORE, LESS, FOUR, QUARTER, THREE, THIRD)},
    _any,
    terms,
)
factor(
    "doubled-term",
    "a term is counted twice",
    6.9,
    ("6*N + 12*L*D", "6*N + 6*L*D"),
    {TWO: "counts {} twice"},
    _any,
    terms,
)
factor(
    "embedding-as-matmul",
    "an embedding look-up counted as a matmul",
    7.9,
    ("6*P + 3*V*D", "6*P"),
    {TWO: "counts {} twice: a look-up in the embedding table multiplies nothing"},
    _look_up,
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
    _training,
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
    _recomputed,
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
    _streams,
    whole,
    conventions=[Fraction(3, 2), Fraction(2, 3), MORE, LESS],
)
factor(
    "no-reuse",
    "every operand fetched for every multiply-add",
    6.3,
    ("0.1875", "6/16", "", "", "intensity"),
    {HALF: "counts every load, those of one value too: neighbours are not reused"},
    _every_load,
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
    _square,
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
    _bits,
    whole,
)
factor(
    "power-of-ten",
    "the exponent of ten is off",
    7.2,
    ("1.7e10", "2*8*128*8192"),
    {TEN**p: f"{_size(p)}: the exponent is off by {p:+d}" for p in POWERS},
    _any,
    whole,
)
factor(
    "unit-prefix",
    "the digits are right, the prefix of the unit is not",
    8.5,
    ("2.22 us", "V/W", "V=1e9, W=450e9"),
    {
        TEN**p / KIBI**n: f"{_size(p)}: the digits are right{told_}, the prefix is not"
        for n, told_ in enumerate(("", *[" in powers of 1024"] * 4))
        for p in POWERS
        if p % 3 == 0
    },
    _prefix,
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
    _binary,
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
    _clock,
    whole,
)
factor(
    "all-reduce-passes",
    "an all-reduce counted as one pass, or one pass as an all-reduce",
    6.4,
    ("S*(n - 1)/(n*t)", "2*S*(n - 1)/(n*t)"),
    {
        HALF: "an all-reduce passes the data twice (reduce-scatter, all-gather); one is counted",
        TWO: "one pass over the data is counted as an all-reduce, which takes two",
    },
    _passes,
    whole,
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
    _scores,
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
    _directions,
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
    _sparse,
    peaks,
    slack=SPARSE_SLACK,
)


# -- what is no plain factor, but told by one ---------------------------------------------


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


@mistake("binary-prefix")
def wrong_way(case: Case) -> Iterator[Proposal]:
    """``1 GB = 1.074 GiB``: multiplied by the quotient of the units that divides."""
    power = "KMGTP".find(case.unit[:1].upper()) + 1 if case.unit else 0
    if power and case.printed is not None and "iB" in case.unit + case.source:
        for each in (2 * power, -2 * power):
            text = f"multiplies by {float(KIBI ** (each // 2)):.4g} to divide by it"
            yield Proposal(times(case, KIBI**each), text, f"1.024^{each}", 2 * SURE)


@mistake("all-reduce-passes")
def passes_beside_others(case: Case) -> Iterator[Proposal]:
    """What is divided by one bandwidth, beside latencies or a time of computation."""
    for symbol, put, _ in bandwidths(case):
        for number, word in ((TWO, "one pass for two"), (HALF, "two passes for one")):
            likely = _passes(case, symbol, number)
            text = f"counts {word}, in what is divided by {symbol}; an all-reduce takes two"
            if likely is not None:
                yield Proposal(put(number), text, str(1 / number), likely)


@mistake("all-reduce-passes")
def whole_all_reduce(case: Case) -> Iterator[Proposal]:
    """Bus bandwidth, or an all-reduce by sending and receiving: ``2(n - 1)/n`` for one pass."""
    is_rate = case.quantity == "rate"
    for symbol in case.others if is_rate or told.bandwidths(case) else ():
        for number in (2, 1) if is_rate else (2,):
            shown = f"{'2' * (number > 1)}({symbol} - 1)/{symbol}"
            text = f"an all-reduce that sends and receives, {shown} passes, for one"
            if is_rate:
                text = f"is the bus bandwidth, {shown} times the bytes of the array in the time"
            value = case.expected * number * (symbol - 1) / symbol
            yield Proposal(value, text, shown, SURE if is_rate else 0, convention=is_rate)


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


@mistake("term-factor")
def several_parts(case: Case) -> Iterator[Proposal]:
    """Several parts, but not all, with one and the same factor."""
    ours, theirs = case.ratio, case.claim_ratio
    if ours is None or theirs is None or case.printed is not None or ours.den != theirs.den:
        return
    if ours.num.terms.keys() != theirs.num.terms.keys():
        return
    changes = {m: Fraction(theirs.num.terms[m]) / Fraction(c) for m, c in ours.num.terms.items()}
    lost = Posynomial({m: ours.num.terms[m] for m, change in changes.items() if change != 1})
    factors = set(changes.values()) - {1}
    if len(factors) != 1 or len(lost) == len(ours.num):
        return
    (factor,) = factors
    names = {MORE: "recompute-factor", LESS: "recompute-factor", Fraction(-1): "wrong-sign"}
    if told.counts_flops(case) and factor in (TWO, HALF):
        names[factor] = "mac-for-flop"
    word = f"the terms {lost} are" if len(lost) > 1 else f"the term {lost} is"
    text = f"{word} {of_right(factor)}" if factor > 0 else f"{lost} is negated"
    kind = names.get(factor, "") if len(lost) > 1 else ""
    yield Proposal(None, text, str(factor), kind=kind)
