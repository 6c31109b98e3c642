"""Everything that is asked of a program on a chip, answered together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sympy import Expr, Symbol

from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.analysis.assume import assumed
from symcost.analysis.limit import Approximation, limit
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.thresholds.threshold import Threshold, threshold
from symcost.errors import InvalidValueError
from symcost.hardware import Chip, symbolic_chip
from symcost.hardware import chip as find_chip
from symcost.model.graph import ComputationGraph
from symcost.model.ledger import Ledger
from symcost.model.programs import as_graph
from symcost.symbols import by_name, is_dim

if TYPE_CHECKING:
    from symcost.analysis.proof.proof import Proof
    from symcost.analysis.thresholds.guarantee import Guarantee


@dataclass(frozen=True, slots=True)
class ChannelAnswer:
    """What is known of one channel: its intensity, the limit, the thresholds, exact and limit."""

    channel: str
    intensity: Expr
    critical: Expr
    limit: Approximation | None = None
    exact_rule: Threshold | None = None
    limit_rule: Threshold | None = None
    guarantee: Guarantee | None = None
    proofs: tuple[Proof, ...] = ()

    @property
    def rules(self) -> tuple[Threshold, ...]:
        """The thresholds there are, the limit form first."""
        return tuple(rule for rule in (self.limit_rule, self.exact_rule) if rule is not None)


@dataclass(frozen=True, slots=True)
class Answer:
    """Costs, times, limits and rules of a program on a chip."""

    graph: ComputationGraph
    ledger: Ledger
    chip: Chip
    roofline: Roofline
    channels: tuple[ChannelAnswer, ...]
    assume: str = ""
    solve_for: Symbol | None = None
    values: Mapping[str, Any] = field(default_factory=dict)


def answer(
    graph: Any,
    chip: Chip | str | None = None,
    *,
    assume: Any = None,
    solve_for: Symbol | str | None = None,
    at: Mapping[Any, Any] | None = None,
    given: Any = None,
    prove: float | None = None,
    count: str = "leading",
) -> Answer:
    """Derive costs, intensity, times, the simple form and the rule; see ``symcost.derive``."""
    built = as_graph(graph)
    ledger = built.cost(count)
    found = find_chip(chip) if isinstance(chip, str) else chip or symbolic_chip()
    roof = roofline(ledger, found)
    unknown = _unknown(solve_for, ledger)
    if assume:
        assume = assumed(assume, [entry.amount for entry in ledger.entries])
    channels = tuple(_channel(roof, c, assume, unknown) for c in roof.channels if roof.units)
    if given:
        channels = tuple(_guaranteed(each, given, assume) for each in channels)
    if prove is not None:
        channels = tuple(_proved(each, prove) for each in channels)
    values = _values(at, built, roof)
    text = next((each.limit.assume for each in channels if each.limit), "")
    return Answer(built, ledger, found, roof, channels, text, unknown, values)


def _unknown(solve_for: Symbol | str | None, ledger: Ledger) -> Symbol | None:
    if solve_for is None:
        return None
    name = solve_for if isinstance(solve_for, str) else solve_for.name
    symbols = {s.name: s for entry in ledger.entries for s in entry.amount.free_symbols}
    if name not in symbols:
        raise InvalidValueError(
            f"cannot solve for {name!r}: it is no symbol of the program",
            repair=f"the symbols are {', '.join(sorted(symbols)) or 'none'}",
        )
    return symbols[name]


def _channel(roof: Roofline, channel: str, assume: Any, unknown: Symbol | None) -> ChannelAnswer:
    intensity, critical = roof.intensity(channel), roof.critical_intensity(channel)
    entries = roof.ledger.filtered(lambda e: e.resource.is_compute or e.resource.name == channel)
    simple = limit(intensity, assume, ledger=entries) if assume else None
    if unknown is None:
        return ChannelAnswer(channel, intensity, critical, simple)
    put_in = assume.substituted(intensity) if assume else intensity
    relation = Relation(put_in, ">", critical)
    exact_rule = threshold(relation, unknown)
    limit_rule = _limit_rule(relation, unknown, assume) if assume else None
    return ChannelAnswer(channel, intensity, critical, simple, exact_rule, limit_rule)


def _limit_rule(relation: Relation, unknown: Symbol, assume: Any) -> Threshold | None:
    """The rule under the assumption; there is none when the unknown drops out of the limit."""
    try:
        return threshold(relation, unknown, assume)
    except InvalidValueError:
        return None


def _guaranteed(each: ChannelAnswer, given: Any, assume: Any) -> ChannelAnswer:
    """The rule that suffices in the whole box, beside the exact one."""
    from symcost.analysis.thresholds.guarantee import guarantee

    rule = each.exact_rule
    if rule is None:
        raise InvalidValueError(
            "a guarantee needs a symbol to be solved for", repair="say which, with --solve"
        )
    relation = Relation(rule.lhs, rule.op, rule.rhs)
    return replace(each, guarantee=guarantee(relation, rule.symbol, given, assume))


def _proved(each: ChannelAnswer, timeout: float) -> ChannelAnswer:
    """Proofs of the rules, of what the limit is worth, and of the side on which it errs."""
    from symcost.analysis.thresholds.proof import prove_necessary, prove_sufficient

    proofs = [rule.prove(timeout) for rule in each.rules]
    if each.limit_rule is not None and each.exact_rule is not None:
        pair = (each.limit_rule, each.exact_rule)
        proofs += [prove_necessary(*pair, timeout), prove_sufficient(*pair, timeout)]
    if each.guarantee is not None:
        proofs.append(each.guarantee.prove(timeout))
    if each.limit is not None and each.limit.dropped:
        proofs.append(each.limit.prove(timeout))
    return replace(each, proofs=tuple(proofs))


def _values(at: Any, graph: ComputationGraph, roof: Roofline) -> dict[str, Any]:
    """The numbers by name, each of a symbol of the program and whole if that is a dimension."""
    if at is not None and not isinstance(at, Mapping):
        raise InvalidValueError(f"{at!r} gives no names", repair='write at={"D": 8192}')
    symbols = {s for t in roof.times for s in t.seconds.free_symbols}
    symbols |= {s for tensor in graph.tensors.values() for s in tensor.size.symbols}
    names = {s.name: s for s in symbols}
    values = by_name(at, names, "in the program")
    for name, value in values.items():
        if is_dim(names[name]) and exact(value).is_Rational and not exact(value).is_Integer:
            raise InvalidValueError(
                f"{name} = {value} is no size of a dimension", repair="a size is a whole number"
            )
    return values
