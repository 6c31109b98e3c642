"""What a derivation says, before it is set in type: sections of sums, equations and rules.

The renderers (text, Markdown, LaTeX, HTML) know these few blocks and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sympy import Expr

from symcost.analysis.thresholds.threshold import Threshold


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number and its unit (``"s"``, ``"FLOP/s"``, ``"FLOP/byte"``, or none)."""

    value: Expr
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a sum and what it is for: ``2*D*F``, "read W"."""

    value: Expr
    what: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Program text, set as code."""

    text: str


@dataclass(frozen=True, slots=True)
class Sum:
    """``name`` = the terms, each with its reason, = ``total``."""

    name: str
    terms: tuple[Term, ...]
    total: Expr
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Equation:
    """``name`` followed by links: an operator (``=``, ``≈``, ``→``, ``>``) and a value each."""

    name: str
    links: tuple[tuple[str, Expr | Quantity], ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A threshold, case by case, and what to call it."""

    threshold: Threshold
    what: str
    reason: str = ""


Block: TypeAlias = Prose | Listing | Sum | Equation | Rule


@dataclass(frozen=True, slots=True)
class Section:
    """A step of the derivation: its title and its blocks."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A derivation as a document."""

    title: str
    sections: tuple[Section, ...]
