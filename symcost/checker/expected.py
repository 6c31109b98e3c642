"""What the engine derives for the quantity in question, with symbols for the chip's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra.posynomial import as_posynomial
from symcost.algebra.relation import Relation
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.times import rate_of
from symcost.checker.claim_reading import read_claim
from symcost.errors import InvalidValueError, NotationError, SymcostError, UndecidedError
from symcost.hardware import Chip, symbolic_chip
from symcost.hardware.placing import chip_of, placed
from symcost.model.at_sizes import at_shards
from symcost.model.graph import ComputationGraph
from symcost.model.ledger import Ledger
from symcost.model.programs import as_graph
from symcost.notation.border import Values, values
from symcost.notation.numbers import Value
from symcost.symbols import dim

SOLUTION = "solution"  # of an equation
Convention = tuple[str, str, Expr]  # kind, what it says, what it gives
QUANTITIES = (
    *("flops", "bytes", "intensity", "t_math", "t_comms", "t_lower", "t_upper"),
    *("threshold", "memory", "parameters"),
)


@dataclass(frozen=True, slots=True)
class Expected:
    """The derived side: an expression, or a relation for a threshold.

    Args:
        value: the expression; chip figures are symbols with a value in ``values``.
        relation: the inequality whose solution is the threshold.
        values: numbers for symbols.
        ledger: what is spent on the channel in question; ``whole``: all that is spent.
        conventions: what other conventions give for the same quantity.
        text: the formula as it was typed, when it was.
        named: the sizes of the program, also those that do not occur.
    """

    value: Expr | None = None
    relation: Relation | None = None
    values: Mapping[Symbol, Fraction] = field(default_factory=dict)
    quantity: str = ""
    ledger: Ledger | None = None
    whole: Ledger | None = None
    chip: Chip | None = None
    channel: str = ""
    dtype: str = ""
    conventions: tuple[Convention, ...] = ()
    text: str = ""
    named: frozenset[Symbol] = frozenset()

    @property
    def is_open(self) -> bool:
        """Whether nothing is given, so that a claim can only be compared with itself."""
        return self.value is None and self.relation is None


def derived(
    of: object,
    quantity: str,
    chip: Chip | str | None = None,
    channel: str | None = None,
    unit: str | None = None,
    count: str = "leading",
    where: Values | None = None,
) -> Expected:
    """What is derived from a program, graph or ledger; at numbers, for the largest shards.

    Raises:
        InvalidValueError: no such quantity.
        UndecidedError: several channels or units are used and none was named.
    """
    if quantity not in QUANTITIES:
        raise InvalidValueError(
            f"unknown quantity {quantity!r}", repair=f"one of {', '.join(QUANTITIES)}"
        )
    if isinstance(chip, str) and not hasattr(of, "entries"):
        of, chip = placed(as_graph(of), chip)
    costs = tuple(at_shards(ledger, where_values(where)) for ledger in _ledgers(of, count))
    if quantity in ("memory", "parameters"):
        value = costs[0].memory() if quantity == "memory" else costs[0].parameters()
        found = Expected(value, quantity=quantity, whole=costs[0])
    elif quantity in ("flops", "bytes", "intensity"):
        found = _counted(costs, quantity, channel, unit)
    else:
        found = _timed(costs[0], quantity, chip, channel, unit)
    return found if hasattr(of, "entries") else _with_names(found, as_graph(of))


def _with_names(found: Expected, graph: ComputationGraph) -> Expected:
    """The same with the names of the program: of its sizes, and of its mesh axes with theirs."""
    sizes = {d: s.as_fraction() for d, s in graph.mesh.items() if s.is_constant}
    shapes = (size for each in graph.tensors.values() for size in each.shape)
    named = {symbol for size in shapes for symbol in as_posynomial(size).symbols}
    values = {**{dim(axis): size for axis, size in sizes.items()}, **found.values}
    return replace(found, values=values, named=frozenset(named))


def _counted(
    costs: tuple[Any, ...], quantity: str, channel: str | None, unit: str | None
) -> Expected:
    """FLOPs, bytes and what they make of each other, with what other conventions give."""
    cost, other = costs
    conventions: tuple[Convention, ...] = ()
    if quantity == "bytes":
        value = cost.bytes(channel)
    elif quantity == "flops":
        value = cost.flops(unit)
        conventions = (*_of_one_unit(cost, unit), *_counts(value, other.flops(unit)))
    else:
        _check_unit(cost, unit)
        value = cost.intensity(channel, unit)
        conventions = _counts(value, other.intensity(channel, unit))
    whole = quantity == "flops"
    on = cost if whole else _on(cost, channel or (*cost.channels, "")[0])
    return Expected(value, quantity=quantity, ledger=on, whole=cost, conventions=conventions)


def _check_unit(cost: Ledger, unit: str | None) -> None:
    if unit is None and len(cost.units) > 1:
        raise UndecidedError(
            f"this program uses several units, {' and '.join(cost.units)}",
            repair=f'say which intensity is claimed, unit="{cost.units[0]}" (--unit)',
        )


def _ledgers(of: object, count: str) -> tuple[Any, ...]:
    """The ledger by the asked way of counting, and by the other one."""
    if hasattr(of, "entries") and hasattr(of, "flops"):
        return of, of
    graph = as_graph(of)
    other = "exact" if count == "leading" else "leading"
    return graph.cost(count), graph.cost(other)


def _on(cost: Ledger, channel: str) -> Any:
    if not channel:
        return cost
    names = cost.members(channel)
    return cost.filtered(lambda e: not e.resource.is_compute and e.resource.name in names)


def _counts(ours: Expr, other: Expr) -> tuple[Convention, ...]:
    """What is derived by the other way of counting, and in MACs."""
    found = [("mac-for-flop", "counts multiply-adds (MACs); one is two FLOPs", ours / 2)]
    if other != ours:
        text = "counts the additions one by one: N - 1 of them for N products, or the reverse"
        found.append(("exact-count", text, other))
    return tuple(found)


def _of_one_unit(cost: Ledger, unit: str | None) -> tuple[Convention, ...]:
    """The FLOPs of each unit, where all of them were asked for."""
    units = cost.units if unit is None and len(cost.units) > 1 else ()
    text = "counts the FLOPs of the {} unit only, not those of all units"
    return tuple(("one-unit", text.format(name), cost.flops(name)) for name in units)


def _timed(
    cost: Ledger, quantity: str, chip: Chip | str | None, channel: str | None, unit: str | None
) -> Expected:
    """Times and thresholds, with ``C`` and ``W`` for the figures of the chip."""
    found = chip if chip is None else chip_of(chip)
    own = cost if unit is None else _with_unit(cost, unit)
    roof = roofline(own, symbolic_chip(cost.channels))
    over = channel or (roof.channels[0] if roof.channels else "")
    main = (*roof.units, "")[0]
    values: dict[Symbol, Fraction] = {}
    formulas: dict[Symbol, Expr] = {}
    if found is not None:
        if apart := roofline(own, found).dtypes_apart(main):
            roof = roofline(own, symbolic_chip(cost.channels, apart))
        figures = _figures(roof, found, over)
        values = {s: Fraction(int(v.p), int(v.q)) for s, v in figures.items() if v.is_Rational}
        formulas = {s: v for s, v in figures.items() if not v.is_Rational}
    common = {
        "values": values,
        "quantity": quantity,
        "ledger": _on(cost, over),
        "whole": cost,
        "chip": found,
        "channel": over,
        "dtype": next((e.resource.dtype for e in cost.entries if e.resource.name == main), ""),
    }
    if quantity != "threshold":
        times = {"t_math": lambda: roof.t_math, "t_comms": lambda: roof.time(over)}
        times |= {"t_lower": lambda: roof.lower, "t_upper": lambda: roof.upper}
        return Expected(times[quantity]().xreplace(formulas), **common)
    sides = (roof.intensity(over), roof.critical_intensity(over))
    left, right = (side.xreplace(formulas) for side in sides)
    return Expected(relation=Relation(left, ">", right), **common)


def _with_unit(cost: Ledger, unit: str) -> Any:
    """The ledger without the arithmetic of other units."""
    cost.flops(unit)  # refuses a unit that there is not
    return cost.filtered(lambda e: not e.resource.is_compute or e.resource.name == unit)


def _figures(roof: Roofline, chip: Chip, channel: str) -> dict[Symbol, Expr]:
    """The chip's figures for the symbols of the plain chip; a symbol may stand for a figure."""
    found: dict[Symbol, Expr] = {}
    for time in roof.times:
        if not time.rate.is_Symbol:
            continue
        name = time.port.name
        if time.port.kind == "compute" and name != roof.units[0]:
            continue
        try:
            figure, _ = rate_of(chip, time.port)
        except SymcostError:
            if name in (channel, (*roof.units, "")[0]):
                raise
            continue
        found[time.rate] = figure
    return found


def given(against: object, names: list[str]) -> Expected:
    """What a formula, or an inequality, says."""
    claim = read_claim(against, names)
    is_set = sum(len(branch.relations) for branch in claim.branches) > 1
    if (claim.is_inequality or claim.signs == ("=",)) and not is_set:
        lhs, rhs = (side.expr for side in claim.sides)
        if claim.is_inequality:
            return Expected(relation=Relation(lhs, claim.signs[0], rhs), quantity="threshold")
        return Expected(relation=Relation(lhs, ">=", rhs), quantity=SOLUTION)  # where it ends
    if len(claim.sides) != 1 or is_set:
        raise NotationError(
            "one formula, or one relation, is expected to compare with",
            repair="give the formula alone; check the chain by itself",
        )
    return Expected(claim.sides[0].expr, text=claim.sides[0].text)


def symbols_of(value: Expected) -> set[Symbol]:
    """The symbols of an expected value or relation."""
    found: set[Symbol] = set()
    for part in (value.value, value.relation):
        if part is not None:
            found |= set(part.free_symbols)
    return found | set(value.values) | value.named


def where_values(where: Values | None) -> dict[str, Value]:
    """The numbers and formulas that are given, by name."""
    return values(where or {})
