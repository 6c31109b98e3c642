"""Equalities made into one substitution, in which no symbol that is replaced stands again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sympy import Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.assumptions import Equal
from symcost.algebra.exact import exact
from symcost.algebra.ratio import normalized
from symcost.algebra.signs import possible_signs
from symcost.errors import AssumptionError
from symcost.symbols import is_dim


def closed(equal: Sequence[Equal]) -> tuple[Equal, ...]:
    """The same equalities, each solved for one symbol and put into the others.

    >>> from symcost.symbols import dims
    >>> D, F = dims("D F")
    >>> [(e.symbol, e.expr) for e in closed([Equal(F, 4 * D), Equal(F, as_ratio(8).to_sympy())])]
    [(F, 8), (D, 2)]

    Raises:
        AssumptionError: they contradict each other, or cannot be solved one by one.
    """
    solved: dict[Symbol, Ratio] = {}
    texts: dict[Symbol, str] = {}
    for index, each in enumerate(equal):
        said = _involved(equal[: index + 1])
        left, right = (as_ratio(side).substitute({**solved}) for side in (each.symbol, each.expr))
        if left == right:
            continue
        symbol, value = _solved(left, right, said)
        solved = {s: v.substitute({symbol: value}) for s, v in solved.items()} | {symbol: value}
        texts[symbol] = each.text
        for s, v in solved.items():
            _check_value(s, v, said)
    return tuple(Equal(s, v.to_sympy(), texts[s]) for s, v in solved.items())


def put_in(value: object, equal: Iterable[Equal]) -> Ratio:
    """A value with closed equalities put in."""
    if isinstance(value, Posynomial | Ratio):
        value = value.to_sympy()
    return as_ratio(exact(value).xreplace({each.symbol: each.expr for each in equal}))


def texts_about(symbols: Iterable[Symbol], equal: Sequence[Equal]) -> tuple[str, ...]:
    """The texts of the equalities that tell something of the symbols, directly or not."""
    known, texts = {*symbols}, dict[str, None]()
    for _ in equal:
        for each in equal:
            if known & each.free_symbols:
                known |= each.free_symbols
                texts[each.text] = None
    return tuple(texts)


def _involved(equal: Sequence[Equal]) -> str:
    return " and ".join(texts_about(equal[-1].free_symbols, equal))


def _solved(left: Ratio, right: Ratio, said: str) -> tuple[Symbol, Ratio]:
    """One symbol of ``left = right`` and what it equals; the left side if that is a symbol."""
    for one, other in ((left, right), (right, left)):
        symbol = _only_symbol(one)
        if symbol is not None and symbol not in other.atoms:
            return symbol, other
    difference = normalized((left - right).num)
    if len(possible_signs(difference)) == 1:
        raise _contradiction(said)
    for symbol in sorted(difference.symbols, key=lambda s: s.name):
        parts = difference.coefficients(symbol)
        inside = any(symbol in a.free_symbols for a in difference.atoms if a != symbol)
        if set(parts) == {0, 1} and not inside:
            return symbol, Ratio.of(-parts[0], parts[1])
    raise AssumptionError(
        f"{said} cannot be solved together", repair="give each symbol by others, as in F = 4*D"
    )


def _only_symbol(value: Ratio) -> Symbol | None:
    (*atoms,) = value.atoms
    alone = len(atoms) == 1 and atoms[0].is_Symbol and value == as_ratio(atoms[0])
    return atoms[0] if alone else None


def _check_value(symbol: Symbol, value: Ratio, said: str) -> None:
    if 1 not in possible_signs(value.num * value.den):
        raise _contradiction(said)
    number = value.to_sympy()
    if is_dim(symbol) and number.is_Rational and not number.is_Integer:
        raise AssumptionError(
            f"{symbol} = {number} is no whole number, by {said}", repair="leave one of them out"
        )


def _contradiction(said: str) -> AssumptionError:
    if " and " not in said:
        return AssumptionError(f"{said} cannot hold", repair="leave it out")
    return AssumptionError(f"{said} contradict each other", repair="leave one of them out")
