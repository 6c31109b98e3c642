"""Rounded numbers inside a formula: ``295*D`` for ``19780*D/67``.

Each printed number is taken for an unknown near it. The claim holds after rounding when there
are values that it rounds to the printed ones and with which it is what is derived, exactly;
what one number leaves open is never lent to another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod

from sympy import Expr, Symbol

from symcost.algebra import Maximum, Minimum, Posynomial
from symcost.algebra.posynomial import Monomial, times, to_rational
from symcost.checker.claim_reading import with_kinds
from symcost.checker.equality import ratio_of
from symcost.checker.rounding import agrees
from symcost.checker.values import evaluate
from symcost.errors import SymcostError
from symcost.notation.decimals import Printed, decimal
from symcost.notation.exact import evaluate as evaluate_syntax
from symcost.notation.formulas import read
from symcost.notation.syntax import Name, Node, Number, Syntax, Unit, leaves
from symcost.symbols import dim, rate

MAX_NUMBERS = 8  # printed in one formula
MAX_FACTORS = 3  # of a unit, 365*24*3600
CLOSE = Fraction(1, 100)  # a year has 365 days, or a quarter more

Values = dict[Symbol, Fraction]


@dataclass(frozen=True, slots=True)
class Loosened:
    """A formula whose printed numbers are symbols, with what stands for them."""

    expr: Expr
    numbers: dict[Symbol, Printed]


def literals(text: str, names: Collection[str] = ()) -> tuple[Printed, ...]:
    """The numbers typed in a text, with their digits; exponents are none.

    >>> [str(n.value) for n in literals("295*D^2/3.35e12")]
    ['295', '3350000000000']
    """
    found = loosened(text, names, every=True, most=len(text))
    return () if found is None else tuple(found.numbers.values())


def converts(text: str, names: Collection[str], size: Fraction) -> bool:
    """Whether a product is brought to a unit of this size by numbers in it.

    What only rescales one time does not say in which unit that is.

    >>> [converts(t, "NRs", Fraction(86400)) for t in ("6*N/R/(24*3600)", "s/86400", "6*N/R")]
    [True, False, False]
    """
    least = 2 if size % 60 == 0 else 1
    parts = list(_factors(read(text, names).syntax, text))
    numbers = [value for value in parts if value]
    return any(
        len(parts) - count >= least and min(abs(got / size - 1), abs(got * size - 1)) < CLOSE
        for count in range(1, MAX_FACTORS + 1)
        for got in map(prod, combinations(numbers[:MAX_NUMBERS], count))
    )


def bits_by_eight(text: str, names: Collection[str], unit: str) -> Fraction | None:
    """The 8 by which ``100 Gbps / 8`` is brought to bytes, or ``50 GB/s * 8`` to bits.

    >>> bits_by_eight("100 Gbps / 8", (), "GB/s"), bits_by_eight("100 GB/s / 8", (), "GB/s")
    (Fraction(8, 1), None)
    """
    syntax = read(text, names).syntax
    if not any(isinstance(part, Number) and part.text == "8" for part in leaves(syntax)):
        return None
    counted = {_counts_bits(part.text) for part in leaves(syntax) if isinstance(part, Unit)}
    if counted != {not _counts_bits(unit)}:
        return None
    return Fraction(8) if counted == {True} else Fraction(1, 8)


def _counts_bits(unit: str) -> bool:
    return unit.split("/")[0].strip().endswith(("b", "bit", "bits", "bps"))


def _factors(part: Syntax, text: str) -> Iterator[Fraction | None]:
    """The numbers of a product, powers of numbers included; nothing for each other part."""
    if isinstance(part, Node) and part.op in ("product", "inverse", "minus"):
        for each in part.parts:
            yield from _factors(each, text)
        return
    with suppress(SymcostError):
        value = evaluate_syntax(part, dim, text)
        yield Fraction(int(value.p), int(value.q)) if value.is_Rational else None


def loosened(
    text: str,
    names: Collection[str],
    known: Collection[Fraction] = (),
    like: Collection[Symbol] = (),
    *,
    every: bool = False,
    most: int = MAX_NUMBERS,
) -> Loosened | None:
    """The formula with a symbol for each number that may be rounded, or for every number.

    One may be rounded that has two digits or a decimal point, unless it is one of the inputs.
    ``like`` are the symbols that its names stand for.
    """
    numbers: dict[str, Printed] = {}

    def swapped(part: Syntax) -> Syntax:
        if isinstance(part, Number):
            printed = decimal(part.text)
            may_be = (printed.digits >= 2 or "." in part.text) and printed.value not in known
            if every or may_be:
                name = f"number_{len(numbers)}"
                numbers[name] = printed
                return Name(name, part.start, part.end)
        if isinstance(part, Node):
            base, *others = part.parts
            rest = others if part.op == "power" else map(swapped, others)
            return part._replace(parts=(swapped(base), *rest))
        return part

    try:
        expr = evaluate_syntax(swapped(read(text, names).syntax), dim, text)
    except SymcostError:
        return None
    if not 0 < len(numbers) <= most:
        return None
    ours = {rate(name): printed for name, printed in numbers.items()}
    return Loosened(with_kinds(expr, (*like, *ours)), ours)


def largest_shift(claim: Loosened, expected: Expr) -> Fraction | None:
    """By how much, relatively, a printed number is off at most; ``None`` if no rounding explains.

    Args:
        claim: the formula with symbols for its numbers.
        expected: what is derived, with the same other symbols.

    Returns:
        The largest relative error of a number, all of them within what their digits allow.
    """
    if isinstance(expected, Maximum | Minimum) and claim.expr.func is expected.func:
        return _of_arguments(claim, expected)
    ours, right = ratio_of(claim.expr), ratio_of(expected)
    if ours is None or right is None or not right:
        return None
    equations = _equations(ours.num * right.den - right.num * ours.den, set(claim.numbers))
    if equations is None:
        return None
    values = _solution(equations, claim.numbers, {s: p.value for s, p in claim.numbers.items()}, ())
    if values is None:
        return None
    shifts = [abs(p.value / values[s] - 1) for s, p in claim.numbers.items() if values[s]]
    return max(shifts, default=Fraction(0))


def _of_arguments(claim: Loosened, expected: Expr) -> Fraction | None:
    """The largest shift in the arguments of a choice, each against one that it fits."""
    left, found = list(expected.args), []
    for arg in claim.expr.args:
        part = Loosened(arg, {s: p for s, p in claim.numbers.items() if s in arg.free_symbols})
        shifts = [(largest_shift(part, other), other) for other in left]
        fitting = [(shift, other) for shift, other in shifts if shift is not None]
        if not fitting:
            return None
        shift, other = min(fitting, key=lambda each: each[0])
        found.append(shift)
        left.remove(other)
    return max(found) if not left else None


def _equations(gap: Posynomial, numbers: set[Symbol]) -> list[Posynomial] | None:
    """What must vanish for each product of the other symbols."""
    found: dict[Monomial, Posynomial] = {}
    for monomial, coefficient in gap.terms.items():
        inner: Monomial = ()
        outer: Monomial = ()
        for atom, power in monomial:
            if atom in numbers or not atom.free_symbols:
                inner = times(inner, ((atom, power),))
            elif atom.free_symbols & numbers:
                return None
            else:
                outer = times(outer, ((atom, power),))
        found[outer] = found.get(outer, Posynomial({})) + Posynomial({inner: coefficient})
    return list(found.values())


def _solution(
    equations: list[Posynomial],
    numbers: dict[Symbol, Printed],
    values: Values,
    fixed: tuple[Symbol, ...],
) -> Values | None:
    """Values near the printed ones that satisfy all equations: one number is moved at a time."""
    try:
        open_ = [each for each in equations if not _vanishes(each, values)]
    except (SymcostError, ZeroDivisionError):
        return None
    if not open_:
        return values
    free = [s for s in numbers if s in open_[0].atoms and s not in fixed]
    for symbol in free:
        moved = _root(open_[0], symbol, values)
        if moved is not None and agrees(numbers[symbol], moved, bare=False):
            found = _solution(equations, numbers, {**values, symbol: moved}, (*fixed, symbol))
            if found is not None:
                return found
    alone = [s for s in free if sum(s in each.atoms for each in equations) == 1]
    if len(open_) == 1 and len(alone) > 1 and _crosses(open_[0], alone, numbers, values):
        return values
    return None


def _vanishes(equation: Posynomial, values: Values) -> bool:
    terms = [evaluate(term.to_sympy(), values) for term in equation]
    return abs(sum(terms, Fraction(0))) <= Fraction(1, 10**30) * max(map(abs, terms))


def _root(equation: Posynomial, symbol: Symbol, values: Values) -> Fraction | None:
    """The value of one symbol, the others given, where the equation has it in one power."""
    parts = equation.coefficients(symbol)
    if len(parts) != 2 or 0 not in parts:
        return None
    (power,) = (p for p in parts if p)
    slope, rest = (evaluate(parts[p].to_sympy(), values) for p in (power, 0))
    quotient = -rest / slope if slope else Fraction(0)
    if quotient <= 0:
        return None
    exponent = 1 / Fraction(power)
    if exponent == 1:
        return quotient
    return evaluate(to_rational(quotient) ** to_rational(exponent), {})


def _crosses(
    equation: Posynomial, free: list[Symbol], numbers: dict[Symbol, Printed], values: Values
) -> bool:
    """Whether the equation changes its sign within half a last digit of several numbers."""
    halves = [(s, numbers[s].place / 2) for s in free]
    found = []
    for signs in product((-1, 1), repeat=len(halves)):
        moved = {s: values[s] + sign * half for sign, (s, half) in zip(signs, halves, strict=True)}
        found.append(evaluate(equation.to_sympy(), {**values, **moved}))
    return min(found) <= 0 <= max(found)
