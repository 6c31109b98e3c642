"""Posynomials: sums of monomials with exact coefficients, the inner currency of all costs.

A monomial is a product of powers of atoms; an atom is a symbol, or a function such as
``ceiling(B/8)`` that is kept whole. Exponents are exact and may be negative or fractional.
Coefficients carry their sign, so a difference such as ``2*N - 1`` is one as well (the
literature of geometric programming calls that a signomial).

Source: S. Boyd, S.-J. Kim, L. Vandenberghe, A. Hassibi, A tutorial on geometric
programming, Optimization and Engineering 8 (2007), section 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, reduce

from sympy import Expr, Function, Pow, Symbol, exp

from symcost.algebra.exact import exact
from symcost.algebra.monomials import (
    Atom,
    Monomial,
    Number,
    expression,
    from_number,
    is_monomial,
    monomial_order,
    power_of,
    read_monomial,
    shared_factor,
    tidy,
    times,
    to_rational,
)
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import canonical

__all__ = [
    "ONE",
    "ZERO",
    "Atom",
    "Monomial",
    "Number",
    "Posynomial",
    "as_posynomial",
    "from_number",
    "power_of",
    "read",
    "times",
    "to_rational",
]

MAX_TERMS = 20_000  # of a product or power that is expanded


class Posynomial:
    """An immutable sum of monomials; arithmetic with numbers and sympy expressions works.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> p = as_posynomial(2 * B * D) + 3 * B
    >>> p / B
    2*D + 3
    """

    __slots__ = ("_hash", "terms")

    terms: Mapping[Monomial, Number]

    def __init__(self, terms: Mapping[Monomial, Number]) -> None:
        self.terms = terms
        self._hash: int | None = None

    @staticmethod
    def sum(items: Iterable[Posynomial]) -> Posynomial:
        """The sum of many, in one pass."""
        total: dict[Monomial, Number] = {}
        for item in items:
            for monomial, coefficient in item.terms.items():
                total[monomial] = total.get(monomial, 0) + coefficient
        return Posynomial({m: tidy(c) for m, c in total.items() if c})

    @staticmethod
    def product(items: Iterable[Posynomial]) -> Posynomial:
        """The product of many."""
        return reduce(_product, items, ONE)

    # -- arithmetic ---------------------------------------------------------------------

    def __add__(self, other: object) -> Posynomial:
        return Posynomial.sum((self, as_posynomial(other)))

    __radd__ = __add__

    def __neg__(self) -> Posynomial:
        return Posynomial({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: object) -> Posynomial:
        return self + -as_posynomial(other)

    def __rsub__(self, other: object) -> Posynomial:
        return as_posynomial(other) + -self

    def __mul__(self, other: object) -> Posynomial:
        if type(other) is int or type(other) is Fraction:
            return self.scaled(other)
        return _product(self, as_posynomial(other))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Posynomial:
        return self * as_posynomial(other).inverse()

    def __rtruediv__(self, other: object) -> Posynomial:
        return as_posynomial(other) * self.inverse()

    def __pow__(self, exponent: Number) -> Posynomial:
        if exponent < 0:
            return self.inverse() ** -exponent
        if len(self.terms) == 1:
            return self._monomial_power(exponent)
        if exponent != int(exponent):
            return _root(self, Fraction(exponent))
        result = ONE
        for _ in range(int(exponent)):
            result = result * self
        return result

    def scaled(self, factor: Number) -> Posynomial:
        """The posynomial times an exact number."""
        if not factor:
            return ZERO
        return Posynomial({m: tidy(c * factor) for m, c in self.terms.items()})

    def inverse(self) -> Posynomial:
        """One over a monomial; a sum has no inverse among posynomials."""
        if len(self.terms) != 1:
            what = f"the sum {self}" if self.terms else "zero"
            raise UndecidedError(f"cannot divide by {what} exactly")
        ((monomial, coefficient),) = self.terms.items()
        inverted = tuple((atom, -power) for atom, power in monomial)
        return Posynomial({inverted: tidy(Fraction(1) / coefficient)})

    def _monomial_power(self, exponent: Number) -> Posynomial:
        ((monomial, coefficient),) = self.terms.items()
        powers = tuple((atom, tidy(power * exponent)) for atom, power in monomial)
        factor = Pow(to_rational(coefficient), to_rational(exponent))
        rational, surd = factor.as_coeff_Mul()  # such as sqrt(2), which is an atom of its own
        base = as_posynomial(rational)
        if surd != 1:
            base = base * Posynomial({((surd, 1),): 1})
        return base * Posynomial({powers if exponent else (): 1})

    # -- questions ----------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Posynomial):
            return self.terms == other.terms
        if isinstance(other, int | Fraction | Expr):
            return self.terms == as_posynomial(other).terms
        return NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __iter__(self) -> Iterator[Posynomial]:
        """The terms, each a posynomial, in a stable order."""
        for monomial in sorted(self.terms, key=monomial_order):
            yield Posynomial({monomial: self.terms[monomial]})

    def __repr__(self) -> str:
        return str(self.to_sympy())

    @property
    def is_constant(self) -> bool:
        """Whether no symbol occurs."""
        return all(not monomial for monomial in self.terms)

    @property
    def atoms(self) -> frozenset[Atom]:
        """The symbols and opaque functions that occur."""
        return frozenset(atom for monomial in self.terms for atom, _ in monomial)

    @property
    def symbols(self) -> frozenset[Symbol]:
        """The symbols that occur, also inside opaque functions."""
        return frozenset(s for atom in self.atoms for s in atom.free_symbols)

    def as_fraction(self) -> Fraction:
        """The value of a constant."""
        if not self.is_constant:
            raise UndecidedError(f"{self} is no number")
        return Fraction(self.terms.get((), 0))

    def degree(self, atom: Atom) -> Number:
        """The highest power of the atom (0 for the zero posynomial)."""
        return max((power_of(atom, monomial) for monomial in self.terms), default=0)

    def coefficients(self, atom: Atom) -> dict[Number, Posynomial]:
        """The posynomial as a polynomial in one atom: power -> coefficient."""
        parts: dict[Number, dict[Monomial, Number]] = {}
        for monomial, coefficient in self.terms.items():
            rest = tuple(item for item in monomial if item[0] != atom)
            parts.setdefault(power_of(atom, monomial), {})[rest] = coefficient
        return {power: Posynomial(terms) for power, terms in parts.items()}

    def substitute(self, values: Mapping[Atom, Posynomial]) -> Posynomial:
        """Replace atoms; a replacement raised to a negative power must be a monomial."""
        if not values:
            return self
        return Posynomial.sum(_substituted(m, c, values) for m, c in self.terms.items())

    # -- edge ---------------------------------------------------------------------------

    def to_sympy(self) -> Expr:
        """The posynomial as a sympy expression."""
        return expression(self.terms)

    def _sympy_(self) -> Expr:
        return self.to_sympy()


ZERO = Posynomial({})
ONE = Posynomial({(): 1})


def as_posynomial(value: object) -> Posynomial:
    """Read a number, a symbol or a sympy expression as a posynomial.

    >>> from symcost.symbols import dims
    >>> as_posynomial(dims("N") ** 2 / 2).terms
    {((N, 2),): Fraction(1, 2)}

    Args:
        value: an int, Fraction, float (read as the decimal it prints as), sympy expression
            without sums in a denominator, or a posynomial.

    Returns:
        The posynomial; symbols are mapped to ours of the same name.

    Raises:
        InvalidValueError: not an exact finite real number or expression.
        UndecidedError: a sum in a denominator or under a root (see ``as_ratio``).
    """
    if isinstance(value, Posynomial):
        return value
    if isinstance(value, int | Fraction):
        return ONE if value == 1 else Posynomial({(): tidy(value)}) if value else ZERO
    expr = exact(value)
    if expr.is_Symbol:
        return _of_symbol(expr)
    return read(expr, canonical(expr.free_symbols))


@lru_cache(maxsize=4096)
def _of_symbol(symbol: Symbol) -> Posynomial:
    return Posynomial({((canonical([symbol])[symbol], 1),): 1})


def read(expr: Expr, names: Mapping[Symbol, Symbol]) -> Posynomial:
    """Read a sympy expression whose symbols are renamed by ``names``."""
    if expr.is_Add:
        return Posynomial.sum(read(arg, names) for arg in expr.args)
    if is_monomial(expr):
        return Posynomial(read_monomial(expr, names))
    if expr.is_Mul:
        return reduce(_product, (read(arg, names) for arg in expr.args), ONE)
    if expr.is_Number:
        return as_posynomial(from_number(expr))
    if expr.is_Pow and expr.exp.is_Rational:
        return read(expr.base, names) ** from_number(expr.exp)
    if isinstance(expr, exp):
        return _exponential(expr, names)
    return _opaque(expr, names)


def _exponential(expr: Expr, names: Mapping[Symbol, Symbol]) -> Posynomial:
    """``exp`` of a sum is the product of its terms' ``exp``, so that equal ones are equal."""
    try:
        power = read(expr.args[0], names)
    except UndecidedError:  # a quotient of sums is kept whole
        return _opaque(expr, names)
    result: Monomial = ()
    for monomial, coefficient in power.terms.items():
        result = times(result, ((exp(expression({monomial: 1})), coefficient),))
    return Posynomial({result: 1})


