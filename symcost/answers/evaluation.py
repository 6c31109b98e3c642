"""``symcost eval``: a formula or a program in numbers with units."""

from __future__ import annotations

from argparse import Namespace

from sympy import expand_log

from symcost.algebra import as_ratio
from symcost.algebra.exact import exact
from symcost.analysis.answer import answer
from symcost.analysis.values import put_in_numbers
from symcost.answers.measures import in_numbers, measured, numbers_data
from symcost.answers.questions import program_of, question
from symcost.answers.results import note
from symcost.documents.blocks import (
    Block,
    Document,
    Equation,
    Math,
    Prose,
    Quantity,
    Section,
    joined,
    words,
)
from symcost.notation.numbers import Value as Number
from symcost.notation.unit_table import unit_text
from symcost.plans.holdings import holdings_data, holdings_table


def evaluate_formula(args: Namespace, text: str) -> Document:
    """The value of a formula, with its unit where the text decides one."""
    asked = question(args, expressions=text)
    (expr,), dimension = asked.expressions, (*asked.dimensions, None)[0]
    put = {s: exact(asked.values[n]) for n, s in asked.names.items() if n in asked.values}
    value = put_in_numbers(expr, put)
    if value.is_number:  # log(8)/log(2) is 3
        value = as_ratio(expand_log(value)).to_sympy()
    unit = unit_text(dimension) if dimension else ""
    shown = Quantity(value, unit)
    missing = [words(s) for s in sorted(value.free_symbols, key=str)]
    missing = [words("no number is given for ", *joined(missing))] if missing else []
    said = [note(each) for each in (*asked.said, *missing)]
    data = {"value": value, "unit": unit or None}
    opening: tuple[Block, ...] = (Prose((Math(shown),)),)
    (written,) = asked.written
    if not value.free_symbols and written.free_symbols:
        opening = (Equation(written, (("=", shown),)),)
    brief = Section("", (Prose((Math(shown),)), *said))
    return Document("", (Section("", tuple(said)),), opening, (brief,), data)


def evaluate_program(args: Namespace, values: dict[str, Number]) -> Document:
    """FLOPs, bytes, intensities, times and what binds, at the given sizes."""
    graph = program_of(args.formula, args.mesh)
    derived = in_numbers(answer(graph, args.on, at=values, serial=args.serial))
    data = {"chip": derived.chip.name if args.on else None, **numbers_data(derived)}
    title = f"On {derived.chip.title}" if args.on else "In numbers"
    sections = [Section("", tuple(measured(derived)))]
    if derived.graph.mesh:
        sections.append(Section("On each device", (holdings_table(derived.graph),)))
        data["tensors"] = holdings_data(derived.graph)
    return Document(title, tuple(sections), data=data)
