"""Regimes, sweeps and optima as documents."""

from __future__ import annotations

from symcost.analysis.optimum.types import Optimum
from symcost.analysis.regimes.regimes import Regimes
from symcost.documents.blocks import Document, Prose, Section


def regimes(found: Regimes, *notes: str, domain: str = "") -> Document:
    """Which term is largest where, then the rules of thumb, the weightiest first."""
    said = notes or (() if not found.note else (found.note,))
    data = found.data() | {"note": "; ".join(said)}
    return _below(found, data, domain, said)


def optimum(found: Optimum, domain: str = "", notes: tuple[str, ...] = ()) -> Document:
    """A minimum, case by case: value, point, why it is there, and when."""
    return _below(found, found.data(), domain, notes)


def _below(
    found: Regimes | Optimum, data: dict[str, object], domain: str, notes: tuple[str, ...]
) -> Document:
    lines = [domain, *(f"note: {note}" for note in notes)]
    below = tuple(Prose(line) for line in lines if line)
    known = data | ({"domain": domain} if domain else {})
    return Document("", (Section("", (*found.blocks(), *below)),), data=known)
