"""The answer of the checker: a verdict, the evidence for it, and what explains the gap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sympy import Expr
from sympy.logic.boolalg import BooleanAtom

from symcost.algebra.relation import Relation
from symcost.documents.blocks import Document, Prose, Section, Strong
from symcost.printing.numbers import decimal
from symcost.render.shown import Rendered

SHORT = 9  # characters of a number that is shown exactly
HOLDS = ("exact", "border", "limit", "rounded")
EXIT_CODES = {**dict.fromkeys(HOLDS, 0), "convention": 1, "wrong": 1, "undecided": 3}

_SAYS = {
    "exact": "exact: the claim equals what is derived",
    "border": "border: the claim equals what is derived, but for the border",
    "limit": "limit: the claim holds in a limit",
    "rounded": "rounded: the claim holds to the printed digits",
    "convention": "convention: the claim holds under another convention",
    "wrong": "wrong: the claim does not hold",
    "undecided": "undecided",
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One explanation of the gap: its kind, one sentence, and the number that is evidence.

    >>> Diagnosis("mac-for-flop", "counts MACs, half the FLOPs", "1/2").kind
    'mac-for-flop'
    """

    kind: str
    text: str
    evidence: str = ""
    convention: bool = False


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Exact values of the symbols at which the two sides differ, and both values there.

    For an inequality the values are sympy's ``true`` and ``false``: whether it holds there.
    """

    values: Mapping[str, Expr]
    claimed: Expr
    expected: Expr

    def __str__(self) -> str:
        point = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        claimed, expected = (
            str(each).lower() if isinstance(each, BooleanAtom) else str(each)
            for each in (self.claimed, self.expected)
        )
        return f"at {point or 'any value'}: claimed {claimed}, expected {expected}"


@dataclass(frozen=True, slots=True, repr=False)
class Report(Rendered):
    """What became of a claim; ``repr`` is the report as text.

    Args:
        verdict: one of ``exact``, ``border``, ``limit``, ``rounded``, ``convention``, ``wrong``,
            ``undecided``.
        claim: the claim as it was typed, or printed from the expression that was given.
        expected: what is derived, an expression or a relation.
        claimed: the claim as it was understood.
        ratio: claimed over expected, reduced, when it is a monomial or a number.
        error: relative error ``claimed/expected - 1`` of a limit or of a rounding.
        assume: the assumption under which the claim holds, found if none was given.
        counterexample: values at which claim and expectation differ.
        diagnosis: what explains the gap, the likeliest first.
        note: what else to know, such as the limit in which a wrong claim would hold.
        links: for a chain, the report of each link.
        quantity: what was checked, ``"bytes"``, ``"intensity"``, ...
    """

    verdict: str
    claim: str
    expected: Expr | Relation | None = None
    claimed: Expr | Relation | None = None
    ratio: Expr | None = None
    error: Expr | None = None
    assume: str = ""
    counterexample: Counterexample | None = None
    diagnosis: tuple[Diagnosis, ...] = ()
    note: str = ""
    links: tuple[Report, ...] = ()
    quantity: str = ""
    line: int | None = field(default=None)

    @property
    def holds(self) -> bool:
        """Whether the claim is exact, right in a limit, or right to its printed digits."""
        return self.verdict in HOLDS

    @property
    def exit_code(self) -> int:
        """0 when the claim holds, 1 when it does not, 3 when that cannot be decided."""
        return EXIT_CODES[self.verdict]

    @property
    def first_gap(self) -> Report | None:
        """The first link of a chain that does not follow."""
        return next((link for link in self.links if not link.holds), None)

    def document(self) -> Document:
        """What became of the claim, the verdict first."""
        first, *rest = report_text(self).splitlines()
        said = (Prose((Strong(first),)), *map(Prose, rest))
        return Document("", (Section("", said),), data=self.to_dict())

    def to_dict(self) -> dict[str, object]:
        """The report as plain data: formulas are sympy-readable strings."""
        found = self.counterexample
        point = found and {
            "values": {name: str(value) for name, value in found.values.items()},
            "claimed": str(found.claimed),
            "expected": str(found.expected),
        }
        return {
            "verdict": self.verdict,
            "claim": self.claim,
            "quantity": self.quantity or None,
            "expected": _text(self.expected),
            "claimed": _text(self.claimed),
            "ratio": _text(self.ratio),
            "error": _text(self.error),
            "assume": self.assume or None,
            "counterexample": point,
            "diagnosis": [_plain(each) for each in self.diagnosis],
            "note": self.note or None,
            "links": [link.to_dict() for link in self.links],
        }

    def __repr__(self) -> str:
        return report_text(self)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _plain(diagnosis: Diagnosis) -> dict[str, str]:
    return {
        "kind": diagnosis.kind,
        "text": diagnosis.text,
        **({"evidence": diagnosis.evidence} if diagnosis.evidence else {}),
    }


def report_text(report: Report) -> str:
    """The report as lines of text, the verdict first.

    >>> print(report_text(Report("exact", "2*B", quantity="flops")))
    exact: the claim equals what is derived
      claim: 2*B
      quantity: flops
    """
    if len(report.links) == 1:
        only = report.links[0]
        return report_text(replace(only, claim=report.claim, note=only.note or report.note))
    found = [] if report.links else _details(report)
    rows = [("claim", report.claim), *found, ("assume", report.assume), ("note", report.note)]
    lines = [_SAYS[report.verdict], *(f"  {name}: {value}" for name, value in rows if value)]
    for number, each in enumerate(() if report.links else report.diagnosis, 1):
        evidence = f" [{each.evidence}]" if each.evidence else ""
        lines.append(f"  {number}. {each.kind}: {each.text}{evidence}")
    for link in report.links:
        lines += ["  " + line for line in report_text(link).splitlines()]
    return "\n".join(lines)


def _details(report: Report) -> list[tuple[str, str | None]]:
    """What was found of one claim; a chain has it in its links."""
    return [
        ("quantity", report.quantity),
        ("read as", _readable(report)),
        ("expected", _text(report.expected)),
        ("claimed/expected", _readable_number(report.ratio)),
        ("relative error", _readable_number(report.error)),
        ("counterexample", _text(report.counterexample)),
    ]


def _readable_number(value: Expr | None) -> str | None:
    """A formula, or a number: exact where that is short, otherwise its decimals."""
    if value is None or not value.is_number or len(str(value)) <= SHORT:
        return _text(value)
    return decimal(value)


def _readable(report: Report) -> str | None:
    """How the claim was read, when that is not what was typed."""
    shown = _text(report.claimed)
    return None if shown is None or shown == report.claim.replace("**", "^") else shown
