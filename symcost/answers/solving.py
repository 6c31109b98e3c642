"""What ``symcost solve`` does: one inequality or several, for one symbol."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sympy import Expr, Symbol

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.analysis.assume import assumed
from symcost.analysis.proving import prove
from symcost.analysis.reliance import reliance
from symcost.analysis.thresholds.asking import one_symbol
from symcost.analysis.thresholds.feasible import Feasible, feasible
from symcost.analysis.thresholds.threshold import Threshold, threshold
from symcost.answers import results
from symcost.answers.questions import Asked, question
from symcost.documents.blocks import Document, Words
from symcost.errors import InvalidValueError, UndecidedError
from symcost.files.contents import read_input
from symcost.symbols import canonical

if TYPE_CHECKING:
    from symcost.analysis.thresholds.guarantee import Guarantee


@dataclass(frozen=True, slots=True)
class _Question:
    """The inequalities, the unknown, and what is known beside them."""

    relations: tuple[Relation, ...]
    symbol: Symbol
    values: Mapping[str, object]
    assumptions: tuple[Assumption, ...]
    given: tuple[Assumption, ...]
    said: tuple[Words, ...]
    shown: Expr | None = None  # the product that the unknown was put for
    unit: str = ""

    @property
    def others(self) -> set[Symbol]:
        """The symbols that are neither the unknown nor given."""
        return _symbols(self.relations) - {self.symbol}

    def swapped(self, swap: Mapping[Symbol, Symbol]) -> tuple[Relation, ...]:
        """The inequalities with other symbols."""
        return tuple(r.substitute(swap) for r in self.relations)


def solve(args: Namespace) -> Document:
    """The values of the unknown that satisfy what is asked."""
    asked = _asked(args)
    _check_values(asked)
    answer = _told(asked, _found(asked, asked.relations))
    domain = reliance(
        asked.others, lambda swap: _told(asked, _found(asked, asked.swapped(swap))).blocks()
    )
    extra = results.Extra(asked.said, domain, *_integers(asked, args.integers))
    if isinstance(answer, Feasible):
        if args.given:
            raise InvalidValueError(
                "--given takes one inequality", repair="leave it out, or ask for each by itself"
            )
        proved = (prove(answer, args.timeout),) if args.prove else ()
        return results.feasible(answer, replace(extra, proofs=proved))
    box = _guarantee(asked) if args.given else None
    sure = box if box and not box.guaranteed.is_never else None
    proofs = [prove(each, args.timeout) for each in (answer, sure) if each and args.prove]
    return results.threshold(answer, replace(extra, proofs=tuple(proofs)), box)


def _asked(args: Namespace) -> _Question:
    """The question as it is read; a product such as ``B/X`` is one unknown."""
    text = read_input(args.inequality)
    if any(sign in args.symbol for sign in "*/^"):
        return _about_product(_solvable(question(args, relations=text, expressions=args.symbol)))
    read = _solvable(question(args, relations=text, symbols=args.symbol))
    if len(read.symbols) != 1:
        raise InvalidValueError(
            f"--for names {len(read.symbols) or 'no'} symbols", repair="name one, as in --for B"
        )
    (symbol,) = read.symbols
    told = (read.values, read.assumptions, read.given, read.said)
    return _Question(read.relations, symbol, *told, unit=read.unit(symbol.name))


def _solvable(read: Asked) -> Asked:
    """What is asked, an equation as the two inequalities that together say the same."""
    signs = {each: (">=", "<=") if each.op == "=" else (each.op,) for each in read.relations}
    parts = tuple(replace(each, op=op) for each, ops in signs.items() for op in ops)
    return replace(read, relations=parts)


def _about_product(read: Asked) -> _Question:
    (shown,) = read.expressions
    symbol, swap = one_symbol(shown, _symbols(read.relations))
    for each in swap:
        if each.name in read.values:
            raise InvalidValueError(
                f"{each} has a value, and {shown} is solved for",
                repair=f"leave {each} open, or solve for another symbol",
            )
    if len(read.relations) != 1:
        raise InvalidValueError(
            f"a product such as {shown} is solved for in one inequality",
            repair="ask for each inequality by itself, or for a symbol",
        )
    told = (read.values, read.assumptions, read.given, read.said)
    return _Question(tuple(r.substitute(swap) for r in read.relations), symbol, *told, shown)


def _told(asked: _Question, answer: Threshold | Feasible) -> Threshold | Feasible:
    """The answer with its unit, and named as it was asked for."""
    if isinstance(answer, Feasible):
        return replace(answer, unit=asked.unit)
    return replace(answer, unit=asked.unit, shown=asked.shown)


def _check_values(asked: _Question) -> None:
    """Refuse numbers that contradict what is assumed."""
    given = [each for each in asked.assumptions if not isinstance(each, MuchLess)]
    if not asked.assumptions or not asked.values:
        return
    kinds = {s.name: s for s in _symbols(asked.relations) | {asked.symbol}}
    for name, value in asked.values.items():
        if name in kinds:
            given.append(Equal(kinds[name], exact(value), f"{name} = {value}"))
    assumed(given, [kinds[name] for name in sorted(kinds)])


def _found(asked: _Question, relations: tuple[Relation, ...]) -> Threshold | Feasible:
    """The answer; numbers are put in at the end, or first where symbols leave it open."""
    try:
        return _put_last(asked, relations)
    except UndecidedError:
        put = tuple(_put(asked, each) for each in relations)
        if put == relations:
            raise
        return _put_last(replace(asked, values={}), put)


def _put_last(asked: _Question, relations: tuple[Relation, ...]) -> Threshold | Feasible:
    if len(relations) == 1:
        rule = threshold(relations[0], asked.symbol, asked.assumptions)
        left = {s.name for s in rule.lhs.free_symbols | rule.rhs.free_symbols}
        values = {name: value for name, value in asked.values.items() if name in left}
        return rule.at(values) if values else rule
    answer = feasible(relations, asked.symbol, asked.assumptions)
    rules = answer.constraints.values()
    left = {s.name for r in rules for s in r.lhs.free_symbols | r.rhs.free_symbols}
    values = {name: value for name, value in asked.values.items() if name in left}
    return answer.at(values) if values else answer


def _put(asked: _Question, relation: Relation) -> Relation:
    """The inequality with the given numbers."""
    names = {s.name: s for s in canonical(relation.free_symbols).values()}
    swap = {names[n]: exact(value) for n, value in asked.values.items() if n in names}
    return relation.substitute(swap)


def _guarantee(asked: _Question) -> Guarantee:
    """What suffices in the box, exactly: no limit is taken, whatever is assumed."""
    from symcost.analysis.thresholds.guarantee import guarantee

    (relation,) = asked.relations
    whole = _put(asked, relation)
    given = list(asked.given)
    for each in asked.assumptions:
        if not isinstance(each, MuchLess) and each.free_symbols <= whole.free_symbols:
            given.append(each)
    box = guarantee(whole, asked.symbol, given)
    return replace(box, guaranteed=replace(box.guaranteed, shown=asked.shown))


def _integers(asked: _Question, among: tuple[int, str | None] | None) -> tuple[str, str]:
    """Every integer up to a bound that satisfies all inequalities, and of which integers."""
    if among is None:
        return "", ""
    from symcost.analysis.thresholds.integers import integer_set, ranges_text

    up_to, kind = among
    sides = [side for r in asked.relations for side in (r.lhs, r.rhs)]
    known = assumed(asked.assumptions, sides, (asked.symbol,))
    stretches: list[tuple[int, int]] = [(1, up_to)]
    for each in asked.relations:
        whole = _put(asked, each.map(known.substituted))
        ranges = integer_set(whole, asked.symbol, up_to, kind).ranges
        both = [(max(a, c), min(b, d)) for a, b in stretches for c, d in ranges]
        stretches = [(low, high) for low, high in both if low <= high]
    which = {None: "integers", "even": "even integers", "pow2": "powers of two"}.get(kind)
    said = f"{which} from 1 to {up_to}" if which else f"divisors of {up_to}"
    return ranges_text(stretches, 2 if kind == "even" else 1), said


def _symbols(relations: tuple[Relation, ...]) -> set[Symbol]:
    symbols = {s for each in relations for s in each.free_symbols}
    return set(canonical(symbols).values())
