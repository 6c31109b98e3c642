"""What ``symcost solve`` does: one inequality or several, for one symbol."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sympy import Symbol

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.analysis.assume import assumed
from symcost.analysis.reliance import reliance
from symcost.analysis.thresholds.feasible import Feasible, feasible
from symcost.analysis.thresholds.threshold import Threshold, threshold
from symcost.answers import results
from symcost.documents.blocks import Document
from symcost.errors import InvalidValueError, SymcostError, UndecidedError
from symcost.files import read_input
from symcost.notation.formulas import read_chain, read_relation
from symcost.notation.kinds import is_rate_name, rates_among
from symcost.notation.limits import relocated
from symcost.notation.numbers import read_numbers
from symcost.notation.relations import pieces
from symcost.printing.text import relation_text
from symcost.symbols import canonical, dim, is_dim, rate

if TYPE_CHECKING:
    from symcost.analysis.thresholds.guarantee import Guarantee


@dataclass(frozen=True, slots=True)
class _Question:
    """The inequalities, the unknown, and what is known beside them."""

    relations: tuple[Relation, ...]
    symbol: Symbol
    values: Mapping[str, Any]
    assume: str | None
    notes: tuple[str, ...]

    @property
    def others(self) -> set[Symbol]:
        """The symbols that are neither the unknown nor given."""
        return _symbols(self.relations) - {self.symbol}

    def swapped(self, swap: Mapping[Symbol, Symbol]) -> tuple[Relation, ...]:
        """The inequalities with other symbols."""
        return tuple(
            Relation(r.lhs.xreplace(swap), r.op, r.rhs.xreplace(swap)) for r in self.relations
        )


def solve(args: Namespace) -> Document:
    """The values of the unknown that satisfy what is asked."""
    asked = _question(args)
    _check_values(asked)
    found = _found(asked, asked.relations)
    domain = reliance(asked.others, lambda swap: _shown(_found(asked, asked.swapped(swap))))
    extra = results.Extra(asked.notes, domain, _integers(asked, args.integers), args.integers)
    if isinstance(found, Feasible):
        if args.given:
            raise InvalidValueError(
                "--given takes one inequality", repair="leave it out, or ask for each by itself"
            )
        proved = (found.prove(args.timeout),) if args.prove else ()
        return results.feasible(found, replace(extra, proofs=proved))
    box = _guarantee(asked, args.given) if args.given else None
    sure = box if box and not box.guaranteed.is_never else None
    proofs = [each.prove(args.timeout) for each in (found, sure) if each and args.prove]
    return results.threshold(found, replace(extra, proofs=tuple(proofs)), box)


def _shown(found: Threshold | Feasible) -> str:
    """The answer alone, for a comparison."""
    return found.to_text()


def _question(args: Namespace) -> _Question:
    values = read_numbers(args.where, formulas=True) if args.where else {}
    text = read_input(args.inequality)
    declared = [*values, args.symbol]
    rates = [name for name in declared if is_rate_name(name)]
    names = {s.name for s in _symbols(_relations(text, declared, rates)[0])}
    rates = list(rates_among({*names, args.symbol}, values, args.assume))
    relations, notes = _relations(text, declared, rates)
    named = {s.name: s for s in _symbols(relations)}
    strange = sorted(set(values) - set(named))
    if strange:
        raise InvalidValueError(
            f"--where gives {', '.join(strange)}, which does not occur",
            repair=f"the symbols are {', '.join(sorted(named))}",
        )
    make = rate if args.symbol in rates else dim
    symbol = named.get(args.symbol) or make(args.symbol)
    return _Question(relations, symbol, values, args.assume, notes)


def _relations(
    text: str, declared: list[str], rates: list[str]
) -> tuple[tuple[Relation, ...], tuple[str, ...]]:
    """The inequalities of a text, two of them in ``1 < x < 5``, and how it was read."""
    found: list[Relation] = []
    notes: list[str] = []
    for piece, offset in pieces(text) if text.strip() else [(text, 0)]:
        try:
            chain = read_chain(piece, declared, rates)
            if not chain.ops or not {*chain.ops} <= {"<", "<=", ">", ">="}:
                found.append(read_relation(piece, declared, rates))
                continue
        except SymcostError as error:
            raise (relocated(error, text, offset) if error.place else error) from None
        notes += chain.notes
        found += map(Relation, chain.sides, chain.ops, chain.sides[1:])
    return tuple(found), tuple(dict.fromkeys(notes))


def _check_values(asked: _Question) -> None:
    """Refuse numbers that contradict what is assumed."""
    if not asked.assume or not asked.values:
        return
    from symcost.notation.assumptions import read_assumptions

    kinds = {s.name: s for s in _symbols(asked.relations) | {asked.symbol}}
    rates = [name for name, symbol in kinds.items() if not is_dim(symbol)]
    given: list[Assumption] = [
        each
        for each in read_assumptions(asked.assume, kinds, rates)
        if not isinstance(each, MuchLess)
    ]
    for name, value in asked.values.items():
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
        rule = threshold(relations[0], asked.symbol, asked.assume)
        left = {s.name for s in rule.lhs.free_symbols | rule.rhs.free_symbols}
        values = {name: value for name, value in asked.values.items() if name in left}
        return rule.at(values) if values else rule
    named = {relation_text(r.lhs, r.op, r.rhs): r for r in relations}
    found = feasible(named, asked.symbol, asked.assume)
    rules = found.constraints.values()
    left = {s.name for r in rules for s in r.lhs.free_symbols | r.rhs.free_symbols}
    values = {name: value for name, value in asked.values.items() if name in left}
    return found.at(values) if values else found


def _put(asked: _Question, relation: Relation) -> Relation:
    """The inequality with the given numbers."""
    names = {s.name: s for s in canonical(relation.free_symbols).values()}
    swap = {names[n]: exact(value) for n, value in asked.values.items() if n in names}
    return Relation(relation.lhs.xreplace(swap), relation.op, relation.rhs.xreplace(swap))


def _guarantee(asked: _Question, box: str) -> Guarantee:
    """What suffices in the box, exactly: no limit is taken, whatever is assumed."""
    from symcost.analysis.thresholds.guarantee import guarantee
    from symcost.notation.assumptions import read_assumptions

    (relation,) = asked.relations
    whole = _put(asked, relation)
    names = {s.name for s in whole.free_symbols}
    rates = [s.name for s in whole.free_symbols if not is_dim(s)]
    given = list(read_assumptions(box, names, rates))
    for each in read_assumptions(asked.assume, names, rates) if asked.assume else ():
        if not isinstance(each, MuchLess) and {s.name for s in each.free_symbols} <= names:
            given.append(each)
    return guarantee(whole, asked.symbol, given)


def _integers(asked: _Question, up_to: int | None) -> str:
    """Every integer up to a bound that satisfies all inequalities."""
    if up_to is None:
        return ""
    from symcost.analysis.thresholds.integers import integer_set

    sides = [side for r in asked.relations for side in (r.lhs, r.rhs)]
    known = assumed(asked.assume, sides, (asked.symbol,))
    found: list[tuple[int, int]] = [(1, up_to)]
    for each in asked.relations:
        left, right = (known.substituted(side) for side in (each.lhs, each.rhs))
        whole = _put(asked, Relation(left, each.op, right))
        ranges = integer_set(whole, asked.symbol, up_to).ranges
        both = [(max(a, c), min(b, d)) for a, b in found for c, d in ranges]
        found = [(low, high) for low, high in both if low <= high]
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in found) or "none"


def _symbols(relations: tuple[Relation, ...]) -> set[Symbol]:
    found = {s for each in relations for s in each.free_symbols}
    return set(canonical(found).values())
