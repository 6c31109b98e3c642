"""Slips of structure: one node of the right formula is replaced, wherever it stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import prod

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, ceiling, floor, log

from symcost.algebra import Maximum, Minimum
from symcost.checker.case import Case
from symcost.checker.mistakes.base import AGAINST, OPEN, SURE, Example, Proposal, Value, mistake
from symcost.checker.mistakes.places import places
from symcost.errors import SymcostError
from symcost.symbols import is_dim

LARGE = 10  # a number from here on is not put on the other side by a factor of 2 or 3
MAX_FACTORS = 8  # of a product that are taken in pairs
MAX_ARGUMENTS = 6  # of a sum of which several are left out
COUNTED = 1000  # a size from here on is not off by one
SHOWN = 60  # characters of what is shown as evidence
FAR = 100  # a sum of sizes that are further apart is just the larger of the two

Change = tuple[Expr, str] | tuple[Expr, str, float] | tuple[Expr, str, float, str]
Slip = Callable[[Expr, Expr | None, Case], Iterator[Change]]


def slip(
    kind: str, says: str = "", *, specific: float = 6, example: Example | None = None
) -> Callable[[Slip], Slip]:
    """Register what may stand in the place of one node; of a symbol also wherever it stands."""

    def register(change: Slip) -> Slip:
        def make(case: Case) -> Iterator[Proposal]:
            for node, put, around in _places(case):
                for new, text, *rest in change(node, around, case):
                    value = put(new)
                    likely, kind = (*rest, "")[:2] if rest else (0, "")
                    if value not in (case.expected, case.ratio):
                        shown = f"{new} for {node}"[:SHOWN]
                        yield Proposal(value, text, shown, likely, kind=kind)

        mistake(kind, says, specific=specific, example=example)(make)
        return change

    return register


def _places(case: Case) -> Iterator[tuple[Expr, Callable[[Expr], Value], Expr | None]]:
    """Every node, and every symbol that occurs several times wherever it stands."""
    found = list(places(case.expected))
    counts = Counter(node for node, *_ in found if node.is_Symbol)
    for each in (symbol for symbol, count in counts.items() if count > 1):

        def put(new: Expr, symbol: Expr = each) -> Value:
            return case.substituted({symbol: new})

        yield each, put, None
    yield from found


@slip(
    "inverted-ratio",
    "a ratio is upside down",
    specific=7.6,
    example=Example("2*V*n/((n - 1)*W)", "2*V*(n - 1)/(n*W)"),
)
def upside_down(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """The whole, a divisor, a large number or two factors of a product upside down."""
    if around is None:
        yield 1 / node, f"upside down: it is 1/({node})"
    if node.is_Pow and node.exp.is_negative and node.base.free_symbols:
        yield 1 / node, f"multiplies by {1 / node} where it must be divided"
    if not node.is_Mul:
        return
    number, _ = node.as_coeff_Mul()
    if number.is_Rational and number and max(abs(number), abs(1 / number)) >= LARGE:
        yield node / number**2, f"the number {_large(number)} is on the wrong side of the line"
    factors = [each for each in node.args if each.free_symbols][:MAX_FACTORS]
    above = [f for f in factors if not f.as_base_exp()[1].is_negative]
    below = [1 / f for f in factors if f.as_base_exp()[1].is_negative]
    for top in above:
        for bottom in below:
            text = f"the ratio {top / bottom} is written {bottom / top}"
            yield node * (bottom / top) ** 2, text


def _large(number: Expr) -> Expr:
    return number if abs(number) >= 1 else 1 / number


@slip(
    "operator-precedence",
    "brackets are missing: read as written it means another thing",
    specific=8.6,
    example=Example("2*B*D + 2*D*F + 2*B*F/W", "(2*B*D + 2*D*F + 2*B*F)/W"),
)
def lost_brackets(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """A factor of a whole sum taken for one of its terms only."""
    if not node.is_Mul or case.printed is not None:
        return
    for inner in (f for f in node.args if f.is_Add):
        others = [f for f in node.args if f != inner]
        sets = [
            others,
            *([f] for f in others),
            [f for f in others if f.as_base_exp()[1].is_negative],
        ]
        for taken in sets:
            rest = prod((f for f in others if f not in taken), start=Integer(1))
            for term in inner.args if taken else ():
                value = rest * (inner - term) + rest * prod(taken, start=term)
                factor = prod(taken, start=Integer(1))
                text = f"only {term} has the factor {factor}; ({inner}) is meant"
                yield value, text
                besides = rest * prod(taken, start=inner - term) + rest * term
                lacks = f"{term} lacks the factor {factor}; ({inner}) is meant"
                yield besides, lacks
                yield besides, lacks, 0, "missing-symbol"


@mistake("operator-precedence")
def bracketed(case: Case) -> Iterator[Proposal]:
    """``a/b*c`` where ``a/(b*c)`` is meant: the claim read with brackets is right."""
    if case.read is None or "/" not in case.text:
        return
    for text in bracketings(case.text):
        try:
            meant = case.read(text)
        except SymcostError:
            continue
        other = Case(meant, case.expected, case.values, text=text)
        numbers = case.number(case.expected), case.number(meant)
        if other.explains(case.expected) or (numbers[0] is not None and numbers[0] == numbers[1]):
            said = f"read from left to right it is another thing; {text.strip()} is meant"
            yield Proposal(None, said, text.strip())
            return


def bracketings(text: str) -> Iterator[str]:
    """The text with brackets around the product behind each slash.

    >>> list(bracketings("n/2*2"))
    ['n/(2*2)']
    """
    factor = r"(?:[\w.^{}\\]+|\([^()]*\))(?:\*\*[\w.]+)?"
    for match in re.finditer(rf"/\s*({factor}(?:\s*(?:\*(?!\*)|·|×|\s)\s*{factor})+)", text):
        yield f"{text[: match.start()]}/({match[1].strip()}){text[match.end() :]}"


@slip(
    "sum-for-product",
    "a sum in place of a product, or the reverse",
    specific=7.8,
    example=Example("2*(S + D)*H", "2*S*D*H"),
)
def sum_and_product(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """A sum for its product; a product of two or of all symbols for their sum."""
    if node.is_Add and len(node.args) <= 3 and not any(a.is_number for a in node.args):
        names = " and ".join(str(arg) for arg in node.args)
        whole: Expr = prod(node.args[1:], start=node.args[0])
        for divisor in (Integer(1), *sorted(node.free_symbols, key=str)):
            yield whole / divisor, f"multiplies where {names} must be added"
    if not node.is_Mul:
        return
    symbols = [arg for arg in node.args if arg.is_Symbol]
    groups = [
        *combinations(symbols[:MAX_FACTORS], 2),
        *([tuple(symbols)] if len(symbols) > 2 else []),
    ]
    for group in groups:
        if case.printed is not None and _far_apart([case.values.get(s) for s in group]):
            continue
        names = " and ".join(str(s) for s in group)
        yield node / prod(group) * Add(*group), f"adds {names}, which must be multiplied"


def _far_apart(sizes: list[object]) -> bool:
    known = [float(str(float(size))) for size in sizes if size]  # type: ignore[arg-type]
    return len(known) < 2 or max(known) > FAR * min(known)


@slip(
    "wrong-sign",
    "a sum where a difference belongs, or the reverse",
    specific=7,
    example=Example("F/C - V/W", "F/C + V/W"),
)
def negated(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """One term of a sum with the other sign."""
    if isinstance(around, Add):
        yield -node, f"{node} has the wrong sign"


@slip(
    "off-by-one",
    "a count is off by one",
    specific=7.0,
    example=Example("V*(N - 1)/W", "V*N/W"),
)
def one_too_many(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """A count with one more or less, a one left out, ``n(n - 1)`` for ``n(n + 1)``."""
    if node.is_Symbol and is_dim(node):
        value = case.values.get(node)
        if value is None or (value.denominator == 1 and 2 < value < COUNTED):
            for step in (1, -1):
                yield node + step, f"{node} {'+' if step > 0 else '-'} 1 in place of {node}"
    if node.is_Add and len(node.args) == 2 and abs(node.args[0]) == 1:
        one, rest = node.args
        yield rest, f"{rest} in place of {node}"
        if isinstance(around, Mul) and rest in _bases(around):
            text = f"{rest - one} in place of {node}: pairs with themselves, or without"
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
def lost_factor(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """A factor that is no symbol, alone, with a symbol or with a symbol and a 2."""
    factors = node.args if node.is_Mul else (node,) if around is None or around.is_Add else ()
    for factor in factors:
        base = factor.as_base_exp()[0]
        if not base.free_symbols or base.is_Symbol or factor == node == case.expected:
            continue
        rest = node / factor
        number = Integer(1) if base.is_Add else log(2)
        yield rest, f"the factor {factor} is left out"
        if base.has(log):
            yield rest * number, f"the factor {factor} is left out"
        for symbol in sorted(base.free_symbols, key=str) if base.is_Add else ():
            up = -1 if factor.as_base_exp()[1].is_negative else 1
            for name, whole in ((f"({base})/{symbol}", rest), (f"2*({base})/{symbol}", rest / 2)):
                yield whole * symbol**up, f"the factor {name} is left out"


@slip(
    "missing-term",
    "a term is left out",
    specific=6.9,
    example=Example("t", "t + hops*l"),
)
def lost_term(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """One term of a sum left out, or several of a formula."""
    if not node.is_Add:
        return
    count = len(node.args)
    most = 1 if case.printed is not None or count > MAX_ARGUMENTS else count - 1
    for size in range(1, most + 1):
        for lost in combinations(node.args, size):
            word = "term" if size == 1 else "terms"
            yield (
                Add(*(a for a in node.args if a not in lost)),
                f"leaves out the {word} {Add(*lost)}",
            )


@slip(
    "rounding-direction",
    "rounded up where it must be rounded down, or the reverse",
    specific=8.4,
    example=Example("ceil(B/8)", "floor(B/8)"),
)
def roundings(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """Rounded up where down is right, the reverse, or not at all."""
    if isinstance(node, ceiling | floor):
        up = isinstance(node, floor)
        swap = ceiling if up else floor
        yield swap(node.args[0]), f"rounds {node.args[0]} {'up' if up else 'down'}"
        yield node.args[0], f"does not round {node.args[0]}"


@slip(
    "max-for-other",
    "another argument of a maximum, a minimum or a sum in its place",
    specific=7.5,
    example=Example("T_m + T_c", "max(T_m, T_c)"),
)
def extrema(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """Another argument of a maximum, the sum or the minimum in its place, or the reverse."""
    if isinstance(node, Maximum | Minimum):
        swap = Minimum if isinstance(node, Maximum) else Maximum
        for arg in node.args:
            yield arg, f"takes only {arg} of {node}"
        yield swap(*node.args), f"takes {swap(*node.args)} in place of {node}"
        yield Add(*node.args), f"takes the sum in place of {node}"
    if node.is_Add and len(node.args) <= 4 and around is None and case.claims_choice:
        for other in (Maximum, Minimum):
            text = f"takes {other(*node.args)} where the sum of both is meant"
            yield other(*node.args), text, AGAINST if case.printed is not None else 0


@slip(
    "log-base",
    "a logarithm to another base",
    specific=7.4,
    example=Example("5N log(N)", "5*N*log2(N)"),
)
def log_base(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """The natural logarithm for that to base 2, or 10."""
    if isinstance(node, log) and node.free_symbols:
        inner = node.args[0]
        yield node * log(2), f"the natural logarithm of {inner} is taken for that to base 2"
        yield node / log(2), f"the logarithm of {inner} to base 2 is taken for the natural one"
        yield node * log(2) / log(10), f"the logarithm of {inner} is to base 10"


@slip(
    "log-for-count",
    "a logarithm in place of its argument, or the reverse",
    specific=7.3,
    example=Example("5N^2", "5*N*log2(N)"),
)
def log_for_count(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """``n`` or ``n - 1`` for ``log2(n)``, and the reverse."""
    if isinstance(node, log) and node.free_symbols:
        inner = node.args[0]
        yield inner * log(2), f"{inner} stands where its logarithm belongs"
        yield (inner - 1) * log(2), f"{inner} - 1 stands where the logarithm belongs"
    counts = node.is_Symbol or (node.is_Add and node - 1 - node.args[1] + 1 == node.args[0] - 0)
    if counts and case.claimed.has(log) and not case.expected.has(log):
        for symbol in node.free_symbols:
            yield log(symbol) / log(2), f"the logarithm of {symbol} stands where {node} belongs"


@slip(
    "complement",
    "a share taken for the rest",
    specific=6.2,
    example=Example("1/(p + (1-p)/s)", "1/(1 - p + p/s)"),
)
def complements(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """``1 - s`` in place of a share ``s``."""
    if node.is_Symbol and _is_share(case, node):
        yield 1 - node, f"takes 1 - {node}, the other part, for {node}"


def _is_share(case: Case, symbol: Symbol) -> bool:
    """Whether a symbol is below 1, or the rest of it, ``1 - p``, is part of the formula."""
    value = case.values.get(symbol)
    if value is not None:
        return 0 < value < 1
    return any({1, -symbol} <= set(each.args) for each in case.expected.atoms(Add))


@slip("missing-factor")
def lost_root(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """A root left out, or put in."""
    if node.is_Pow and isinstance(node.exp, Rational) and not node.exp.is_Integer:
        yield node.base, f"the root of {node.base} is left out"
        yield Pow(node.base, 1 / node.exp), f"{node.base} is squared, not its root taken"