def _opaque(expr: Expr, names: Mapping[Symbol, Symbol]) -> Posynomial:
    """A function is an atom of its own, with its symbols renamed and its sign taken positive."""
    if not isinstance(expr, Function) and not (expr.is_Pow or expr.is_NumberSymbol):
        raise InvalidValueError(
            f"{expr} is no cost expression",
            repair="use numbers, symbols, + - * /, powers, max, min, ceiling, floor, log, exp",
        )
    renamed = expr.xreplace({old: new for old, new in names.items() if old != new})
    return Posynomial({((renamed, 1),): 1})


def _root(value: Posynomial, exponent: Fraction) -> Posynomial:
    """A power of a sum: whole powers of it, times a root of it that is an atom of its own.

    What divides the sum is taken out, so that ``sqrt(4*B + 4)`` is ``2*sqrt(B + 1)``.
    """
    whole, rest = divmod(exponent.numerator, exponent.denominator)
    degree = Fraction(1, exponent.denominator)
    monomial, number = shared_factor(value.terms)
    positive = tuple((atom, power) for atom, power in monomial if atom.is_positive)
    factor, _ = Pow(to_rational(max(number, -number)), to_rational(degree)).as_coeff_Mul()
    outside = Posynomial({positive: Fraction(from_number(factor)) ** exponent.denominator})
    atom = Pow((value / outside).to_sympy(), to_rational(degree))
    return value**whole * (outside**degree) ** rest * Posynomial({((atom, rest),): 1})


def _product(left: Posynomial, right: Posynomial) -> Posynomial:
    if left is ONE or right is ONE:
        return right if left is ONE else left
    if len(left.terms) * len(right.terms) > MAX_TERMS:
        raise UndecidedError(
            f"a product of sums with {len(left.terms)} and {len(right.terms)} terms is too large",
            repair="give numbers for some symbols first",
        )
    total: dict[Monomial, Number] = {}
    for m1, c1 in left.terms.items():
        for m2, c2 in right.terms.items():
            monomial = times(m1, m2)
            total[monomial] = total.get(monomial, 0) + c1 * c2
    return Posynomial({m: tidy(c) for m, c in total.items() if c})


def _substituted(
    monomial: Monomial, coefficient: Number, values: Mapping[Atom, Posynomial]
) -> Posynomial:
    kept = tuple(item for item in monomial if item[0] not in values)
    result = Posynomial({kept: coefficient})
    for atom, power in monomial:
        if atom in values:
            result = result * values[atom] ** power
    return result
