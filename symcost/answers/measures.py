"""What a program costs on a chip, as formulas and, at given sizes, as numbers with units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from sympy import Expr

from symcost.algebra import Posynomial, as_ratio
from symcost.algebra.exact import exact
from symcost.analysis.answer import Answer, answer
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.values import put_in_numbers
from symcost.documents.blocks import Block, Equation, Prose, Quantity, Value, Words, joined, words
from symcost.errors import MissingRuleError
from symcost.hardware import Chip
from symcost.model.at_sizes import at_shards, at_sizes, uneven
from symcost.model.graph import ComputationGraph
from symcost.model.loads import word

Put: TypeAlias = Callable[[Expr], Expr]
NAMED = (
    *("memory", "parameters", "capacity", "flops", "bytes", "hops", "intensity"),
    *("t_math", "t_comms", "t_path", "t_lower", "t_upper"),
)


def quantities(
    derived: Answer, roof: Roofline, put: Put = lambda value: value
) -> dict[str, Expr | dict[str, Expr]]:
    """Costs and times as exact formulas, under the keys of the JSON interface.

    Args:
        derived: the costs of a program.
        roof: its times, at numbers or not.
        put: what puts the same numbers into a formula.
    """
    ledger = derived.ledger
    return {
        "flops": put(ledger.flops()),
        "flops_by_unit": {unit: put(ledger.flops(unit)) for unit in ledger.units},
        "bytes": {channel: put(ledger.bytes(channel)) for channel in ledger.channels},
        "intensity": {name: put(value) for name, value in _intensities(derived)},
        "critical_intensity": {each.channel: put(each.critical) for each in derived.channels},
        "t_math": roof.t_math,
        "t_by_unit": {unit: roof.time(unit) for unit in roof.units},
        "t_comms": roof.t_comms,
        **({"t_path": roof.path} if roof.paths else {}),
        "t_lower": as_ratio(roof.lower).to_sympy(),
        "t_upper": roof.upper,
        "memory": put(ledger.memory()),
        "parameters": put(ledger.parameters()),
    }


def named_quantities(
    graph: ComputationGraph, chip: str | None, values: Mapping[str, object]
) -> dict[str, Expr]:
    """What names in a formula stand for beside a program: its quantities, the chip's capacity.

    A name that the program uses itself is the program's; where a quantity has a value for each
    of several channels, its name stands for none, and ``bytes_ici_X`` for that over ``ici[X]``.
    """
    derived = answer(graph, chip)
    ledger = at_shards(derived.ledger, values)
    if ledger is not derived.ledger:
        derived = replace(derived, ledger=ledger, roofline=roofline(ledger, derived.chip))
    named = dict(_capacity(derived.chip))
    every = {channel: derived.ledger.hops(channel) for channel in derived.ledger.channels}
    hops = {channel: count for channel, count in every.items() if count}
    for name, value in {**quantities(derived, derived.roofline), "hops": hops}.items():
        if name in NAMED and isinstance(value, Expr):
            named[name] = value
        elif name in NAMED:
            named |= {f"{name}_{word(channel)}": each for channel, each in value.items()}
            if len(value) == 1:
                (named[name],) = value.values()
    own = own_names(graph)
    return {name: value for name, value in named.items() if name not in own}


def own_names(graph: ComputationGraph) -> set[str]:
    """The names that a program itself uses for sizes."""
    sizes = (*(tensor.size for tensor in graph.tensors.values()), *graph.mesh.values())
    return {symbol.name for size in sizes for symbol in size.symbols}


def _capacity(chip: Chip) -> Iterator[tuple[str, Expr]]:
    try:
        yield "capacity", chip.capacity()
    except MissingRuleError:
        return


def _intensities(derived: Answer) -> Iterator[tuple[str, Expr]]:
    """FLOPs per byte of each channel: of the main unit, or of any where the chip has no peak."""
    if derived.channels:
        yield from ((each.channel, each.intensity) for each in derived.channels)
        return
    ledger = derived.ledger
    for channel in ledger.channels if ledger.units else ():
        yield channel, ledger.intensity(channel, ledger.units[0])


def in_numbers(derived: Answer) -> Answer:
    """The answer at the given sizes; on a mesh the shares are those of the largest shard."""
    if not derived.values or not derived.graph.mesh:
        return derived
    graph = at_sizes(derived.graph, derived.values)
    roof = derived.roofline
    made = answer(graph, derived.chip, serial=roof.serial, t_hop=roof.t_hop)
    return replace(made, values=derived.values)


def at_largest(derived: Answer) -> Answer:
    """The answer with the exact rules of the largest shards, if the given sizes are uneven."""
    asked = derived.solve_for.free_symbols if derived.solve_for is not None else set()
    known = {s.name for s in asked}
    values = {name: value for name, value in derived.values.items() if name not in known}
    ledger = at_shards(derived.ledger, values)
    if ledger is derived.ledger or derived.solve_for is None:
        return derived
    ((graph, _),) = ledger.programs
    local = ComputationGraph(graph.tensors.values(), graph.ops, mesh=graph.mesh)
    roof = derived.roofline
    there = answer(
        local, derived.chip, solve_for=derived.solve_for, serial=roof.serial, t_hop=roof.t_hop
    )
    exact_rules = {each.channel: each.exact_rule for each in there.channels}
    binding = {each.name: each.exact_rule for each in there.bottlenecks}
    return replace(
        derived,
        channels=tuple(replace(c, exact_rule=exact_rules[c.channel]) for c in derived.channels),
        bottlenecks=tuple(replace(b, exact_rule=binding[b.name]) for b in derived.bottlenecks),
    )


def numbers_data(derived: Answer) -> dict[str, object]:
    """The quantities as numbers, with the sizes at which they are taken."""
    roof, put = there(derived)
    data: dict[str, object] = {
        "values": {name: _number(exact(value)) for name, value in derived.values.items()}
    }
    for key, value in quantities(derived, roof, put).items():
        if isinstance(value, Mapping):
            data[key] = {name: _number(each) for name, each in value.items()}
        else:
            data[key] = _number(value)
    return data | {"bound_by": roof.bound_by}


def _number(value: Expr) -> Quantity | None:
    return Quantity(value) if value.is_number else None


def there(derived: Answer) -> tuple[Roofline, Put]:
    """The times at the given sizes, and what puts these into a formula."""
    occurring = {s.name for t in derived.roofline.times for s in t.seconds.free_symbols}
    roof = derived.roofline.at({n: v for n, v in derived.values.items() if n in occurring})

    def put(value: Expr) -> Expr:
        known = {s: derived.values[s.name] for s in value.free_symbols if s.name in derived.values}
        return put_in_numbers(value, known) if known else value

    return roof, put


def measured(derived: Answer) -> Iterator[Block]:
    """The quantities at the given sizes, a line each with its unit, and what binds."""
    roof, put = there(derived)
    ledger = derived.ledger
    for unit in ledger.units:
        yield _line(f"FLOPs ({unit})", put(ledger.flops(unit)), "FLOP")
    for channel in ledger.channels:
        yield _line(f"bytes ({channel})", put(ledger.bytes(channel)), "byte")
    for name, value in _intensities(derived):
        unit = (roof.units or ledger.units)[0]
        yield _line(f"intensity ({unit}, {name})", put(value), "FLOP/byte")
    memory, held = put(ledger.memory()), dict(_capacity(derived.chip)).get("capacity")
    places = {resource.place for resource in ledger.resources}
    too_much = held is not None and len(places) < 2 and (memory - held).is_positive
    reason = words("the chip holds ", Quantity(held, "byte")) if too_much else ""
    yield _line("memory", memory, "byte", reason)
    if ledger.parameters():
        yield _line("parameters", put(ledger.parameters()), "")
    names = roof.names
    if roof.bound_by is not None:
        for name in names:
            yield _line(time_name(roof, name), roof.time(name), "s")
        if roof.paths:
            yield _line("T_path", roof.path, "s", "steps that wait for each other")
        bound = as_ratio(roof.lower).to_sympy()
        yield _line("T_lower", bound, "s", f"{roof.bound_by} bounds it")
        yield _line("T_upper", roof.upper, "s")
    pairs = (pair for graph, _ in ledger.programs for pair in uneven(graph))
    for count, size in dict.fromkeys(pairs):
        yield Prose(f"{count} does not divide {size}: the costs are those of the largest shard.")
    amounts = [put(entry.amount) for entry in ledger.entries]
    missing = sorted({s for amount in amounts for s in amount.free_symbols}, key=str)
    if missing:
        yield Prose(words("No number is given for ", *joined([words(s) for s in missing]), "."))


def _line(name: str, value: Expr, unit: str, reason: Words = "") -> Equation:
    shown: Value = Quantity(value, unit) if value.is_number else value
    return Equation(name, (("=", shown),), reason)


def time_name(roof: Roofline, name: str) -> str:
    """What the time of a unit or channel is called, which is plain where there is one."""
    if name in roof.units:
        return "T_math" if len(roof.units) == 1 else f"T_{word(name)}"
    return "T_comms" if len(roof.channels) == 1 else f"T_{word(name)}"


def binding_names(roof: Roofline) -> dict[Expr, str]:
    """What it means that a time of a program, or a term of one, is the longest, in words."""
    units = dict.fromkeys(roof.units, "compute-bound")
    if len(units) > 1:
        units = {name: f"compute-bound: {name}" for name in units}
    others = {name: f"bound by {name}" for name in roof.channels}
    said = {**units, **others, "hbm": "memory-bound"}
    times = [(roof.time(name), said[name]) for name in roof.names]
    terms = {
        Posynomial({monomial: factor}).to_sympy(): name
        for time, name in reversed(times)
        for monomial, factor in as_ratio(time).num.terms.items()
        if as_ratio(time).is_posynomial
    }
    return {**terms, **dict(times)}
