"""Slips of structure: one node of the right formula is replaced, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import prod

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, ceiling, floor, log

from symcost.algebra import Maximum, Minimum
from symcost.checker.case import Case
from symcost.checker.claim_reading import bracketings
from symcost.checker.mistakes.base import AGAINST, OPEN, SURE, Example, Proposal, mistake
from symcost.checker.mistakes.places import Change, Place, slip
from symcost.checker.said import said
from symcost.notation.kinds import can_be
from symcost.symbols import is_dim

LARGE = 10  # a number from here on is not put on the other side by a factor of 2 or 3
MAX_FACTORS = 8  # of a product that are taken in pairs
MAX_ARGUMENTS = 6  # of a sum of which several are left out
COUNTED = 1000  # a size from here on is not off by one
FAR = 100  # a sum of sizes that are further apart is just the larger of the two
ONE = Integer(1)


@slip(
    "inverted-ratio",
    "a ratio is upside down",
    specific=7.6,
    example=Example("2*V*n/((n - 1)*W)", "2*V*(n - 1)/(n*W)"),
)
def upside_down(place: Place, case: Case) -> Iterator[Change]:
    """The whole, a divisor, a large number or two factors of a product upside down."""
    node = place.node
    if place.around is None:
        yield 1 / node, said("upside down: it is {}", 1 / node)
    if node.is_Pow and node.exp.is_negative and node.base.free_symbols:
        yield 1 / node, said("multiplies by {} where it must be divided", 1 / node)
    if not node.is_Mul:
        return
    number, _ = node.as_coeff_Mul()
    if number.is_Rational and number and max(abs(number), abs(1 / number)) >= LARGE:
        large = number if abs(number) >= 1 else 1 / number
        yield node / number**2, said("the number {} is on the wrong side of the line", large)
    factors = [each for each in node.args if each.free_symbols][:MAX_FACTORS]
    below = [f for f in factors if f.as_base_exp()[1].is_negative]
    for top in (f for f in factors if f not in below):
        for bottom in below:
            ratio = top * bottom
            yield node / ratio**2, said("the ratio {} is written {}", ratio, 1 / ratio)


@slip(
    "operator-precedence",
    "brackets are missing: read as written it means another thing",
    specific=8.6,
    example=Example("2*B*D + 2*D*F + 2*B*F/W", "(2*B*D + 2*D*F + 2*B*F)/W"),
)
def lost_brackets(place: Place, case: Case) -> Iterator[Change]:
    """A factor of a whole sum taken for one of its terms only, or for all but one."""
    node = place.node
    if not node.is_Mul or case.printed is not None:
        return
    for inner in (f for f in node.args if f.is_Add):
        others = [f for f in node.args if f != inner]
        below = [f for f in others if f.as_base_exp()[1].is_negative]
        for taken in (others, *([f] for f in others), below):
            factor = prod(taken, start=ONE)
            rest = prod((f for f in others if f not in taken), start=ONE)
            for term in inner.args if taken else ():
                value = rest * (inner - term) + rest * factor * term
                yield value, said("only {} has the factor {}; ({}) is meant", term, factor, inner)
                besides = rest * factor * (inner - term) + rest * term
                lacks = said("{} lacks the factor {}; ({}) is meant", term, factor, inner)
                yield besides, lacks
                yield besides, lacks, 0, "missing-symbol"


@mistake("operator-precedence", needs=lambda case: "/" in case.text and not case.unit)
def bracketed(case: Case) -> Iterator[Proposal]:
    """``a/b*c`` where ``a/(b*c)`` is meant: the claim read with brackets is right."""
    right = case.number(case.expected)
    for side in bracketings(case.text, case.names):
        value = case.like(side.expr)
        number = case.number(value)
        if Case(value, case.expected, case.values).explains(case.expected) or (
            right is not None and number == right
        ):
            text = said("read from left to right it is another thing; {} is meant", value)
            yield Proposal(None, text, said("{}", value))
            return


@slip(
    "sum-for-product",
    "a sum in place of a product, or the reverse",
    specific=7.8,
    example=Example("2*(S + D)*H", "2*S*D*H"),
)
def sum_and_product(place: Place, case: Case) -> Iterator[Change]:
    """A sum for its product; a product of two or of all symbols for their sum."""
    node = place.node
    if node.is_Add and len(node.args) <= 3 and not any(a.is_number for a in node.args):
        text = said("multiplies the terms of {}, which must be added", node)
        for divisor in (ONE, *sorted(node.free_symbols, key=str)):
            yield prod(node.args, start=ONE) / divisor, text
    if not node.is_Mul:
        return
    symbols = [arg for arg in node.args if arg.is_Symbol]
    groups = [*combinations(symbols[:MAX_FACTORS], 2), tuple(symbols)]
    for group in groups if len(symbols) > 1 else ():
        if case.printed is None or not _far_apart(case, group):
            text = said("adds the factors of {}, which must be multiplied", prod(group))
            yield node / prod(group) * Add(*group), text


def _far_apart(case: Case, symbols: tuple[Symbol, ...]) -> bool:
    known = [case.values[s] for s in symbols if case.values.get(s)]
    return len(known) < 2 or max(known) > FAR * min(known)


@slip(
    "wrong-sign",
    "a sum where a difference belongs, or the reverse",
    specific=7,
    example=Example("F/C - V/W", "F/C + V/W"),
)
def negated(place: Place, case: Case) -> Iterator[Change]:
    """One term of a sum, or the whole, with the other sign."""
    if isinstance(place.around, Add) or (place.around is None and case.printed is None):
        yield -place.node, said("{} has the wrong sign", place.node)


@slip(
    "off-by-one",
    "a count is off by one",
    specific=7,
    example=Example("V*(N - 1)/W", "V*N/W"),
)
def one_too_many(place: Place, case: Case) -> Iterator[Change]:
    """A count with one more or less, a one left out, ``n(n - 1)`` for ``n(n + 1)``."""
    node = place.node
    if node.is_Symbol and is_dim(node):
        value = case.values.get(node)
        if value is None or (value.denominator == 1 and 2 < value < COUNTED):
            for near in (node + 1, node - 1):
                yield near, said("{} in place of {}", near, node)
    if node.is_Add and len(node.args) == 2 and abs(node.args[0]) == 1:
        one, rest = node.args
        yield rest, said("{} in place of {}", rest, node)
        if isinstance(place.around, Mul) and rest in _bases(place.around):
            text = said("{} in place of {}: pairs with themselves, or without", rest - one, node)
            yield rest - one, text, SURE if one == 1 else OPEN


def _bases(product: Mul) -> list[Expr]:
    """The factors of a product, and those with a number, as ``D/2`` in ``D*(D/2 + 1)/4``."""
    factors = [f for f in product.args if f.free_symbols]
    number = product.as_coeff_Mul()[0]
    return [*factors, *(f / n for f in factors for n in (2, 4, 8)), *(f * number for f in factors)]


@mistake("off-by-one")
def one_less(case: Case) -> Iterator[Proposal]:
    """A whole number that is one too large or too small."""
    ours = case.number(case.expected)
    if case.printed is not None and ours is not None and ours.denominator == 1 and case.inputs:
        gap = case.printed.value - ours
        if abs(gap) == 1:
            yield Proposal(None, f"one too {'many' if gap > 0 else 'few'}", str(gap), OPEN)


@slip(
    "missing-factor",
    "a factor such as N - 1 is left out",
    specific=6.3,
    example=Example("V/(N*W)", "V*(N - 1)/(N*W)"),
)
def lost_factor(place: Place, case: Case) -> Iterator[Change]:
    """A factor that is no symbol, alone, with a symbol or with a symbol and a 2; a root."""
    node, around = place.node, place.around
    if node.is_Pow and isinstance(node.exp, Rational) and not node.exp.is_Integer:
        yield node.base, said("the root of {} is left out", node.base)
        yield Pow(node.base, 1 / node.exp), said("{} is squared, not its root taken", node.base)
    factors = node.args if node.is_Mul else (node,) if around is None or around.is_Add else ()
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if not base.free_symbols or base.is_Symbol or factor == node == case.expected:
            continue
        rest = node / factor
        yield rest, said("the factor {} is left out", factor)
        if base.has(log):
            yield rest * log(2), said("the factor {} is left out", factor)
        for symbol in sorted(base.free_symbols, key=str) if base.is_Add else ():
            lost = base / symbol
            for number in (1, 2):
                whole = (rest / number) * symbol ** (-1 if exponent.is_negative else 1)
                yield whole, said("the factor {} is left out", number * lost)


def _without(node: Expr, most: int) -> Iterator[tuple[Expr, Expr]]:
    """A sum without some of its terms, and those."""
    for size in range(1, most + 1):
        for lost in combinations(node.args, size):
            yield Add(*(a for a in node.args if a not in lost)), Add(*lost)


@slip(
    "missing-term",
    "a term is left out",
    specific=6.9,
    example=Example("t", "t + hops*l"),
)
def lost_term(place: Place, case: Case) -> Iterator[Change]:
    """One term of a sum left out, or several of a formula."""
    count = len(place.node.args)
    most = 1 if case.printed is not None or count > MAX_ARGUMENTS else count - 1
    for rest, lost in _without(place.node, most) if place.node.is_Add else ():
        yield rest, said(f"leaves out the term{'s' if lost.is_Add else ''} {{}}", lost)


@slip(
    "extra-term",
    "a term too many",
    specific=6.4,
    example=Example("6*N*D + 3*V", "6*N*D"),
    of_claim=True,
)
def added(place: Place, case: Case) -> Iterator[Change]:
    """Terms of the claim that the expectation does not have."""
    count = len(place.node.args)
    most = 1 if count > MAX_ARGUMENTS else count - 1
    for rest, extra in _without(place.node, most) if place.node.is_Add else ():
        if not extra.could_extract_minus_sign():
            if not extra.is_Add and any(can_be(a.name, "vocabulary") for a in extra.free_symbols):
                text = said("counts {}: a look-up in the embedding table multiplies nothing", extra)
                yield rest, text, 0, "embedding-as-matmul"
            yield rest, said("has {}{} too much", extra, place.where)


@slip(
    "rounding-direction",
    "rounded up where it must be rounded down, or the reverse",
    specific=8.4,
    example=Example("ceil(B/8)", "floor(B/8)"),
)
def roundings(place: Place, case: Case) -> Iterator[Change]:
    """Rounded up where down is right, the reverse, or not at all."""
    for one, other, way in ((ceiling, floor, "down"), (floor, ceiling, "up")):
        if isinstance(place.node, one):
            (inside,) = place.node.args
            yield other(inside), said(f"rounds {{}} {way}", inside)
            yield inside, said("does not round {}", inside)


@slip(
    "max-for-other",
    "another argument of a maximum, a minimum or a sum in its place",
    specific=7.5,
    example=Example("T_m + T_c", "max(T_m, T_c)"),
)
def extrema(place: Place, case: Case) -> Iterator[Change]:
    """Another argument of a maximum, the sum or the minimum in its place, or the reverse."""
    node = place.node
    if isinstance(node, Maximum | Minimum):
        swap = Minimum if isinstance(node, Maximum) else Maximum
        for arg in node.args:
            yield arg, said("takes only {} of {}", arg, node)
        yield swap(*node.args), said("takes {} in place of {}", swap(*node.args), node)
        yield Add(*node.args), said("takes the sum in place of {}", node)
    if node.is_Add and len(node.args) <= 4 and place.around is None and case.claims_choice:
        for other in (Maximum(*node.args), Minimum(*node.args)):
            text = said("takes {} where the sum of both is meant", other)
            yield other, text, AGAINST if case.printed is not None else 0


@slip(
    "log-base",
    "a logarithm to another base",
    specific=7.4,
    example=Example("5N log(N)", "5*N*log2(N)"),
)
def log_base(place: Place, case: Case) -> Iterator[Change]:
    """The natural logarithm for that to base 2, or 10."""
    node = place.node
    if isinstance(node, log) and node.free_symbols:
        inner = node.args[0]
        natural = said("the natural logarithm of {} is taken for that to base 2", inner)
        yield node * log(2), natural
        yield node / log(2), said("the logarithm of {} to base 2 is taken for the natural", inner)
        yield node * log(2) / log(10), said("the logarithm of {} is to base 10", inner)


@slip(
    "log-for-count",
    "a logarithm in place of its argument, or the reverse",
    specific=7.3,
    example=Example("5N^2", "5*N*log2(N)"),
)
def log_for_count(place: Place, case: Case) -> Iterator[Change]:
    """``n`` or ``n - 1`` for ``log2(n)``, and the reverse."""
    node = place.node
    if isinstance(node, log) and node.free_symbols:
        for count in (node.args[0], node.args[0] - 1):
            yield count * log(2), said("{} stands where the logarithm belongs", count)
    if (node.is_Symbol or node.is_Add) and case.claimed.has(log) and not case.expected.has(log):
        for symbol in node.free_symbols:
            text = said("the logarithm of {} stands where {} belongs", symbol, node)
            yield log(symbol) / log(2), text


@slip(
    "complement",
    "a share taken for the rest",
    specific=6.2,
    example=Example("1/(p + (1-p)/s)", "1/(1 - p + p/s)"),
)
def complements(place: Place, case: Case) -> Iterator[Change]:
    """``1 - s`` in place of a share ``s``."""
    node = place.node
    if not node.is_Symbol:
        return
    value = case.values.get(node)
    rest = any({1, -node} <= set(each.args) for each in case.expected.atoms(Add))
    if rest if value is None else 0 < value < 1:
        yield 1 - node, said("takes {}, the other part, for {}", 1 - node, node)
