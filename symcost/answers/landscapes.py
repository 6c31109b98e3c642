"""Regimes, sweeps and optima in the formats of the command line."""

from __future__ import annotations

from typing import Any

from sympy import Expr

from symcost.analysis.optimum.types import Optimum, OptimumCase
from symcost.analysis.regimes.breakpoints import Breakpoints, Stretch
from symcost.analysis.regimes.regimes import Regimes
from symcost.printing.numbers import decimal, exact_and_decimal
from symcost.printing.text import relation_text, to_text
from symcost.render.json import dump


def regimes(found: Regimes, form: str, note: str = "", domain: str = "") -> str:
    """Which term is largest where, then the rules of thumb, the weightiest first."""
    note = note or found.note
    if form == "json":
        return dump(
            {
                "regimes": [
                    {"term": to_text(r.term), "when": [border.text for border in r.region]}
                    for r in found.regimes
                ],
                "never": [to_text(term) for term in found.never],
                "rules": [rule.text for rule in found.rules],
                "assume": found.assume,
                "note": note,
                **({"domain": domain} if domain else {}),
            }
        )
    lines = [regime.text for regime in found.regimes]
    lines += [f"{to_text(term)} is the largest nowhere" for term in found.never]
    lines += [f"rule: {rule.text}" for rule in found.rules]
    lines += [domain] if domain else []
    return "\n".join([*lines, f"note: {note}"] if note else lines)


def breakpoints(found: Breakpoints, form: str) -> str:
    """The winner of each stretch of a sweep, with exact ends and the integers between them."""
    if form == "json":
        return dump({"symbol": found.symbol.name, "stretches": [_data(s) for s in found.stretches]})
    return "\n".join(_line(stretch, found.symbol.name) for stretch in found.stretches)


def _line(stretch: Stretch, name: str) -> str:
    ends = f"{name} from {_number(stretch.low)} to {_number(stretch.high)}"
    if stretch.first_integer is None:
        whole = "no integer"
    else:
        whole = f"integers {stretch.first_integer} to {stretch.last_integer}"
    return f"{ends} ({whole}): {to_text(stretch.winner)}"


def _number(value: Expr) -> str:
    return exact_and_decimal(value) if value.is_number else to_text(value)


def _data(stretch: Stretch) -> dict[str, Any]:
    return {
        "winner": to_text(stretch.winner),
        "low": to_text(stretch.low),
        "high": to_text(stretch.high),
        "first_integer": stretch.first_integer,
        "last_integer": stretch.last_integer,
    }


def optimum(found: Optimum, form: str, domain: str = "") -> str:
    """A minimum, case by case: value, point, why it is there, and when."""
    if form == "json":
        data: dict[str, Any] = {"cases": [_case_data(case) for case in found.cases]}
        return dump(data | ({"domain": domain} if domain else {}))
    return "\n".join([*map(_case, found.cases), *([domain] if domain else [])])


def _case(case: OptimumCase) -> str:
    named, where = case.with_named_roots()
    if case.value is None or named.value is None:
        said = f"no minimum: {case.reason}"
    else:
        at = ", ".join(f"{s} = {_named(named.point[s], v)}" for s, v in case.point.items())
        said = f"{_named(named.value, case.value)} at {at}{where} ({case.kind}: {case.reason})"
    when = " and ".join(relation_text(r.lhs, r.op, r.rhs) for r in case.when)
    return f"{said} if {when}" if when else said


def _named(shown: Expr, value: Expr) -> str:
    """A value with names for its roots, and its decimals if it is a number."""
    if shown == value:
        return _number(value)
    return f"{to_text(shown)} ({decimal(value)})" if value.is_number else to_text(shown)


def _case_data(case: OptimumCase) -> dict[str, Any]:
    return {
        "value": None if case.value is None else to_text(case.value),
        "point": {symbol.name: to_text(value) for symbol, value in case.point.items()},
        "kind": case.kind,
        "reason": case.reason,
        "when": " and ".join(relation_text(r.lhs, r.op, r.rhs) for r in case.when),
    }
