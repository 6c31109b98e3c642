"""A quick proof that two sums share no factor: most pairs share none, and a gcd is slow.

A common factor of two polynomials in which ``x`` occurs keeps its degree in ``x`` when the
other variables become numbers modulo a prime, as long as the leading coefficients do not
vanish. So if the images in every shared variable have a constant gcd, there is no such factor.
Source: J. von zur Gathen and J. Gerhard, Modern Computer Algebra, chapter 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from sympy import ZZ
from sympy.polys.galoistools import gf_gcd

from symcost.algebra.posynomial import Atom, Posynomial, power_of

PRIME = 2**31 - 1
HIGHEST = 32  # powers above this are left to the gcd


def surely_coprime(left: Posynomial, right: Posynomial) -> bool:
    """Whether two sums are proved to have no common factor; false when it is not known.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> B, D = map(as_posynomial, dims("B D"))
    >>> surely_coprime(B + D, B + 2 * D), surely_coprime(B * B - D * D, B + D)
    (True, False)

    Args:
        left: a sum with whole coefficients and without negative powers.
        right: another one.
    """
    point = dict(zip(left.atoms | right.atoms, count(2), strict=False))
    for atom in left.atoms & right.atoms:
        images = [_image(part, atom, point) for part in (left, right)]
        if not all(images) or len(gf_gcd(*images, PRIME, ZZ)) != 1:
            return False
    return True


def _image(part: Posynomial, atom: Atom, point: Mapping[Atom, int]) -> list[int]:
    """The coefficients of the powers of the atom, highest first; empty when there is no image."""
    highest = part.degree(atom)
    if highest > HIGHEST:
        return []
    image = [0] * (int(highest) + 1)
    for monomial, coefficient in part.terms.items():
        value = coefficient
        for other, power in monomial:
            if not isinstance(power, int) or not isinstance(coefficient, int):
                return []
            if other != atom:
                value = value * pow(point[other], power, PRIME) % PRIME
        image[-1 - int(power_of(atom, monomial))] += int(value)
    image = [ZZ(value % PRIME) for value in image]
    return image if image[0] else []
