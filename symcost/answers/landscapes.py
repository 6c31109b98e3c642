"""Regimes, sweeps and optima as documents."""

from __future__ import annotations

from symcost.analysis.optimum.types import Optimum
from symcost.analysis.regimes.breakpoints import Breakpoints
from symcost.analysis.regimes.regimes import Regimes
from symcost.documents.blocks import Document, Prose, Section


def regimes(found: Regimes, note: str = "", domain: str = "") -> Document:
    """Which term is largest where, then the rules of thumb, the weightiest first."""
    said = note or found.note
    lines = [domain, f"note: {said}" if said else ""]
    data = found.data() | {"note": said} | ({"domain": domain} if domain else {})
    return _below(found, lines, data)


def breakpoints(found: Breakpoints) -> Document:
    """The winner of each stretch of a sweep, with exact ends and the integers between them."""
    return found.document()


def optimum(found: Optimum, domain: str = "") -> Document:
    """A minimum, case by case: value, point, why it is there, and when."""
    return _below(found, [domain], found.data() | ({"domain": domain} if domain else {}))


def _below(found: Regimes | Optimum, lines: list[str], data: dict[str, object]) -> Document:
    below = tuple(Prose(line) for line in lines if line)
    return Document("", (Section("", (*found.blocks(), *below)),), data=data)
