"""A derivation in steps: the equations, and the short lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import lcm

from sympy import Add, Expr, Mul, Pow

from symcost.algebra import Maximum, Posynomial, as_posynomial
from symcost.algebra.dominance import largest
from symcost.analysis.answer import Answer, ChannelAnswer
from symcost.analysis.limit import Dropped
from symcost.analysis.path import MOST_PATHS, steps_of
from symcost.analysis.roofline import Roofline
from symcost.answers.measures import there, time_name
from symcost.answers.rulings import numbers, numbers_title, rules
from symcost.documents.blocks import (
    Block,
    Equation,
    Listing,
    Prose,
    Quantity,
    Section,
    Sum,
    Term,
    Words,
    joined,
    words,
)
from symcost.model.entries import Entry
from symcost.model.loads import Port, word
from symcost.model.program_text import program_text
from symcost.model.sizes import spelled_as_split
from symcost.printing.text import to_text
from symcost.symbols import rate


def lines(derived: Answer) -> tuple[Section, ...]:
    """The steps in short lines, for a terminal, with the rule last."""
    sections = [
        Section("The program", (Listing(program_text(derived.graph)), *_unsplit(derived))),
        Section("On each device", on_devices(derived)),
        Section("FLOPs", tuple(flops(derived))),
        Section("Bytes", tuple(traffic(derived))),
        Section("Arithmetic intensity", tuple(intensities(derived))),
        Section("Times", tuple(_times(derived))),
        Section(f"When {derived.assume}", tuple(_limits(derived)) if derived.assume else ()),
        Section("The chip", (*_stands_for(derived), *figures(derived), *criticals(derived))),
        Section(_rule_title(derived), tuple(rules(derived)) if derived.solve_for else ()),
        Section(numbers_title(derived), tuple(numbers(derived))),
    ]
    return tuple(section for section in sections if section.blocks)


def _unsplit(derived: Answer) -> Iterator[Block]:
    """A dimension that is spelled as one that is split, ``D_X``, over an axis that is not there."""
    mesh = derived.graph.mesh
    sizes = (size for tensor in derived.graph.tensors.values() for size in tensor.type.shape)
    names = dict.fromkeys(s.name for size in sizes for s in sorted(size.symbols, key=str))
    for each in spelled_as_split(names, mesh):
        yield Prose(f"note: {each.name} is one dimension, since {each.reason}")


def _rule_title(derived: Answer) -> str:
    head = "What binds" if derived.bottlenecks else "Compute-bound"
    return f"{head}: the rule for {derived.solve_for}"


def on_devices(derived: Answer) -> tuple[Block, ...]:
    """What every device of a mesh does, where tensors lie on one."""
    if not any(tensor.type.is_sharded for tensor in derived.graph.tensors.values()):
        return ()
    from symcost.plans.steps import plan_of  # few programs are sharded

    return plan_of(derived.graph, there(derived)[0]).blocks()


def flops(derived: Answer) -> Iterator[Block]:
    """The FLOPs of each unit, term by term."""
    ledger = derived.ledger
    for unit in ledger.units:
        terms = [e for e in ledger.entries if e.resource.is_compute and e.resource.name == unit]
        name = "FLOPs" if len(ledger.units) == 1 else f"FLOPs ({unit} unit)"
        rows = tuple(Term(e.amount, _what(e)) for e in terms)
        yield Sum(name, rows, ledger.flops(unit))


def _what(entry: Entry) -> str:
    resource = entry.resource
    on_device = resource.place and not resource.is_transfer
    return f"{entry.what} on {resource.place}" if on_device else entry.what


def traffic(derived: Answer) -> Iterator[Block]:
    """The bytes over each channel, term by term."""
    ledger = derived.ledger
    for channel in ledger.channels:
        terms = [e for e in ledger.entries if e.resource.name == channel]
        rows = tuple(Term(e.amount, _what(e)) for e in terms)
        yield Sum(f"bytes over {channel}", rows, ledger.bytes(channel))


def intensities(derived: Answer) -> Iterator[Equation]:
    """FLOPs per byte, for each channel."""
    roof = derived.roofline
    if not derived.channels:
        yield from _intensities_without_peak(derived)
    for each in derived.channels:
        quotient = _in_whole_numbers(roof.work(roof.units[0]), roof.work(each.channel))
        links: list[tuple[str, Expr | Quantity]] = [("=", quotient)]
        if to_text(each.intensity) != to_text(quotient):
            links.append(("=", each.intensity))
        yield Equation(intensity_name(derived, each), tuple(links), "FLOPs per byte moved")


def _in_whole_numbers(top: Expr, bottom: Expr) -> Expr:
    """A fraction, not cancelled; numbers that both its sides divide by are multiplied out."""
    sides = [as_posynomial(side) for side in (top, bottom)]
    numbers = [Fraction(c).denominator for side in sides for c in side.terms.values()]
    above, below = (side.scaled(lcm(*numbers)).to_sympy() for side in sides)
    return Mul(above, Pow(below, -1), evaluate=False)


def _intensities_without_peak(derived: Answer) -> Iterator[Equation]:
    """The intensities of the ledger, when the chip gives no peak to compare them with."""
    ledger = derived.ledger
    for unit in ledger.units:
        for channel in ledger.channels:
            links = (("=", ledger.intensity(channel, unit)),)
            yield Equation(f"intensity ({unit}, {channel})", links, "FLOPs per byte moved")


def intensity_name(derived: Answer, each: ChannelAnswer) -> str:
    """What the intensity of a channel is called, which is plain where there is one."""
    return "intensity" if len(derived.channels) == 1 else f"intensity ({each.channel})"


def _times(derived: Answer) -> Iterator[Block]:
    roof = with_symbols(derived)
    for unit in roof.units:
        reason = f"FLOPs over the peak of the {unit} unit"
        yield Equation(time_name(roof, unit), (("=", quotient(roof, unit)),), reason)
    for channel in roof.channels:
        hops = any(t.delay for t in roof.times if t.port.name == channel)
        reason = f"bytes over the bandwidth of {channel}{', and its hops' if hops else ''}"
        yield Equation(time_name(roof, channel), (("=", quotient(roof, channel)),), reason)
    yield from (Prose(f"Left out: {each}.") for each in roof.unknown)
    yield from path(derived, roof)
    if len(roof.units) + len(roof.channels) > 1:
        lower, upper = bounds(derived.roofline)
        yield Equation("T_lower", (("=", lower),), "everything overlaps: the largest time")
        yield Equation("T_upper", (("=", upper),), "nothing overlaps: the sum")


def path(derived: Answer, roof: Roofline) -> Iterator[Block]:
    """The longest path of a sharded program, at the symbolic rates of ``roof``."""
    steps, paths = roof.steps, derived.roofline.paths
    if paths:
        sums = (Posynomial.sum(steps[n].time for n in each.steps) for each in paths)
        value = largest(each.to_sympy() for each in sums)
        yield Equation("T_path", (("=", value),), "the longest path of steps, each after the other")
    elif steps:
        yield Prose(
            f"T_path is left out: each of more than {MOST_PATHS} paths may take longest; numbers "
            "for the sizes decide."
        )


def bounds(roof: Roofline) -> tuple[Expr, Expr]:
    """The largest of all times by their names, and the sum of those of units and channels."""
    times = [rate(time_name(roof, name)) for name in roof.names]
    path = [rate("T_path")] if roof.paths else []
    return Maximum(*times, *path), Posynomial.sum(map(as_posynomial, times)).to_sympy()


def quotient(roof: Roofline, name: str) -> Expr:
    """The work of a unit or channel over its rate, as one fraction."""
    rates = {(t.rate, t.delay) for t in roof.times if t.port.name == name}
    if len(rates) > 1:
        return roof.time(name)
    ((speed, delay),) = rates
    sent = _in_whole_numbers(roof.work(name), speed)
    return Add(sent, delay, evaluate=False) if delay else sent


def with_symbols(derived: Answer) -> Roofline:
    """The roofline with a symbol for each rate: C and W, or C_vector, C_fp8, W_nvlink, ..."""
    roof = derived.roofline
    several = {"compute": len(roof.units) > 1, "channel": len(roof.channels) > 1}
    names = {s.name for e in derived.ledger.entries for s in e.amount.free_symbols}

    def symbol(port: Port) -> Expr:
        kind, letter = ("compute", "C") if port.kind == "compute" else ("channel", "W")
        apart = roof.dtypes_apart(port.name)
        plain = not several[kind] and (letter not in names or apart)
        name = letter if plain else f"{letter}_{word(port.name)}"
        return rate(f"{name}_{port.dtype}" if apart else name)

    times = tuple(replace(t, rate=symbol(t.port)) for t in roof.times)
    rates = {(each.port.name, each.port.dtype): each.rate for each in times}
    steps = steps_of(derived.ledger, lambda each: rates.get((each.name, each.dtype)), roof.latency)
    if roof.serial:
        ((old, new),) = ((t.rate, symbol(t.port)) for t in roof.times if t.port.name == "links")
        steps = tuple(
            replace(step, links=tuple(each * old / new for each in own.links))
            for step, own in zip(steps, roof.steps, strict=True)
        )
    return replace(roof, times=times, steps=steps)


def _limits(derived: Answer) -> Iterator[Block]:
    for each in derived.channels:
        if each.limit is None:
            continue
        links = (("→", each.limit.value),)
        yield Equation(intensity_name(derived, each), links, f"under {derived.assume}")
        if each.limit.dropped:
            yield Prose(words("Dropped: ", *joined(map(small_term, each.limit.dropped)), "."))
            error = each.limit.relative_error
            yield Equation("relative error", (("=", error),), "limit / exact - 1")


def small_term(dropped: Dropped) -> Words:
    """A term that is dropped, where it stood, and what it was for."""
    origin = f" ({', '.join(dropped.origin)})" if dropped.origin else ""
    return words(dropped.term, f" in the {dropped.part}{origin}")


def _stands_for(derived: Answer) -> Iterator[Block]:
    chip = derived.chip
    if chip.resolved_from:
        yield Prose(f"{chip.resolved_from} stands for {chip.name} ({chip.title}).")
    if idle := idle_figures(derived.roofline):
        yield Prose(f"Not used of the given figures: {', '.join(idle)}.")


def idle_figures(roof: Roofline) -> list[str]:
    """The given figures of a chip that no time depends on, by their keys."""
    chip = roof.chip
    if chip.name != "given":
        return []
    ports = [each.port for each in roof.times if each.port.kind == "compute"]
    used = [chip.peak_figure(port.dtype, port.name) for port in ports]
    peaks = {f"C_{key}": peak for unit in (chip.matmul, chip.vector) for key, peak in unit.items()}
    idle = {key: peak for key, peak in peaks.items() if peak not in used}
    idle |= {f"W_{name}": chip.channels[name] for name in chip.channels.keys() - {*roof.channels}}
    given = (key for key, figure in sorted(idle.items()) if not figure.is_symbolic)
    return list(dict.fromkeys(key.removesuffix("_any").removesuffix("_hbm") for key in given))


def figures(derived: Answer) -> Iterator[Equation]:
    """The chip's figures for the units and channels that are used."""
    roof, symbolic = derived.roofline, with_symbols(derived)
    for name in roof.names:
        yield from _rate(roof, symbolic, name)


