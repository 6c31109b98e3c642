"""Signs of rational combinations of logarithms, decided exactly.

In logarithms a monomial is linear, but ``log(6)`` is irrational. Such constants are kept as
integer vectors over the logarithms of pairwise coprime integers. Those are independent over
the rationals, so a combination is zero only if its vector is; the sign of any other is found
from integer bounds of the logarithms that are made finer until they decide.

Source: E. Bach, J. Driscoll, J. Shallit, Factor refinement, Journal of Algorithms 15 (1993).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from operator import mul

FIRST_BITS = 64


@dataclass(frozen=True, slots=True)
class LogBase:
    """Pairwise coprime integers above 1, of whose powers some rational numbers are products.

    >>> base = LogBase.of([Fraction(24), Fraction(4)])
    >>> base.sign(base.vector(Fraction(1, 6))), base.sign([0] * len(base.integers))
    (-1, 0)
    """

    integers: tuple[int, ...]

    @staticmethod
    def of(numbers: Iterable[Fraction]) -> LogBase:
        """A base for the given positive numbers; it is never empty."""
        base: list[int] = [2]
        for number in numbers:
            _refine(base, number.numerator)
            _refine(base, number.denominator)
        return LogBase(tuple(sorted(base)))

    def vector(self, number: Fraction) -> list[int]:
        """The exponents of a positive number over the base."""
        return [
            _multiplicity(number.numerator, b) - _multiplicity(number.denominator, b)
            for b in self.integers
        ]

    def sign(self, vector: Sequence[int]) -> int:
        """The sign of the sum of ``vector[i] * log(integers[i])``."""
        if not any(vector):
            return 0
        bits = FIRST_BITS
        while True:
            total = sum(map(mul, vector, _fixed_logs(self.integers, bits)))
            if abs(total) > 2 * sum(map(abs, vector)):
                return 1 if total > 0 else -1
            bits *= 2

    def sign_of_fractions(self, vector: Sequence[Fraction]) -> int:
        """The sign of a combination with rational coefficients."""
        common = lcm(*(value.denominator for value in vector))
        return self.sign([int(value * common) for value in vector])


def _refine(base: list[int], number: int) -> None:
    """Add a number to a coprime base, splitting by greatest common divisors."""
    waiting = [number]
    while waiting:
        new = waiting.pop()
        if new == 1:
            continue
        for old in base:
            shared = gcd(new, old)
            if shared > 1:
                base.remove(old)
                waiting += [shared, new // shared, old // shared]
                break
        else:
            base.append(new)


def _multiplicity(number: int, divisor: int) -> int:
    count = 0
    while number % divisor == 0:
        number //= divisor
        count += 1
    return count


@lru_cache(maxsize=256)
def _fixed_logs(numbers: tuple[int, ...], bits: int) -> tuple[int, ...]:
    return tuple(_fixed_log(number, bits) for number in numbers)


def _fixed_log(number: int, bits: int) -> int:
    """``log(number) * 2**bits``, at most 2 away from the exact value.

    Python's decimal logarithm is correctly rounded, in any precision.
    """
    digits = bits * 302 // 1000 + len(str(number.bit_length())) + 20
    context = Context(prec=digits, Emax=MAX_EMAX)
    return int(context.multiply(context.ln(Decimal(number)), Decimal(2**bits)))
