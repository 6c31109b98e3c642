"""What the verbs about formulas are asked: all texts of a command line, read together once."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import NamedTuple

from sympy import Expr, Symbol

from symcost.algebra.exact import exact
from symcost.analysis.reliance import reliance
from symcost.analysis.roofline import Roofline
from symcost.analysis.told import Units
from symcost.answers.amounts import TIME, counted, dimension_in, dimension_named
from symcost.answers.measures import NAMED, binding_names, named_quantities, own_names
from symcost.documents.blocks import Math, Quantity, Words, joined, words
from symcost.errors import InvalidValueError
from symcost.files.contents import read_input
from symcost.hardware.clusters import chip_in
from symcost.hardware.given import given_keys
from symcost.hardware.rates import rates_of
from symcost.model.graph import ComputationGraph
from symcost.model.programs import parse
from symcost.notation.border import ARelation, ASymbol, inputs
from symcost.notation.together import Inputs
from symcost.notation.unit_table import Dimension, unit_text


@dataclass(frozen=True, slots=True)
class Asked(Inputs):
    """What is asked: ``said`` is what to know of how it was read, ``written`` are the formulas
    before quantities and rates were put in for their names."""

    said: tuple[Words, ...] = ()
    written: tuple[Expr, ...] = ()


def question(
    args: Namespace,
    *,
    expressions: str | tuple[str, ...] = (),
    relations: ARelation | Iterable[ARelation] = (),
    symbols: ASymbol | Iterable[ASymbol] = (),
) -> Asked:
    """Formulas, relations and options of a command line; ``--on`` gives C and W their values.

    Raises:
        InvalidValueError: a number is given for what does not occur.
    """
    options = vars(args)
    texts = [option for name in ("where", "at") if isinstance(option := options.get(name), str)]
    about = _about(args)
    read = partial(
        inputs,
        expressions=expressions,
        relations=relations,
        symbols=symbols,
        values="; ".join(texts) or None,
        assume=options.get("assume"),
        given=options.get("given"),
    )
    amounts = {**dict.fromkeys(about.symbols), **_dimensions(about.named)}
    asked = read(amounts=amounts)
    if rates := _rates_on(asked, options.get("on")):
        told = read(amounts={**amounts, **_dimensions(rates)}) if asked.has_units else asked
        asked = told if asked.expressions else read(amounts={**amounts, **_times(told, rates)})
    _check_names(asked, "--at" if options.get("at") else "--where", about)
    known = {each.name: getattr(asked, each.name) for each in fields(asked)}
    whole = Asked(**known, said=asked.notes, written=asked.expressions)
    there = _about(args, asked.values) if about.is_program and asked.values else about
    return _of(_on(whole, options.get("on"), about), there)


def _rates_on(asked: Inputs, chip: str | None) -> list[str]:
    """The names that a chip gives a rate."""
    names = (n for n in sorted(asked.names) if n not in asked.values)
    return [] if chip is None else [*rates_of(chip_in(chip), names)]


def _times(asked: Inputs, rates: Iterable[str]) -> dict[str, Dimension]:
    """The names that the rates of a chip make a time, as ``V/W`` makes ``t`` in ``t = V/W``."""
    if asked.has_units:
        return {n: told for n, told in asked.units.items() if told == TIME}
    known = {asked.names[name]: dimension_named(name) for name in rates}
    sides = ((r.lhs, r.rhs) for r in asked.relations)
    pairs = [pair for two in sides for pair in (two, two[::-1])]
    return {
        s.name: TIME for s, other in pairs if s.is_Symbol and dimension_in(other, known) == TIME
    }


class _About(NamedTuple):
    """The program that a formula is about: its quantities by name, its symbols, its tensors."""

    named: Mapping[str, Expr]
    symbols: frozenset[str] = frozenset()  # of the program and of its quantities
    is_program: bool = True


def _about(args: Namespace, values: Mapping[str, object] | None = None) -> _About:
    program = getattr(args, "program", None)
    if program is None:
        return _About({}, is_program=False)
    named = named_quantities(graph := program_of(program, args.mesh), args.on, values or {})
    symbols = {s.name for value in named.values() for s in value.free_symbols}
    return _About(named, frozenset(symbols | own_names(graph)))


def _dimensions(named: Iterable[str]) -> dict[str, Dimension | None]:
    return {name: dimension_named(name) for name in named}


def _of(asked: Asked, about: _About) -> Asked:
    """What is asked, with the quantities of the program ``--of`` put in for their names."""
    if not about.is_program:
        return asked
    used = [name for name in about.named if name in asked.names]
    if not used:
        raise InvalidValueError(
            "nothing of the program is asked for",
            repair=f"name one of its quantities, {', '.join(NAMED)}",
        )
    put = {asked.names[name]: about.named[name] for name in used}
    unheld = "parameters" in used and not about.named["parameters"]
    none = ("no tensor of the program is declared a weight, as in weight W: bf16[D, F]",)
    put_in = replace(
        asked,
        expressions=tuple(each.xreplace(put) for each in asked.expressions),
        relations=tuple(each.substitute(put) for each in asked.relations),
        said=asked.said + none * unheld,
    )
    left = {*put_in.names, *(symbol.name for symbol in put_in.within)}
    return replace(put_in, values={n: v for n, v in put_in.values.items() if n in left})


def program_of(argument: str, mesh: str | None = None) -> ComputationGraph:
    """The program of an argument, or of the file that it names, on a mesh."""
    return parse(read_input(argument), mesh=mesh or None)


def _on(asked: Asked, name: str | None, about: _About) -> Asked:
    """What is asked, with the figures of a chip put in for the names that it knows."""
    mine: dict[str, Expr] = {}
    notes: list[Words] = []
    if name is not None:
        chip = chip_in(name)
        mine = rates_of(chip, (n for n in sorted(asked.names) if n not in asked.values))
        rates = [_rate(n, value) for n, value in mine.items() if value.is_number]
        notes += [words(*joined(rates), f" on {chip.title}")] if rates else []
        unused = [key for key in given_keys(name) if key not in mine and not about.is_program]
        notes += [f"{' and '.join(unused)} of --on is not used"] if unused else []
    put = {asked.names[key]: value for key, value in mine.items()}
    amounts = [asked.names[n] for n in (*mine, *about.named) if n in asked.names]
    known = {symbol: dimension_named(symbol.name) for symbol in amounts}
    told = tuple(None if each is None else counted(each) for each in asked.dimensions)
    inferred = tuple(dimension_in(each, known) for each in asked.expressions)
    return replace(
        asked,
        expressions=tuple(each.xreplace(put) for each in asked.expressions),
        relations=tuple(each.substitute(put) for each in asked.relations),
        dimensions=told if asked.has_units or not known else inferred,
        said=(*asked.said, *notes),
    )


def _rate(name: str, value: Expr) -> Words:
    """A rate that was put in, as an equation."""
    return words(Math(name, (("=", Quantity(value, unit_text(dimension_named(name)))),)))


def _check_names(asked: Inputs, option: str, about: _About) -> None:
    names = {**asked.names, **{symbol.name: symbol for symbol in asked.within}}
    occurring = about.symbols.union(names).difference(about.named)
    strange = sorted(set(asked.values) - occurring)
    if strange:
        raise InvalidValueError(
            f"{option} gives {', '.join(strange)}, which does not occur",
            repair=f"the symbols are {', '.join(sorted(occurring)) or 'none'}",
        )


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


def units(asked: Inputs, roof: Roofline | None = None) -> Units:
    """The unit of the one formula that is asked about, those of its symbols, and what binds
    where it is the time of a program."""
    (dimension,) = asked.dimensions or (None,)
    names = {} if roof is None else binding_names(roof)
    put = {s: exact(asked.values[s.name]) for part in names for s in part.free_symbols
           if s.name in asked.values}  # fmt: skip
    names |= {part.xreplace(put): name for part, name in names.items()}
    each = {name: asked.unit(name) for name in asked.units}
    return Units(unit_text(dimension or ()), each, names)


def relied(expr: Expr, answer: Callable[[Expr], object]) -> Words:
    """The dimensions on whose range what is answered of an expression relies."""
    return reliance(expr.free_symbols, lambda swap: answer(expr.xreplace(swap)))