def criticals(derived: Answer) -> Iterator[Equation]:
    """The critical intensity of each channel."""
    roof, symbolic = derived.roofline, with_symbols(derived)
    for each in derived.channels:
        speeds = (symbolic.rate(roof.units[0]), symbolic.rate(each.channel))
        over = Mul(speeds[0], Pow(speeds[1], -1), evaluate=False)
        links: list[tuple[str, Expr | Quantity]] = [("=", over)]
        if each.critical.is_number:
            links.append(("=", Quantity(each.critical, "FLOP/byte")))
        name = "critical intensity"
        name = name if len(derived.channels) == 1 else f"{name} ({each.channel})"
        yield Equation(name, tuple(links), "peak over bandwidth")


def _rate(roof: Roofline, symbolic: Roofline, name: str) -> Iterator[Equation]:
    """The chip's figure for a unit or channel, once per dtype, with its note."""
    unit = "FLOP/s" if name in roof.units else "byte/s"
    shown = set()
    for figure, symbol in zip(roof.times, symbolic.times, strict=True):
        key = (figure.port.dtype, figure.rate)
        if figure.port.name == name and figure.rate.is_number and key not in shown:
            shown.add(key)
            value = Quantity(figure.rate, unit)
            what = f"peak, {figure.port.dtype}" if unit == "FLOP/s" else f"bandwidth of {name}"
            reason = f"{what}; {figure.note}" if figure.note else what
            yield Equation(str(symbol.rate), (("=", value),), reason)
