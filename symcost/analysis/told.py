"""Values in answers: with their units, and roots of polynomials in words or by short names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sympy import Expr, Symbol

from symcost.algebra import as_ratio
from symcost.algebra.roots import ROOTS, PositiveRoot, real_roots
from symcost.documents.blocks import Inline, Math, Quantity, Told, Value, Words, joined, words


class Units(NamedTuple):
    """The unit of a formula's value, and those of its symbols by name, as far as they are known.

    ``names`` says of parts of the formula what it means that they are the largest.
    """

    whole: str = ""
    symbols: Mapping[str, str] = {}
    names: Mapping[Expr, str] = {}

    def named(self, value: Expr) -> Words:
        """A part of the formula, and what it means that it is the largest."""
        name = self.name(value)
        return words(Math(self.amount(value)), f" ({name})" if name else "")

    def name(self, value: Expr) -> str:
        """What it means that a part of the formula is the largest, where that is known."""
        same = as_ratio(value) if self.names else None
        return next((name for part, name in self.names.items() if as_ratio(part) == same), "")

    def amount(self, value: Expr) -> Value:
        """A value of the formula."""
        return self._measured(value, self.whole)

    def of(self, symbol: Symbol, value: Expr) -> Value:
        """A value of a symbol."""
        return self._measured(value, self.symbols.get(symbol.name, ""))

    def equation(self, symbol: Symbol, value: Expr, op: str = "=") -> Math:
        """A symbol beside its value or bound."""
        return Math(symbol, ((op, self.of(symbol, value)),))

    def _measured(self, value: Expr, unit: str) -> Value:
        """A number, or a formula beside its unit, unless its symbols bring units of their own."""
        own = not unit or any(self.symbols.get(s.name) for s in value.free_symbols)
        return Quantity(value, unit) if value.is_number or not own else value


NO_UNITS = Units()


def told(value: Expr, symbol: Symbol | None = None, unit: str = "") -> Value:
    """A value, or a bound of a symbol; with roots, in words: "the positive root of x**5 - 9"."""
    roots = _roots([value])
    if not roots:
        return Quantity(value, unit) if value.is_number else value
    rounded: Words = ()
    if value.is_number:
        rounded = words(" (", Quantity(value, unit, beside=False), ")")
    if roots == [value]:
        return Told((*root_words(value, symbol), *rounded), value)
    around = [value] if symbol is None else [value, symbol]
    names, meaning = named_roots(around, symbol)
    return Told(words(value.xreplace(names), *rounded, *meaning), value)


def named_roots(
    values: Iterable[Expr], symbol: Symbol | None = None
) -> tuple[dict[Expr, Symbol], tuple[Inline, ...]]:
    """A short name for each root in some expressions, and what the names mean.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> names, meaning = named_roots([2 * PositiveRoot.of(B**3 + B - D, B)], B)
    >>> names.values(), meaning[0], meaning[2]
    (dict_values([r]), ', where ', ' is ')
    """
    values = list(values)
    roots = _roots(values)
    taken = {s.name for value in values for s in value.free_symbols}
    letter = next(each for each in ("r", "rho", "root") if each not in taken)
    several = len(roots) > 1
    names = {r: Symbol(f"{letter}_{i}" if several else letter) for i, r in enumerate(roots)}
    meaning = [words(name, " is ", *root_words(root, symbol)) for root, name in names.items()]
    return names, words(", where ", *joined(meaning, " and ")) if meaning else ()


def root_words(root: Expr, symbol: Symbol | None = None) -> tuple[Inline, ...]:
    """Which root of which polynomial; its unknown is told where it is not the ``symbol``."""
    if isinstance(root, PositiveRoot):
        polynomial, unknown = root.equation
        which: tuple[Inline, ...] = ("the positive root of ",)
    else:
        unknown = Symbol("x") if symbol is None else symbol
        polynomial = root.poly.as_expr(unknown)
        which = ("the positive root of ",)
        if len(real_roots(polynomial, unknown)) > 1:
            which = words("the root ", Quantity(root, beside=False), " of ")
    return words(*which, polynomial, *(() if unknown == symbol else words(" in ", unknown)))


def _roots(values: Iterable[Expr]) -> list[Expr]:
    roots = {root for value in values for root in value.atoms(*ROOTS)}
    return sorted(roots, key=str)
