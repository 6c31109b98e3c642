"""What the verbs about formulas are asked: all texts of a command line, read together once."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from sympy import Add, Expr, Max, Min, Mul, Pow, Symbol

from symcost.algebra import Maximum, Minimum
from symcost.analysis.reliance import reliance
from symcost.analysis.told import Units
from symcost.answers.measures import NAMED, named_quantities
from symcost.documents.blocks import Words
from symcost.errors import InvalidValueError
from symcost.files.contents import read_input
from symcost.hardware.clusters import chip_in
from symcost.hardware.given import given_keys
from symcost.hardware.rates import rates_of
from symcost.model.graph import ComputationGraph
from symcost.model.programs import parse
from symcost.notation.border import ARelation, ASymbol, Inputs, inputs
from symcost.notation.unit_table import Dimension, unit_text
from symcost.printing.numbers import quantity


def question(
    args: Namespace,
    *,
    expressions: str | tuple[str, ...] = (),
    relations: ARelation | Iterable[ARelation] = (),
    symbols: ASymbol | Iterable[ASymbol] = (),
) -> Inputs:
    """Formulas, relations and options of a command line; ``--on`` gives C and W their values.

    Raises:
        InvalidValueError: a number is given for what does not occur.
    """
    options = vars(args)
    texts = [option for name in ("where", "at") if isinstance(option := options.get(name), str)]
    asked = inputs(
        expressions=expressions,
        relations=relations,
        symbols=symbols,
        values="; ".join(texts) or None,
        assume=options.get("assume"),
        given=options.get("given"),
    )
    asked = _of(asked, args)
    _check_names(asked, "--at" if options.get("at") else "--where")
    return _on(asked, options.get("on"))


def _of(asked: Inputs, args: Namespace) -> Inputs:
    """What is asked, with the quantities of the program ``--of`` put in for their names."""
    program = getattr(args, "program", None)
    if program is None:
        return asked
    put = {
        asked.names[name]: value
        for name, value in named_quantities(program_of(program, args.mesh), args.on).items()
        if name in asked.names
    }
    if not put:
        raise InvalidValueError(
            "nothing of the program is asked for",
            repair=f"name one of its quantities, {', '.join(NAMED)}",
        )
    return replace(
        asked,
        expressions=tuple(each.xreplace(put) for each in asked.expressions),
        relations=tuple(each.substitute(put) for each in asked.relations),
    )


def program_of(argument: str, mesh: str | None = None) -> ComputationGraph:
    """The program of an argument, or of the file that it names, on a mesh."""
    return parse(read_input(argument), mesh=mesh or None)


def _on(asked: Inputs, name: str | None) -> Inputs:
    """What is asked, with the figures of a chip put in for the names that it knows."""
    if name is None:
        return asked
    found = chip_in(name)
    mine = rates_of(found, (each for each in sorted(asked.names) if each not in asked.values))
    put = {asked.names[key]: value for key, value in mine.items()}
    unused = [key for key in given_keys(name) if key not in mine]
    idle = (f"{' and '.join(unused)} of --on is not used",) if unused else ()
    shown = [f"{key} = {quantity(v, _UNITS[key[0]])}" for key, v in mine.items() if v.is_number]
    return replace(
        asked,
        expressions=tuple(each.xreplace(put) for each in asked.expressions),
        relations=tuple(each.substitute(put) for each in asked.relations),
        dimensions=asked.dimensions if asked.units else _per_second(asked.expressions, put),
        notes=(*asked.notes, *((f"{', '.join(shown)} on {found.title}",) if shown else ()), *idle),
    )


def _per_second(
    expressions: Iterable[Expr], rates: Mapping[Symbol, Expr]
) -> tuple[Dimension | None, ...]:
    """The dimensions where rates count per second, and everything else is a number or a count."""
    powers = [_power(each, rates) for each in expressions]
    return tuple((("second", -power),) if power else None for power in powers)


def _power(expr: Expr, rates: Mapping[Symbol, Expr]) -> int | None:
    """The power of the rates in every term; ``None`` where terms differ or there is no telling."""
    if expr.is_Symbol or expr.is_number:
        return int(expr in rates)
    parts = [_power(each, rates) for each in expr.args]
    if isinstance(expr, Pow) and expr.exp.is_Integer:
        return None if parts[0] is None else parts[0] * int(expr.exp)
    if None in parts or not isinstance(expr, Mul | Add | Max | Min | Maximum | Minimum):
        return None if any(expr.has(each) for each in rates) else 0
    if isinstance(expr, Mul):
        return sum(part for part in parts if part is not None)
    return parts[0] if len(set(parts)) == 1 else None


_UNITS = {"C": "FLOP/s", "W": "byte/s"}


def _check_names(asked: Inputs, option: str) -> None:
    occurring = _all_names(asked)
    strange = sorted(set(asked.values) - set(occurring))
    if strange:
        raise InvalidValueError(
            f"{option} gives {', '.join(strange)}, which does not occur",
            repair=f"the symbols are {', '.join(sorted(occurring)) or 'none'}",
        )


def _all_names(asked: Inputs) -> Mapping[str, Symbol]:
    """The names of the formulas, and of the values that stand for them."""
    return {**asked.names, **{symbol.name: symbol for symbol in asked.within}}


def chosen(name: str, expr: Expr) -> Symbol:
    """The symbol of a name that must occur.

    Raises:
        InvalidValueError: it does not.
    """
    names = {s.name: s for s in expr.free_symbols}
    if name not in names:
        raise InvalidValueError(
            f"{name} does not occur",
            repair=f"the symbols are {', '.join(sorted(names)) or 'none'}",
        )
    return names[name]


def units(asked: Inputs) -> Units:
    """The unit of the one formula that is asked about, and those of its symbols."""
    (dimension,) = asked.dimensions or (None,)
    return Units(unit_text(dimension or ()), {name: asked.unit(name) for name in asked.units})


def relied(expr: Expr, answer: Callable[[Expr], object]) -> Words:
    """The dimensions on whose range what is answered of an expression relies."""
    return reliance(expr.free_symbols, lambda swap: answer(expr.xreplace(swap)))
