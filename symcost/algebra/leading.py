"""The leading terms of a ratio under an order of growth, with ceilings, maxima and logarithms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sympy import Function, ceiling, floor, log

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio, as_ratio
from symcost.algebra.dominance import Growth, dominates, leading
from symcost.algebra.monomials import Atom, Monomial, from_number, name_of
from symcost.errors import UndecidedError

SLOWER_THAN_ANY_POWER = Fraction(1, 1000)  # log(x) << x**(1/1000), which decides every power met


def leading_ratio(value: Ratio, growth: Growth) -> Ratio:
    """The leading terms of numerator and denominator."""
    tamed = _tamed(value, growth)
    if tamed:
        for part in (value.num, value.den):
            _check_kept(part, tamed, growth)
        value = value.substitute(tamed)
    growth = _with_logarithms(value, growth)
    return Ratio.of(leading(value.num, growth), leading(value.den, growth))


def _tamed(value: Ratio, growth: Growth) -> dict[Atom, Ratio]:
    """What roots, roundings, maxima and minima become when their arguments grow."""
    tamed: dict[Atom, Ratio] = {}
    for atom in value.atoms:
        if isinstance(atom, ceiling | floor):
            inner = leading_ratio(as_ratio(atom.args[0]), growth)
            if _grows(inner, growth):
                tamed[atom] = inner
        elif isinstance(atom, Maximum | Minimum):
            tamed[atom] = _extremum(atom, growth)
        elif atom.is_Pow and atom.base.free_symbols and atom.exp.is_Rational:
            tamed[atom] = leading_ratio(as_ratio(atom.base), growth) ** from_number(atom.exp)
        elif _is_unruly(atom):
            _check_constant(atom, growth)
    return tamed


def _is_unruly(atom: Atom) -> bool:
    """Whether it is an exponential, or a function of which no limit is known, such as a sine."""
    return (isinstance(atom, Function) and not isinstance(atom, log)) or bool(
        atom.is_Pow and atom.exp.free_symbols
    )


def _check_kept(part: Posynomial, tamed: dict[Atom, Ratio], growth: Growth) -> None:
    """Refuse a sum whose leading terms cancel: what is left then, its roots' next terms tell."""
    terms = [Ratio.of(term).substitute(tamed).num for term in part]
    seen = Posynomial({monomial: 1 for term in terms for monomial in term.terms})
    if leading(seen, growth).terms.keys() - Posynomial.sum(terms).terms.keys():
        raise UndecidedError(
            f"the leading terms of {part} cancel", repair="write the difference as a quotient"
        )


def _check_constant(exponential: Atom, growth: Growth) -> None:
    """An exponential of what grows outruns every power, a sine has no limit: neither is taken."""
    moving = exponential.free_symbols & growth.atoms
    if moving:
        names = " and ".join(sorted(symbol.name for symbol in moving))
        raise UndecidedError(
            f"cannot take the limit of {exponential}: the assumption makes {names} grow or shrink",
            repair="give numbers for it, or leave the assumption out",
        )


def _extremum(atom: Atom, growth: Growth) -> Ratio:
    """A maximum or minimum without the arguments that another one leaves far behind."""
    parts = [leading_ratio(as_ratio(arg), growth) for arg in atom.args]
    upwards = isinstance(atom, Maximum)

    def beaten(part: Ratio) -> bool:
        others = (other for other in parts if other is not part)
        return any(_grows(other / part if upwards else part / other, growth) for other in others)

    kept = [part.to_sympy() for part in parts if not beaten(part)]
    return as_ratio(type(atom)(*kept))


def _grows(value: Ratio, growth: Growth) -> bool:
    """Whether the ratio goes to infinity: some term above outgrows every term below."""
    return any(
        all(dominates(top, bottom, growth) for bottom in value.den.terms) for top in value.num.terms
    )


def _with_logarithms(value: Ratio, growth: Growth) -> Growth:
    """A logarithm of something that grows grows too, but slower than any power of it."""
    strict = list(growth.strict)
    for atom in sorted(value.atoms, key=name_of):
        if isinstance(atom, log) and atom.free_symbols:
            inner = leading_ratio(as_ratio(atom.args[0]), growth)
            if _grows(inner, growth) and inner.is_posynomial and len(inner.num) == 1:
                (monomial,) = inner.num.terms
                strict += [(((atom, 1),), str(atom)), (_far_above(monomial, atom), str(atom))]
    return replace(growth, strict=tuple(strict))


def _far_above(monomial: Monomial, logarithm: Atom) -> Monomial:
    return (*((a, power * SLOWER_THAN_ANY_POWER) for a, power in monomial), (logarithm, -1))
