"""Inequalities in one logarithm or exponential of the unknown, linear in it: solved by inverting.

``log2(p) > 5`` is ``p > 32``; ``exp(-x) < 1/8`` is ``x > log(8)``.
"""

from __future__ import annotations

from fractions import Fraction

from sympy import Expr, Pow, Rational, Symbol, ceiling, exp, expand_log, floor, log

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import Atom, Number, to_rational
from symcost.algebra.signs import Facts, ratio_signs, sign
from symcost.analysis.thresholds.intervals import EVERYTHING, NOTHING, Interval
from symcost.analysis.thresholds.sets import Case
from symcost.errors import UndecidedError

LONG = 10**12  # from here on integers are not factored


def inverted(value: Posynomial, atom: Atom, unknown: Symbol, facts: Facts, strict: bool) -> Case:
    """Where ``a*atom + b`` is positive (or zero, unless ``strict``).

    Raises:
        UndecidedError: not linear in the atom, or a sign is open.
    """
    is_power = isinstance(atom, exp) or (atom.is_Pow and unknown not in atom.base.free_symbols)
    if not (is_power or isinstance(atom, log | ceiling | floor)):
        raise _too_hard(unknown, atom)
    if is_power:  # is positive: it may be multiplied in
        lowest = min(value.coefficients(atom))
        value = value * Posynomial({((atom, -lowest),): 1}) if lowest else value
    parts = value.coefficients(atom)
    power = max(parts)
    slope, rest = parts[power], parts.get(0, Posynomial({}))
    rising = sign(slope, facts)
    is_linear = set(parts) <= {0, power} and (power == 1 or is_power)
    if not (is_linear and rising) or unknown in slope.symbols | rest.symbols:
        raise _too_hard(unknown, atom)
    level = Ratio.of(-rest, slope)
    if isinstance(atom, ceiling | floor):
        return _step_above(level, atom, unknown, rising, strict)
    if isinstance(atom, log):
        return _above(exp(level.to_sympy()), atom.args[0], atom, unknown, rising, strict)
    return _power_above(level, atom, power, unknown, facts, rising, strict)


def _power_above(
    level: Ratio,
    atom: Atom,
    power: Number,
    unknown: Symbol,
    facts: Facts,
    rising: int,
    strict: bool,
) -> Case:
    """``b**u > c`` is ``u > log(c)/log(b)`` for a base above 1, ``u < log(c)/log(b)`` below 1."""
    base, inner = atom.as_base_exp()
    grows = 1 if isinstance(atom, exp) else _growth(base, unknown, atom, facts)
    if inner.could_extract_minus_sign():
        base, inner, grows = 1 / base, -inner, -grows
    if ratio_signs(_monomial(as_ratio(inner), atom, unknown)[0], facts) != {1}:
        raise _too_hard(unknown, atom)
    positive, over = (ratio_signs(each, facts) for each in (level, level - as_ratio(1)))
    if positive <= {-1, 0} or (grows > 0 and over <= {-1, 0}):
        return Case(EVERYTHING if rising > 0 else NOTHING)  # each power is above 0, or above 1
    if grows < 0 and over <= {0, 1}:
        return Case(NOTHING if rising > 0 else EVERYTHING)
    if over != {grows} or positive != {1}:
        raise _too_hard(unknown, atom)
    exponent = to_rational(power) * inner
    level_of = _logarithm(level.to_sympy(), base)
    return _above(level_of, exponent, atom, unknown, rising * grows, strict)


def _growth(base: Expr, unknown: Symbol, atom: Atom, facts: Facts) -> int:
    """1 for a base above 1, -1 for one between 0 and 1."""
    value = as_ratio(base)
    over, positive = (ratio_signs(each, facts) for each in (value - as_ratio(1), value))
    if over == {1} or (over == {-1} and positive == {1}):
        return next(iter(over))
    raise UndecidedError(
        f"cannot solve for {unknown} inside {atom}: it is open whether {base} is between 0 and 1",
        repair=f"assume bounds of {', '.join(sorted(s.name for s in base.free_symbols)) or base}",
    )


def _step_above(level: Ratio, atom: Atom, unknown: Symbol, rising: int, strict: bool) -> Case:
    """``floor(u) > 3`` is ``u >= 4``, ``ceil(u) > 3`` is ``u > 3``; and the contrary of each."""
    number = level.to_sympy()
    if not number.is_Rational:
        raise _too_hard(unknown, atom)
    # the smallest whole number that is above (or at, unless strict) the level; or not below it
    beyond = strict if rising > 0 else not strict
    first = floor(number) + 1 if beyond else ceiling(number)
    end = first if isinstance(atom, floor) else first - 1
    if end <= 0:
        return Case(EVERYTHING if rising > 0 else NOTHING)
    closed = isinstance(atom, floor) == (rising > 0)
    return _above(end, atom.args[0], atom, unknown, rising, strict=not closed)


def _logarithm(level: Expr, base: Expr) -> Expr:
    """``log(8)/log(4)`` is 3/2: equal primes cancel, where the numbers are short."""
    quotient = log(level) / log(base)
    short = base.is_Rational and all(n.p * n.q < LONG for n in quotient.atoms(Rational))
    reduced = expand_log(quotient, factor=True, force=True) if short else quotient
    return reduced if reduced.is_Rational else quotient


def _above(
    level: Expr, inner: Expr, atom: Atom, unknown: Symbol, rising: int, strict: bool
) -> Case:
    """Where a monomial of the unknown is above a level, or below it."""
    coefficient, power = _monomial(as_ratio(inner), atom, unknown)
    if ratio_signs(coefficient) != {1}:
        raise _too_hard(unknown, atom)
    end = Pow(level / coefficient.to_sympy(), to_rational(1 / Fraction(power)))
    if (rising > 0) == (power > 0):
        return Case((Interval(low=end, low_closed=not strict),))
    return Case((Interval(high=end, high_closed=not strict),))


def _monomial(inner: Ratio, atom: Atom, unknown: Symbol) -> tuple[Ratio, Number]:
    parts = inner.num.coefficients(unknown)
    if len(parts) != 1 or unknown in inner.den.symbols:
        raise _too_hard(unknown, atom)
    ((power, coefficient),) = parts.items()
    if unknown in coefficient.symbols:
        raise _too_hard(unknown, atom)
    return Ratio.of(coefficient, inner.den), power


def _too_hard(unknown: Symbol, atom: Atom) -> UndecidedError:
    return UndecidedError(
        f"cannot solve for {unknown} inside {atom}",
        repair=f"replace {atom} by a power or a symbol",
    )
