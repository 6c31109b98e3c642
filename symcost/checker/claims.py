"""A claim: its sides, the signs between them, and the cases of a claimed set."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from itertools import chain
from typing import Generic, TypeVar

from sympy import Expr, Symbol

from symcost.errors import InvalidValueError
from symcost.notation.units import Dimension, Measure, Printed, read_measure

T = TypeVar("T")
U = TypeVar("U")
EQUALITIES = ("=", "≈")
INEQUALITIES = (">", ">=", "<", "<=")

_A_NAME = re.compile(  # one word, or several with a plain one among them: KV cache size
    r"[A-Za-z][A-Za-z0-9_]*|(?=.*\b[a-z]{3,}\b)[A-Za-z]\w*(?:[ -][A-Za-z]\w*)+"
)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a claim: an expression, and the digits and unit when it is a number.

    ``word`` is the unit behind a formula, as in ``2*B*D bytes``; ``meant_in`` is what the units
    in it make, where that is known.
    """

    text: str
    expr: Expr
    measure: Measure | None = None
    word: str = ""
    meant_in: Dimension = ()

    @property
    def unit(self) -> str:
        """The unit as it stands there."""
        return self.measure.unit if self.measure else self.word

    @property
    def dimension(self) -> Dimension:
        """What the unit measures; nothing where there is none, or only things are counted."""
        if self.measure:
            return self.measure.dimension
        if self.meant_in:
            return self.meant_in
        counted = not self.word.startswith(("FLOP", "byte"))
        return () if counted else read_measure(f"1 {self.word}").dimension

    @property
    def printed(self) -> Printed | None:
        """The number in base units with its digits."""
        return self.measure.printed if self.measure else None


@dataclass(frozen=True, slots=True)
class Branch(Generic[T]):
    """One case of a set: relations, and the conditions under which they are claimed.

    The alternatives are joined by "or", the relations of one by "and": none says never, one
    without relations always. ``otherwise`` marks what holds where no other branch applies.
    """

    alternatives: tuple[tuple[T, ...], ...]
    conditions: tuple[T, ...] = ()
    otherwise: bool = False

    @property
    def relations(self) -> tuple[T, ...]:
        """All of them."""
        return (*chain(*self.alternatives), *self.conditions)

    def map(self, change: Callable[[T], U]) -> Branch[U]:
        """The same case with every relation changed."""
        every = tuple(tuple(map(change, together)) for together in self.alternatives)
        return Branch(every, tuple(map(change, self.conditions)), self.otherwise)


@dataclass(frozen=True, slots=True)
class Claim:
    """The sides of a claim and the signs between them; ``word`` is "never" or "always".

    ``branches`` are the cases of a claimed set, ``B > 3*D if D > 4; otherwise never``, of which
    the sides are the first relation.
    """

    text: str
    sides: tuple[Side, ...]
    signs: tuple[str, ...] = ()
    word: str = ""
    branches: tuple[Branch[Claim], ...] = ()

    @property
    def is_chain(self) -> bool:
        """Whether it says that things are equal."""
        return bool(self.signs) and all(sign in EQUALITIES for sign in self.signs)

    @property
    def is_rule(self) -> bool:
        """Whether a set of values is claimed: an inequality, always, never."""
        return not self.sides or any(sign in INEQUALITIES for sign in self.signs)

    @property
    def is_inequality(self) -> bool:
        """Whether it is one inequality."""
        return len(self.signs) == 1 and self.signs[0] in INEQUALITIES

    def with_sides(self, change: Callable[[Side], Side]) -> Claim:
        """The claim with every side changed."""
        branches = (branch.map(lambda claim: claim.with_sides(change)) for branch in self.branches)
        return replace(self, sides=tuple(map(change, self.sides)), branches=tuple(branches))

    @property
    def is_bound(self) -> bool:
        """Whether it only says how large something is, "at least 296"."""
        return len(self.sides) == len(self.signs) == 1

    def is_between(self, known: Collection[Symbol]) -> bool:
        """Whether both ends of one unknown are claimed: ``1 < x < 9``."""
        directions = {sign[0] for sign in self.signs}
        return len(directions) == 1 and len(self.sides) == 3 and self.sides[1].expr in known

    def bounding(self, what: Side) -> Claim:
        """The same of something: ``B >= 296``."""
        branches = (branch.map(lambda claim: claim.bounding(what)) for branch in self.branches)
        sides = (what, *self.sides) if self.is_bound else self.sides
        return replace(self, sides=sides, branches=tuple(branches))

    def introduces(self, known: Collection[Symbol]) -> bool:
        """Whether the first side is a name that nothing else has, ``MFU``, ``KV cache size``."""
        if len(self.sides) < 2:
            return False
        first = self.sides[0]
        letters = first.expr.free_symbols
        is_name = first.expr.is_Symbol or _A_NAME.fullmatch(first.text) is not None
        return is_name and bool(letters - set(known))

    @property
    def pairs(self) -> tuple[Claim, ...]:
        """Each inequality of a chain such as ``1 < x < 9`` by itself."""
        return tuple(self._slice(at, at + 1) for at in range(len(self.signs)))

    def parts(self) -> tuple[Claim, Claim, Claim]:
        """The chain before an inequality, the inequality, and the chain after it.

        ``B > C/W = 240`` says that ``B > C/W`` and that ``C/W = 240``.

        Raises:
            InvalidValueError: more than one inequality.
        """
        found = [i for i, sign in enumerate(self.signs) if sign in INEQUALITIES]
        if len(found) != 1 or not set(self.signs) <= {*EQUALITIES, *INEQUALITIES}:
            raise InvalidValueError(
                "a claim has at most one inequality", repair="check them one by one"
            )
        (at,) = found
        return self._slice(0, at), self._slice(at, at + 1), self._slice(at + 1, len(self.signs))

    def _slice(self, first: int, last: int) -> Claim:
        """The part from one side to another, with the signs between."""
        sides, signs = self.sides[first : last + 1], self.signs[first:last]
        texts = [sides[0].text]
        for sign, side in zip(signs, sides[1:], strict=True):
            texts += [sign, side.text]
        return Claim(" ".join(texts), sides, signs)
