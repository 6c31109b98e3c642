"""Everything that is asked of a program on a chip, answered together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sympy import Add, Expr, Symbol

from symcost.algebra.assumptions import Assumption, Equal
from symcost.algebra.dominance import largest
from symcost.algebra.relation import Relation
from symcost.analysis.assume import NOTHING_ASSUMED, Assumed, assumed
from symcost.analysis.limit import Approximation, limit_of
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.thresholds.asking import one_symbol
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.analysis.values import numbers_for
from symcost.errors import InvalidValueError
from symcost.hardware import Chip, symbolic_chip
from symcost.hardware.placing import placed
from symcost.model.at_sizes import compared_at
from symcost.model.builder import Graph
from symcost.model.data import spelled_splits
from symcost.model.graph import ComputationGraph
from symcost.model.ledger import Ledger
from symcost.model.programs import as_graph
from symcost.notation.border import Assumptions, ASymbol, Values, inputs
from symcost.notation.border import values as read_values
from symcost.notation.tokens import plain_name
from symcost.registry import ReadOnly
from symcost.symbols import rate

Program: TypeAlias = "ComputationGraph | Graph | str"

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
    latency_rule: Threshold | None = None  # when sending takes longer than the hops

    @property
    def rules(self) -> tuple[Threshold, ...]:
        """The thresholds there are, the limit form first."""
        return tuple(rule for rule in (self.limit_rule, self.exact_rule) if rule is not None)


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """When a unit or channel takes longer than every other one, exact and in the limit."""

    name: str
    exact_rule: Threshold
    limit_rule: Threshold | None = None


@dataclass(frozen=True, slots=True)
class Answer(ReadOnly):
    """Costs, times, limits and rules of a program on a chip."""

    graph: ComputationGraph
    ledger: Ledger
    chip: Chip
    roofline: Roofline
    channels: tuple[ChannelAnswer, ...]
    assume: str = ""
    solve_for: Expr | None = None
    values: Mapping[str, Expr] = field(default_factory=dict)
    bottlenecks: tuple[Bottleneck, ...] = ()


def answer(
    graph: Program,
    chip: Chip | str | None = None,
    *,
    assume: Assumptions | None = None,
    solve_for: ASymbol | None = None,
    at: Values | None = None,
    given: Assumptions | None = None,
    prove: float | None = None,
    count: str = "leading",
    serial: bool = False,
    t_hop: Expr | None = None,
) -> Answer:
    """Derive costs, intensity, times, the simple form and the rule; see ``symcost.derive``."""
    built = as_graph(graph)
    if chip is not None:
        built, on = placed(built, chip)
    ledger = built.cost(count)
    on = symbolic_chip(ledger.channels) if chip is None else on
    if t_hop is None and ledger.links:
        t_hop = rate("t_hop") if "t_hop" in _names(solve_for, at, assume, given) else None
    roof = roofline(ledger, on, t_hop=t_hop, serial=serial)
    values = _values(at, built, roof)
    if built.mesh and values:  # the ways are those that send least there
        built = compared_at(built, values)
        ledger = built.cost(count)
        roof = roofline(ledger, on, t_hop=t_hop, serial=serial)
    if solve_for is not None:
        roof = _with_unknown_rate(roof, str(solve_for))
    symbols = sorted(roof.symbols, key=lambda s: s.name)
    asked = inputs(symbols=symbols, assume=assume, given=given)
    names = {} if solve_for is None else _defined(asked.assumptions, str(solve_for), symbols)
    stated = tuple(e for e in asked.assumptions if not (isinstance(e, Equal) and e.symbol in names))
    unknown = None if solve_for is None else _unknown(str(solve_for), roof, names)
    known = assumed(stated, symbols) if stated else None
    channels = tuple(_channel(roof, c, known, unknown) for c in roof.channels if roof.units)
    if asked.given:
        channels = tuple(_guaranteed(each, asked.given, assume) for each in channels)
    if prove is not None:
        channels = tuple(_proved(each, prove) for each in channels)
    return Answer(
        built,
        ledger,
        on,
        roof,
        channels,
        known.text if known else "",
        unknown and unknown.shown,
        values,
        _bottlenecks(roof, unknown, known),
    )


def _names(
    solve_for: ASymbol | None,
    at: Values | None,
    assume: Assumptions | None,
    given: Assumptions | None,
) -> set[str]:
    """The names in what is asked, of which some may be in no formula yet."""
    texts = () if solve_for is None else (str(solve_for),)
    asked = inputs(expressions=texts, values=at, assume=assume, given=given)
    stated = (*asked.expressions, *asked.assumptions, *asked.given)
    return {*asked.values, *(s.name for each in stated for s in each.free_symbols)}


def _with_unknown_rate(roof: Roofline, name: str) -> Roofline:
    """The roofline with a symbol for the rate that is asked for: ``W``, ``C``, ``W_nvlink``."""
    if name in {s.name for s in roof.symbols}:
        return roof
    mains = {"C": roof.units[:1], "W": roof.channels[:1]}
    letter, _, port = name.partition("_")
    ports = (port,) if port else mains.get(letter, ())
    kind = roof.units if letter == "C" else roof.channels
    if letter not in mains or not set(ports) & set(kind):
        return roof
    times = (replace(t, rate=rate(name)) if t.port.name in ports else t for t in roof.times)
    return replace(roof, times=tuple(times))


class Unknown(NamedTuple):
    """What is solved for: a symbol, or one that is put for a product of powers such as B/X."""

    symbol: Symbol
    shown: Expr
    swap: Mapping[Symbol, Expr]


def _defined(
    stated: Iterable[Assumption], name: str, symbols: Iterable[Symbol]
) -> dict[Symbol, Expr]:
    """The symbols of the unknown that the program lacks and an assumption defines, N = X*Y."""
    occurring = {s.name for s in symbols}
    (asked,) = inputs(expressions=(name,)).expressions
    wanted = {s.name for s in asked.free_symbols} - occurring
    return {
        each.symbol: each.expr
        for each in stated
        if isinstance(each, Equal)
        and each.symbol.name in wanted
        and {s.name for s in each.expr.free_symbols} <= occurring
    }


def _unknown(name: str, roof: Roofline, defined: Mapping[Symbol, Expr]) -> Unknown:
    symbols = {s.name: s for s in roof.symbols}
    if any(sign in name for sign in "*/^"):
        known = sorted({*roof.symbols, *defined}, key=str)
        (shown,) = inputs(expressions=(name,), symbols=known).expressions
        symbol, swap = one_symbol(shown.xreplace(dict(defined)), {*roof.symbols})
        return Unknown(symbol, shown, swap)
    name = plain_name(name)
    if name not in symbols:
        raise InvalidValueError(
            f"cannot solve for {name!r}: it is no symbol of the program",
            repair=f"the symbols are {', '.join(sorted(symbols)) or 'none'}",
        )
    return Unknown(symbols[name], symbols[name], {})


def _channel(
    roof: Roofline, channel: str, given: Assumed | None, unknown: Unknown | None
) -> ChannelAnswer:
    intensity, critical = roof.intensity(channel), roof.critical_intensity(channel)
    entries = roof.ledger.filtered(lambda e: e.resource.is_compute or e.resource.name == channel)
    simple = limit_of(intensity, given, entries) if given else None
    if unknown is None:
        return ChannelAnswer(channel, intensity, critical, simple)
    delay = Add(*(each.delay for each in roof.times if each.port.name == channel))
    if not delay:
        rules = _rules(Relation(intensity, ">", critical), unknown, given)
        return ChannelAnswer(channel, intensity, critical, simple, *rules)
    time = roof.time(channel)
    rules = _rules(Relation(roof.time(roof.units[0]), ">", time), unknown, given)
    stops, _ = _rules(Relation(time - delay, ">", delay), unknown, None)
    return ChannelAnswer(channel, intensity, critical, simple, *rules, latency_rule=stops)


def _rules(
    relation: Relation, unknown: Unknown, given: Assumed | None
) -> tuple[Threshold, Threshold | None]:
    """The exact rule, and the one in the limit where an order of growth is assumed."""
    known = given or NOTHING_ASSUMED
    asked, shown = relation.substitute(unknown.swap), unknown.shown if unknown.swap else None

    def rule(under: Assumed) -> Threshold:
        return replace(solved(asked, unknown.symbol, under), shown=shown)

    simple = rule(known) if known.growth.strict else None
    return rule(known.exactly()), simple


def _bottlenecks(
    roof: Roofline, unknown: Unknown | None, given: Assumed | None
) -> tuple[Bottleneck, ...]:
    """When each unit and channel takes longer than all others, where there are three or more."""
    names = roof.names
    if unknown is None or len(names) < 3:
        return ()
    bottlenecks = []
    for name in names:
        others = largest(roof.time(other) for other in names if other != name)
        rules = _rules(Relation(roof.time(name), ">", others), unknown, given)
        bottlenecks.append(Bottleneck(name, *rules))
    return tuple(bottlenecks)


def _guaranteed(
    each: ChannelAnswer, given: Assumptions, assume: Assumptions | None
) -> ChannelAnswer:
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
    from symcost.analysis.proving import prove
    from symcost.analysis.thresholds.proof import prove_necessary, prove_sufficient

    proofs = [prove(rule, timeout) for rule in each.rules]
    if each.limit_rule is not None and each.exact_rule is not None:
        pair = (each.limit_rule, each.exact_rule)
        proofs += [prove_necessary(*pair, timeout), prove_sufficient(*pair, timeout)]
    if each.guarantee is not None:
        proofs.append(prove(each.guarantee, timeout))
    if each.limit is not None and each.limit.dropped:
        proofs.append(prove(each.limit, timeout))
    return replace(each, proofs=tuple(proofs))


def _values(at: Values | None, graph: ComputationGraph, roof: Roofline) -> dict[str, Expr]:
    """The numbers by name, each of a symbol of the program and whole if that is a dimension."""
    sizes = [*(t.size for t in graph.tensors.values()), *graph.mesh.values()]
    own = {s for size in sizes for s in size.symbols}
    where = "in the program" if own else "in the program, whose sizes are all numbers"
    split = spelled_splits(graph.tensors.values())
    for name in sorted(read_values(at).keys() & split.keys()):
        _, size, axes = split[name]
        raise InvalidValueError(
            f"{name} is {size} split over {', '.join(axes)}, not a size of its own",
            repair=f"give the whole {size}, and the sizes of the mesh axes",
        )
    return {s.name: v for s, v in numbers_for(at, roof.symbols | own, where=where).items()}
