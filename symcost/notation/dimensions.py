"""Which dimension a formula and its symbols have, where its units say so.

Each power of FLOP, byte and second is linear in the unknown powers of the symbols: a sum and a
relation say that two sides are alike, so the dimensions of the symbols solve linear equations.
A plain number is of any dimension, since it may be in base units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple, Protocol

from symcost.errors import NotationError, SymcostError
from symcost.notation.exact import evaluate
from symcost.notation.syntax import Name, Node, Number, Syntax, Unit, leaves
from symcost.notation.unit_table import BASES, Dimension, unit_text
from symcost.symbols import dim

MAX_UNKNOWNS = 200

_Form = dict[str, Fraction]  # powers of "~byte", … and how often each symbol's dimension counts


class _Alike(NamedTuple):
    """Two things that must have the same dimension, and where that is said."""

    difference: _Form
    text: str
    start: int
    end: int


class Dimensions:
    """What is known of the dimensions of symbols; formulas and relations add to it.

    >>> from symcost.notation.formulas import read
    >>> found = Dimensions()
    >>> found.alike(read("V/(450 GB/s)"), read("8 us"))
    >>> found.symbols()
    {'V': (('byte', 1),)}
    """

    def __init__(self, known: Mapping[str, Dimension] | None = None) -> None:
        self._said: list[_Alike] = [
            _Alike({name: Fraction(1), **_powers(each, Fraction(-1))}, name, 0, len(name))
            for name, each in (known or {}).items()
        ]

    def alike(self, left: Spelled, right: Spelled) -> None:
        """Both sides of a relation, as they were parsed."""
        forms = [self.formula(side.syntax, side.text) for side in (left, right)]
        place = right.syntax
        self._equate(forms[0], forms[1], right.text, place.start, place.end)

    def chain(self, sides: Sequence[Sequence[Spelled]]) -> None:
        """Lists of formulas with relation signs between them."""
        for lefts, rights in pairwise(sides):
            for left, right in product(lefts, rights):
                self.alike(left, right)

    def symbols(self) -> dict[str, Dimension]:
        """The dimension of each symbol that is decided; ``()`` for a plain number.

        Raises:
            NotationError: two things are added or compared that differ in dimension.
        """
        rows = self._solved()
        dimensions: dict[str, Dimension] = {}
        for row in rows:
            names = [name for name in row if not name.startswith("~")]
            if len(names) == 1:
                scale = -row[names[0]]
                powers = {k[1:]: v / scale for k, v in row.items() if k.startswith("~")}
                dimension = _dimension(powers)
                if dimension is None:  # V/n + n*t with bytes and seconds: n is no root of a unit
                    raise _differ(next(s for s in self._said if names[0] in s.difference), row)
                dimensions[names[0]] = dimension
        return dimensions

    def _solved(self) -> list[_Form]:
        rows: list[_Form] = []
        names = {n for said in self._said for n in said.difference if not n.startswith("~")}
        if len(names) > MAX_UNKNOWNS:
            return rows
        for said in self._said:
            row = dict(said.difference)
            for other in rows:
                row = _without(row, other, _pivot(other))
            pivot = _pivot(row)
            if not pivot:
                if row:
                    raise _differ(said, row)
                continue
            rows = [_without(other, row, pivot) for other in rows]
            rows.append(row)
        return rows

    def _equate(
        self, left: _Form | None, right: _Form | None, text: str, start: int, end: int
    ) -> None:
        if left is not None and right is not None:
            difference = _plus(left, right, Fraction(-1))
            if difference:
                self._said.append(_Alike(difference, text, start, end))

    def formula(self, syntax: Syntax, text: str) -> _Form | None:
        """The dimension of a part; None for a plain number, which may be anything."""
        if isinstance(syntax, Number):
            return None
        if isinstance(syntax, Unit):
            return _powers(syntax.dimension) or None
        if isinstance(syntax, Name):
            return {syntax.name: Fraction(1)}
        parts = [self.formula(part, text) for part in syntax.parts]
        if syntax.op in ("sum", "max", "min"):
            return self._same(syntax, parts, text)
        if syntax.op == "product":
            return _product(parts)
        if syntax.op in ("minus", "ceil", "floor"):
            return parts[0]
        base = parts[0]
        if syntax.op in ("power", "inverse", "sqrt"):
            exponent = _exponent(syntax)
            if base is None or exponent is None:
                return base if base is None else {}
            return {name: power * exponent for name, power in base.items()}
        return None  # a logarithm or exponential is a plain number

    def _same(self, syntax: Node, parts: list[_Form | None], text: str) -> _Form | None:
        known = [part for part in parts if part is not None]
        for part, inner in zip(syntax.parts, parts, strict=True):
            if inner is not None and inner is not known[0]:
                self._equate(known[0], inner, text, part.start, part.end)
        return known[0] if known else None


class Spelled(Protocol):
    """Plain syntax with the text it came from."""

    @property
    def syntax(self) -> Syntax: ...

    @property
    def text(self) -> str: ...


def dimension_of(syntax: Syntax, known: Mapping[str, Dimension]) -> Dimension | None:
    """The dimension of a formula whose symbols have known ones; None where one has not.

    >>> from symcost.notation.formulas import read
    >>> dimension_of(read("V/(450 GB/s)").syntax, {"V": (("byte", 1),)})
    (('second', 1),)
    """
    form = Dimensions().formula(syntax, "")
    if form is None or any(name not in known for name in form if not name.startswith("~")):
        return None
    total: _Form = {}
    for name, count in form.items():
        inner = _powers(known.get(name, ()))
        total = _plus(total, {name: Fraction(1)} if name.startswith("~") else inner, count)
    return _dimension({name[1:]: power for name, power in total.items()})


def has_units(syntaxes: Iterable[Syntax]) -> bool:
    """Whether a unit with a dimension occurs, so that there is anything to find out."""
    return any(
        isinstance(leaf, Unit) and leaf.dimension for syntax in syntaxes for leaf in leaves(syntax)
    )


def check_sums(syntax: Syntax, text: str) -> None:
    """Refuse ``8 us + 3 GB``.

    Raises:
        NotationError: two things are added that differ in dimension.
    """
    if has_units([syntax]):
        dimensions = Dimensions()
        dimensions.formula(syntax, text)
        dimensions.symbols()


def _differ(said: _Alike, row: _Form) -> NotationError:
    known = {name[1:]: power for name, power in row.items() if name.startswith("~")}
    dimension = _dimension(known)
    shown = unit_text(dimension) if dimension else "powers of units"
    error = NotationError(
        f"the units do not fit: they differ by {shown}",
        repair="add and compare amounts of one kind, as 8 us + 3 ms",
    )
    return error.at(said.text, said.start, max(1, said.end - said.start))


def _exponent(syntax: Node) -> Fraction | None:
    """The power that a part is raised to, where it is a plain number."""
    if syntax.op != "power":
        return Fraction(-1) if syntax.op == "inverse" else Fraction(1, 2)
    return _number(syntax.parts[1])


def _number(syntax: Syntax) -> Fraction | None:
    """The value of plain arithmetic."""
    if any(not isinstance(leaf, Number) for leaf in leaves(syntax)):
        return None
    try:
        value = evaluate(syntax, dim, "")
    except SymcostError:  # told where the formula's own value is found
        return None
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else None


def _product(parts: list[_Form | None]) -> _Form | None:
    total: _Form | None = None
    for part in parts:
        if part is not None:
            total = _plus(total or {}, part, Fraction(1))
    return total


def _plus(left: _Form, right: Mapping[str, Fraction], times: Fraction) -> _Form:
    total = dict(left)
    for name, power in right.items():
        total[name] = total.get(name, Fraction(0)) + times * power
    return {name: power for name, power in total.items() if power}


def _pivot(row: _Form) -> str:
    return next((name for name in row if not name.startswith("~")), "")


def _without(row: _Form, other: _Form, pivot: str) -> _Form:
    return _plus(row, other, -row[pivot] / other[pivot]) if pivot in row else row


def _powers(dimension: Dimension, times: Fraction = Fraction(1)) -> _Form:
    return {f"~{base}": power * times for base, power in dimension}


def _dimension(powers: Mapping[str, Fraction]) -> Dimension | None:
    """Whole powers in order; None where one is not whole."""
    if any(power.denominator != 1 for power in powers.values()):
        return None
    return tuple((base, int(powers[base])) for base in BASES if powers.get(base))
