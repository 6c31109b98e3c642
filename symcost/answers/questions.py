"""What the verbs about formulas are asked: all texts of a command line, read together once."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping
from dataclasses import replace

from sympy import Symbol

from symcost.errors import InvalidValueError
from symcost.files.contents import read_input
from symcost.hardware import chip
from symcost.hardware.rates import rates_of
from symcost.notation.border import ARelation, ASymbol, Inputs, inputs
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
    _check_names(asked, "--at" if options.get("at") else "--where")
    return _on(asked, options.get("on"))


def text_of(argument: str) -> str:
    """The text of an argument, or of the file that it names."""
    return read_input(argument)


def _on(asked: Inputs, name: str | None) -> Inputs:
    """What is asked, with the figures of a chip put in for the names that it knows."""
    if name is None:
        return asked
    found = chip(name)
    mine = rates_of(found, (each for each in sorted(asked.names) if each not in asked.values))
    put = {asked.names[key]: value for key, value in mine.items()}
    shown = [f"{key} = {quantity(v, _UNITS[key[0]])}" for key, v in mine.items() if v.is_number]
    return replace(
        asked,
        expressions=tuple(each.xreplace(put) for each in asked.expressions),
        relations=tuple(each.substitute(put) for each in asked.relations),
        notes=(*asked.notes, *((f"{', '.join(shown)} on {found.title}",) if shown else ())),
    )


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
    inner = {s for v in asked.values.values() for s in getattr(v, "free_symbols", ())}
    return {**asked.names, **{symbol.name: symbol for symbol in inner}}


def chosen(name: str, asked: Inputs) -> Symbol:
    """The symbol of a name that must occur.

    Raises:
        InvalidValueError: it does not.
    """
    names = {s.name: s for e in asked.expressions for s in e.free_symbols}
    if name not in names:
        raise InvalidValueError(
            f"{name} does not occur",
            repair=f"the symbols are {', '.join(sorted(names)) or 'none'}",
        )
    return names[name]
