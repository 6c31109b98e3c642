"""Ratios of posynomials in one normal form, so that equal functions are equal objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import lcm

from sympy import QQ, Expr, Mul, Pow, Rational, ring
from sympy.polys.rings import PolyElement, PolyRing

from symcost.algebra.coprime import surely_coprime
from symcost.algebra.exact import exact
from symcost.algebra.monomials import is_monomial, name_of, of_powers, shared_factor
from symcost.algebra.posynomial import (
    ONE,
    ZERO,
    Atom,
    Monomial,
    Number,
    Posynomial,
    as_posynomial,
    from_number,
    power_of,
    read,
    to_rational,
)
from symcost.errors import InvalidValueError
from symcost.symbols import canonical

MAX_GCD_TERMS = 4_000  # terms of numerator times denominator up to which a gcd is sought


@dataclass(frozen=True, slots=True)
class Ratio:
    """``num / den``; ``den`` has no common factor with ``num`` and is primitive.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> as_ratio(2 * B * D * F / (2 * B * D + 2 * D * F + 2 * B * F))
    B*D*F/(B*D + B*F + D*F)
    """

    num: Posynomial
    den: Posynomial = ONE

    @staticmethod
    def of(num: Posynomial, den: Posynomial = ONE) -> Ratio:
        """The quotient in normal form."""
        if not den:
            raise InvalidValueError("division by zero")
        if not num:
            return Ratio(ZERO)
        if den is ONE:
            return Ratio(num)
        if len(den) > 1 and len(num) > 1:
            num, den = _without_common_factor(num, den)
        shared = content(den)
        return Ratio(num / shared, den / shared)

    def __add__(self, other: Ratio) -> Ratio:
        if self.den == other.den:
            return Ratio.of(self.num + other.num, self.den)
        return Ratio.of(self.num * other.den + other.num * self.den, self.den * other.den)

    def __neg__(self) -> Ratio:
        return Ratio(-self.num, self.den)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.num * other.den, self.den * other.num)

    def __pow__(self, exponent: Number) -> Ratio:
        signed = not any(map(_is_plainly_positive, (self.num, self.den)))
        if exponent != int(exponent) and signed:
            root = Pow(self.to_sympy(), Rational(1, Fraction(exponent).denominator))
            return Ratio(Posynomial({((root, Fraction(exponent).numerator),): 1}))
        size = max(exponent, -exponent)
        top, bottom = self.num**size, self.den**size
        return Ratio.of(top, bottom) if exponent >= 0 else Ratio.of(bottom, top)

    def __bool__(self) -> bool:
        return bool(self.num)

    def __repr__(self) -> str:
        return str(self.to_sympy())

    @property
    def is_posynomial(self) -> bool:
        """Whether the denominator is 1."""
        return self.den == ONE

    @property
    def atoms(self) -> frozenset[Atom]:
        """The symbols and opaque functions that occur."""
        return self.num.atoms | self.den.atoms

    def substitute(self, values: dict[Atom, Ratio]) -> Ratio:
        """Replace atoms by ratios."""
        return _replaced(self.num, values) / _replaced(self.den, values)

    def to_sympy(self) -> Expr:
        """The ratio as a sympy expression with integer coefficients in both parts."""
        top, bottom = self.integral()
        return Mul(top.to_sympy(), Pow(bottom.to_sympy(), -1))

    def integral(self) -> tuple[Posynomial, Posynomial]:
        """Numerator and denominator with integer coefficients, minus signs kept below if any."""
        if self.is_posynomial or not self.num:
            return self.num, self.den
        numbers = [Fraction(c) for c in self.num.terms.values()]
        factor = lcm(*(number.denominator for number in numbers))
        if all(number < 0 for number in numbers):
            factor = -factor
        return self.num.scaled(factor), self.den.scaled(factor)

    def _sympy_(self) -> Expr:
        return self.to_sympy()


def as_ratio(value: object) -> Ratio:
    """Read a number, posynomial or sympy expression as a ratio in normal form.

    Args:
        value: an int, Fraction, float, posynomial, ratio, or a sympy expression made of sums,
            products, rational powers and functions that are kept whole.

    Returns:
        The ratio.

    Raises:
        InvalidValueError: not an exact finite real expression.
        UndecidedError: too many terms.
    """
    if isinstance(value, Ratio):
        return value
    if isinstance(value, Posynomial | int | Fraction):
        return Ratio.of(as_posynomial(value))
    return _of_expr(exact(value))


@lru_cache(maxsize=1024)
def _of_expr(expr: Expr) -> Ratio:
    names = canonical(expr.free_symbols)
    ratio = _read(expr, lambda leaf: Ratio.of(read(leaf, names)))
    terms = (item for part in (ratio.num, ratio.den) for m in part.terms for item in m)
    if any(a.is_Pow and a.exp.is_Rational and abs(power * a.exp) >= 1 for a, power in terms):
        return _of_expr(ratio.to_sympy())  # the square of a root is no root
    return ratio


def _is_plainly_positive(part: Posynomial) -> bool:
    return min(part.terms.values(), default=0) > 0 and all(map(is_positive_atom, part.atoms))


def _read(expr: Expr, leaf: Callable[[Expr], Ratio]) -> Ratio:
    if expr.is_Add:
        return _sum([_read(arg, leaf) for arg in expr.args])
    if is_monomial(expr):
        return leaf(expr)
    if expr.is_Mul:
        return reduce(Ratio.__mul__, (_read(arg, leaf) for arg in expr.args))
    if expr.is_Pow and expr.exp.is_Rational and not expr.base.is_Number:
        return _read(expr.base, leaf) ** from_number(expr.exp)
    return leaf(expr)


def _sum(items: list[Ratio]) -> Ratio:
    """Add ratios, first those over one denominator, so that denominators multiply rarely."""
    by_den: dict[Posynomial, list[Posynomial]] = {}
    for item in items:
        by_den.setdefault(item.den, []).append(item.num)
    return reduce(
        Ratio.__add__, (Ratio.of(Posynomial.sum(nums), den) for den, nums in by_den.items())
    )


def _replaced(part: Posynomial, values: dict[Atom, Ratio]) -> Ratio:
    terms = []
    for monomial, coefficient in part.terms.items():
        kept = tuple(item for item in monomial if item[0] not in values)
        factors = [values[atom] ** power for atom, power in monomial if atom in values]
        terms.append(reduce(Ratio.__mul__, factors, Ratio.of(Posynomial({kept: coefficient}))))
    return _sum(terms) if terms else Ratio(ZERO)


def content(part: Posynomial) -> Posynomial:
    """The largest monomial, with a number, that divides every term of a posynomial.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> content(as_posynomial(4 * B * D + 6 * B))
    2*B
    """
    return Posynomial(dict([shared_factor(part.terms)])) if part else ONE


@lru_cache(maxsize=4096)
def normalized(part: Posynomial) -> Posynomial:
    """The posynomial without the positive monomial that divides all its terms."""
    return part / positive_content(part)


def positive_content(part: Posynomial) -> Posynomial:
    """The positive monomial that divides all terms."""
    ((monomial, number),) = content(part).terms.items()
    return Posynomial({tuple(i for i in monomial if is_positive_atom(i[0])): max(number, -number)})


def is_positive_atom(atom: Atom) -> bool:
    """Whether an atom is plainly positive; a logarithm or a floor may be zero or negative."""
    return bool(atom.is_positive)


def without_roots_below(value: Ratio) -> Ratio:
    """The ratio with ``r*q`` for ``(r*q)*r/r``: a root below that divides its coefficient.

    >>> from sympy import sqrt
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> without_roots_below(as_ratio((2 * B - 2 * D) / sqrt(B - D)))
    2*sqrt(B - D)
    """
    for root in sorted((a for a in value.num.atoms if a.is_Pow), key=name_of):
        parts = value.num.coefficients(root)
        turned = Ratio.of(parts.get(-1, ZERO)) / as_ratio(root.base)
        if parts.get(-1) and root.exp == Rational(1, 2) and turned.is_posynomial:
            moved = turned.num * as_posynomial(root)
            kept = value.num - parts[-1] / as_posynomial(root)
            value = Ratio(kept + moved, value.den)
    return value


def over_what_may_be_zero(value: Ratio) -> Ratio:
    """The ratio with ``1/log(D)`` and the like below the fraction bar, and not cancelled.

    >>> from sympy import log
    >>> from symcost.symbols import dims
    >>> D = dims("D")
    >>> over_what_may_be_zero(as_ratio(D / log(D))).den
    log(D)
    """
    lowest: dict[Atom, Number] = {}
    for atom, power in (item for monomial in value.num.terms for item in monomial):
        if power < lowest.get(atom, 0) and not is_positive_atom(atom):
            lowest[atom] = power
    if not lowest:
        return value
    below = Posynomial({of_powers({atom: -power for atom, power in lowest.items()}): 1})
    return Ratio(value.num * below, value.den * below)


def _without_common_factor(num: Posynomial, den: Posynomial) -> tuple[Posynomial, Posynomial]:
    if len(num) * len(den) > MAX_GCD_TERMS or not num.atoms & den.atoms:
        return num, den
    num_content, den_content = content(num), content(den)
    top, bottom = num / num_content, den / den_content
    if surely_coprime(top, bottom):
        return num, den
    to_poly, from_poly = polynomial_ring((top, bottom))
    p, q = to_poly(top), to_poly(bottom)
    shared = p.gcd(q)
    if shared.is_ground:
        return num, den
    p, q = p.exquo(shared), q.exquo(shared)
    return from_poly(p) * num_content, from_poly(q) * den_content


def polynomial_ring(
    parts: Sequence[Posynomial],
) -> tuple[Callable[[Posynomial], PolyElement], Callable[[PolyElement], Posynomial]]:
    """How to turn posynomials without negative powers into sympy's polynomials, and back."""
    atoms = sorted({atom for part in parts for atom in part.atoms}, key=name_of)
    steps = [_step(atom, parts) for atom in atoms]
    polys, *_ = ring([f"x{i}" for i in range(len(atoms))], QQ)
    return (
        lambda part: _to_poly(part, polys, atoms, steps),
        lambda poly: _from_poly(poly, atoms, steps),
    )


