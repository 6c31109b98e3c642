"""Documents as JSON: a stable interface, with formulas as sympy-readable strings."""

from __future__ import annotations

import json as encoder
from collections.abc import Mapping
from typing import TypeAlias

from symcost.documents.blocks import Document, Math, Quantity, Rule, Statement
from symcost.render.formats.text import block_lines, exact_text, math_text
from symcost.render.registry import renderer

SCHEMA = 1  # the version of the keys

Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | None"


@renderer("json")
def json(document: Document, *, whole: bool = False) -> str:
    """The facts of a document; of one that has no facts apart, its blocks as lines of text."""
    data = document.facts() or {
        "title": document.title,
        "lines": [line for s in document.lines for b in s.blocks for line in block_lines(b)],
    }
    return encoder.dumps({"schema": SCHEMA, **_mapping(data)}, indent=2, ensure_ascii=False)


def _mapping(data: Mapping[str, object]) -> dict[str, Plain]:
    """Each fact under its key, and beside a formula that is a number that number."""
    mapping: dict[str, Plain] = {}
    for key, value in data.items():
        mapping[key] = plain(value)
        beside = f"{key}_numeric"
        if beside not in data and (number := _numbers(value)) is not None:
            mapping[beside] = number
    return mapping


def plain(value: object) -> Plain:
    """A fact as JSON has it: formulas as text, quantities as numbers in base units.

    >>> plain({"t": Quantity(2, "s"), "n": None})
    {'t': 2, 'n': None}
    """
    match value:
        case None | bool() | str() | int() | float():
            return value
        case Quantity(number):
            return number_of(number)
        case Mapping():
            return (
                {key: plain(each) for key, each in value.items()}
                if _is_table(value)
                else (_mapping(value))
            )
        case Statement():
            return _case(value)
        case Rule(cases):
            return [_case(case) for case in cases]
        case Math():
            return exact_text(value)
        case list() | tuple():
            return [plain(each) for each in value]
    return math_text(Math(value))


def number_of(value: object) -> int | float | None:
    """A JSON number for an exact one; None where there is none, or none so large."""
    if isinstance(value, int) or getattr(value, "is_Integer", False):
        return int(value)  # type: ignore[call-overload, no-any-return]
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        return None
    return number if abs(number) < float("inf") else None


def _is_table(value: Mapping[str, object]) -> bool:
    """Whether it holds formulas by the name of a unit or channel: their numbers stand apart."""
    return all(hasattr(each, "is_number") for each in value.values())


def _numbers(value: object) -> Plain:
    """The number of a formula that is one, or those of a mapping of formulas."""
    if isinstance(value, Mapping) and _is_table(value):
        numbers = {str(key): _numbers(each) for key, each in value.items()}
        known: dict[str, Plain] = {k: n for k, n in numbers.items() if n is not None}
        return known or None
    return number_of(value) if getattr(value, "is_number", False) else None


def _case(case: Statement) -> dict[str, Plain]:
    """One case: its set and when it is the answer."""
    when = " and ".join(map(exact_text, case.conditions))
    chosen = case.word or " or ".join(" and ".join(map(exact_text, a)) for a in case.alternatives)
    return {"set": chosen, "when": "otherwise" if case.otherwise else when}
