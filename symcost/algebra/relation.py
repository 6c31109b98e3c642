"""Inequalities: as they are written, two sides; and as they are decided, a sign of a posynomial.

sympy would evaluate ``B > 0`` to true; here both sides stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sympy import Expr, Symbol

from symcost.algebra.exact import exact
from symcost.algebra.posynomial import Number, Posynomial
from symcost.algebra.ratio import as_ratio, normalized
from symcost.algebra.reals import compare
from symcost.errors import InvalidValueError

ANY = frozenset({-1, 0, 1})
SIGNS = {  # that the left side less the right side may have
    ">": frozenset({1}),
    ">=": frozenset({0, 1}),
    "=": frozenset({0}),
    "<=": frozenset({-1, 0}),
    "<": frozenset({-1}),
    "!=": frozenset({-1, 1}),
}
_OPERATORS = {signs: op for op, signs in SIGNS.items()}
_TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


@dataclass(frozen=True, slots=True)
class Relation:
    """``lhs op rhs`` with op one of ``>``, ``>=``, ``<``, ``<=``, ``=``, ``!=``, ``≈``.

    ``text`` is how it was typed, for messages, and ``divisors`` are what the typed sides divide
    by, even if that has cancelled; neither tells relations apart.

    >>> from symcost.symbols import dims
    >>> Relation(dims("B"), ">", dims("B") - 1)
    B > B - 1
    """

    lhs: Expr
    op: str
    rhs: Expr
    text: str = field(default="", compare=False)
    divisors: tuple[Expr, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for side in ("lhs", "rhs"):
            value = getattr(self, side)
            if not isinstance(value, Expr | Posynomial):  # a Fraction, an int of numpy
                object.__setattr__(self, side, exact(value))

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The symbols of both sides."""
        return frozenset(self.lhs.free_symbols | self.rhs.free_symbols)

    @property
    def sides(self) -> tuple[Expr, str, Expr]:
        """Left side, sign and right side."""
        return self.lhs, self.op, self.rhs

    @property
    def signs(self) -> frozenset[int]:
        """The signs that ``lhs - rhs`` has where it holds."""
        if self.op not in SIGNS:
            raise InvalidValueError(f"{self.op} says nothing exact", repair="use =, < or >")
        return SIGNS[self.op]

    @property
    def is_strict(self) -> bool:
        """Whether it fails where both sides are equal."""
        return 0 not in self.signs

    def negated(self) -> Relation:
        """What holds exactly where this does not.

        >>> from symcost.symbols import dims
        >>> Relation(dims("B"), ">", dims("D")).negated()
        B <= D
        """
        return Relation(self.lhs, _OPERATORS[ANY - self.signs], self.rhs, divisors=self.divisors)

    def upward(self) -> Relation:
        """The same with the larger side on the left: ``B < D`` as ``D > B``."""
        if self.op[0] != "<":
            return self
        return Relation(self.rhs, _TURNED[self.op], self.lhs, self.text, self.divisors)

    def substitute(self, values: Mapping[Symbol, Expr]) -> Relation:
        """The relation with symbols replaced on both sides."""
        swap = dict(values)
        return self.map(lambda side: side.xreplace(swap))

    def map(self, change: Callable[[Expr], Expr]) -> Relation:
        """The relation with both sides, and what they divide by, changed."""
        left, right, *below = map(change, (self.lhs, self.rhs, *self.divisors))
        return Relation(left, self.op, right, self.text, tuple(below))

    def holds(self, values: Mapping[Symbol, Expr] | None = None) -> bool:
        """Whether it holds at exact numbers.

        >>> from sympy import sqrt
        >>> from symcost.symbols import dims
        >>> Relation(dims("B"), ">", sqrt(dims("D"))).holds({dims("B"): 3, dims("D"): 8})
        True

        Raises:
            UndecidedError: a side is no real number, or the two cannot be told apart.
        """
        there = self.substitute(values or {})
        return compare(there.lhs, there.rhs) in self.signs

    def condition(self) -> Condition:
        """The sign of a posynomial that says the same for all positive symbols.

        >>> from symcost.symbols import dims
        >>> B, D = dims("B D")
        >>> Relation(B / D, "<", 1 - 1 / D).condition()
        B - D + 1 < 0
        """
        gap = as_ratio(self.lhs) - as_ratio(self.rhs)
        return Condition(normalized(gap.num * gap.den), self.signs)

    def __repr__(self) -> str:
        return f"{self.lhs} {self.op} {self.rhs}"


@dataclass(frozen=True, slots=True, repr=False)
class Condition:
    """A relation to zero: a posynomial whose sign is one of ``signs``, some of -1, 0, 1."""

    value: Posynomial
    signs: frozenset[int]

    @property
    def op(self) -> str:
        """How the value compares with zero."""
        return _OPERATORS[self.signs]

    @property
    def is_strict(self) -> bool:
        """Whether it fails where the value is zero."""
        return 0 not in self.signs

    def sides(self) -> tuple[Posynomial, Posynomial]:
        """The positive terms and the negated negative terms: ``sides[0] op sides[1]``."""
        positive = {m: c for m, c in self.value.terms.items() if c > 0}
        negative = {m: -c for m, c in self.value.terms.items() if c < 0}
        return Posynomial(positive), Posynomial(negative)

    def relation(self) -> Relation:
        """The same with two sides, the positive terms on the left."""
        left, right = self.sides()
        return Relation(left.to_sympy(), self.op, right.to_sympy())

    def negated(self) -> Condition:
        """What holds exactly where this does not."""
        return Condition(self.value, ANY - self.signs)

    def turned(self) -> Condition:
        """The same said of the negated value."""
        return Condition(-self.value, frozenset(-sign for sign in self.signs))

    def upward(self) -> tuple[Condition, ...]:
        """What it says in terms of ``> 0`` and ``>= 0``; nothing for ``!=``."""
        if self.signs == {0}:
            above = Condition(self.value, SIGNS[">="])
            return above, Condition(-self.value, SIGNS[">="])
        if self.signs <= {0, 1}:
            return (self,)
        return (self.turned(),) if self.signs <= {0, -1} else ()

    def holds(self, value: Number) -> bool:
        """Whether it holds where its posynomial takes this value."""
        return ((value > 0) - (value < 0)) in self.signs

    def __repr__(self) -> str:
        return f"{self.value} {self.op} 0"
