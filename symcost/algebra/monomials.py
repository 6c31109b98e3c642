"""Monomials: products of powers of atoms, and sums of them as sympy expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import islice
from math import gcd, lcm
from typing import TypeAlias

from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational, Symbol, preorder_traversal

Number: TypeAlias = int | Fraction
Atom: TypeAlias = Expr  # a sympy Symbol, or an opaque positive sympy expression
Monomial: TypeAlias = tuple[tuple[Atom, Number], ...]

LONG = 300  # parts of an expression that is sorted by structure
_SYMPY_ORDER = cmp_to_key(Basic.compare)  # the order of sympy's arguments


def from_number(number: Expr) -> Number:
    """A sympy number as an int or Fraction; a Float is read as the decimal it prints as."""
    rational = number if number.is_Rational else Rational(str(number))
    return tidy(Fraction(int(rational.p), int(rational.q)))


def to_rational(number: Number) -> Rational:
    """An int or Fraction as a sympy number."""
    if isinstance(number, Fraction):
        return Rational(number.numerator, number.denominator)
    return Integer(number)


def power_of(atom: Atom, monomial: Monomial) -> Number:
    """The power of an atom in a monomial."""
    powers: dict[Atom, Number] = dict(monomial)
    return powers.get(atom, 0)  # by hash: sympy is slow to see that symbols differ


@lru_cache(maxsize=65_536)
def name_of(atom: Atom) -> str:
    """An atom as text, by which atoms are sorted."""
    return atom.name if atom.is_Symbol else str(atom)


def written_order(expr: Expr) -> tuple[int, object]:
    """A key that sorts expressions as they print, and long ones, slow to print, after them."""
    parts = islice(preorder_traversal(expr), LONG + 1)
    is_long = sum(1 for _ in parts) > LONG
    return (1, _SYMPY_ORDER(expr)) if is_long else (0, name_of(expr))


def monomial_order(monomial: Monomial) -> tuple[Number, list[tuple[str, Number]]]:
    """A stable order of monomials: highest degree first, then by name."""
    degree = sum(power for _, power in monomial)
    return (-degree, [(_name(item), -item[1]) for item in monomial])


def _name(item: tuple[Atom, Number]) -> str:
    return name_of(item[0])


def tidy(number: Number) -> Number:
    """The number, as an int where it is whole."""
    if type(number) is Fraction and number.denominator == 1:
        return number.numerator
    return number


def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    if not left or not right or _name(left[-1]) < _name(right[0]):
        return left + right
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return of_powers(powers)


def of_powers(powers: Mapping[Atom, Number]) -> Monomial:
    """The monomial of atoms with their powers."""
    return tuple(sorted(((a, tidy(e)) for a, e in powers.items() if e), key=_name))


def is_monomial(expr: Expr) -> bool:
    """Whether an expression is a rational number times powers of symbols: most terms are."""
    return all(
        part.is_Symbol
        or part.is_Rational
        or (part.is_Pow and part.base.is_Symbol and part.exp.is_Rational)
        for part in Mul.make_args(expr)
    )


def read_monomial(expr: Expr, names: Mapping[Symbol, Symbol]) -> dict[Monomial, Number]:
    """Such an expression with its number; none for zero. Symbols are renamed by ``names``."""
    coefficient: Number = 1
    powers: dict[Atom, Number] = {}
    for part in Mul.make_args(expr):
        if part.is_Rational:
            coefficient *= from_number(part)
            continue
        base, power = part.as_base_exp()
        powers[names[base]] = powers.get(names[base], 0) + from_number(power)
    return {of_powers(powers): tidy(coefficient)} if coefficient else {}


def shared_factor(terms: Mapping[Monomial, Number]) -> tuple[Monomial, Number]:
    """The largest monomial, with a number, that divides every term; its sign is the lead's.

    An atom that is missing from a term is in the factor only with a negative power.
    """
    lowest: dict[Atom, Number] = {}
    occurs: Counter[Atom] = Counter()
    for monomial in terms:
        for atom, power in monomial:
            occurs[atom] += 1
            lowest[atom] = min(power, lowest.get(atom, power))
    kept = {a: p for a, p in lowest.items() if p < 0 or occurs[a] == len(terms)}
    numbers = [Fraction(number) for number in terms.values()]
    size = Fraction(gcd(*(n.numerator for n in numbers)), lcm(*(n.denominator for n in numbers)))
    lead = terms[min(terms, key=monomial_order)]
    return of_powers(kept), tidy(size if lead > 0 else -size)


def expression(terms: Mapping[Monomial, Number]) -> Expr:
    """The sum of the terms as sympy would write it.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> expression({((B, 1), (D, 2)): 3, (): 1})
    3*B*D**2 + 1
    """
    if len(terms) < 2 or not all(map(_is_plain, terms)):
        return Add(*(_term(m, c) for m, c in terms.items()))
    # Terms that differ never combine, so sympy's search for equal ones can be left out.
    products = [_term(m, c) for m, c in terms.items() if m]
    products.sort(key=_SYMPY_ORDER)
    constant = [to_rational(terms[()])] if () in terms else []
    return Add._from_args(constant + products, is_commutative=True)


def _is_plain(monomial: Monomial) -> bool:
    """Whether all atoms are symbols; sympy may rewrite a product of anything else."""
    return all(type(atom) is Symbol for atom, _ in monomial)


def _term(monomial: Monomial, coefficient: Number) -> Expr:
    powers = [atom if e == 1 else Pow(atom, to_rational(e)) for atom, e in monomial]
    if not _is_plain(monomial):
        return Mul(to_rational(coefficient), *powers)
    powers.sort(key=_SYMPY_ORDER)
    factor = [] if coefficient == 1 else [to_rational(coefficient)]
    return Mul._from_args(factor + powers, is_commutative=True)