def _step(atom: Atom, parts: Sequence[Posynomial]) -> int:
    """The common denominator of an atom's exponents: the polynomial runs in its root."""
    powers = [power_of(atom, monomial) for part in parts for monomial in part.terms]
    return lcm(*(Fraction(power).denominator for power in powers))


def _to_poly(part: Posynomial, polys: PolyRing, atoms: list[Atom], steps: list[int]) -> PolyElement:
    powers = {}
    for monomial, coefficient in part.terms.items():
        exponents = dict(monomial)
        key = tuple(int(exponents.get(a, 0) * s) for a, s in zip(atoms, steps, strict=True))
        powers[key] = QQ(Fraction(coefficient).numerator, Fraction(coefficient).denominator)
    return polys.from_dict(powers)


def _from_poly(poly: PolyElement, atoms: list[Atom], steps: list[int]) -> Posynomial:
    terms: dict[Monomial, Number] = {}
    for key, coefficient in poly.terms():
        powers = zip(atoms, key, steps, strict=True)
        monomial = tuple((atom, Fraction(e, step)) for atom, e, step in powers if e)
        terms[tuple((a, int(e) if e.denominator == 1 else e) for a, e in monomial)] = from_number(
            to_rational(Fraction(int(coefficient.numerator), int(coefficient.denominator)))
        )
    return Posynomial(terms)
