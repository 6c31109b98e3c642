"""The answer of the checker: a verdict, the evidence for it, and what explains the gap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sympy import Expr, Symbol
from sympy.logic.boolalg import BooleanAtom

from symcost.algebra.relation import Condition, Relation
from symcost.algebra.roots import ROOTS
from symcost.analysis.thresholds.phrases import condition_math
from symcost.analysis.told import told
from symcost.checker.said import order_said, words_of
from symcost.documents.blocks import (
    Block,
    Code,
    Document,
    Inline,
    Listing,
    Math,
    Prose,
    Section,
    Strong,
    Value,
    joined,
    words,
)
from symcost.printing.numbers import decimal
from symcost.registry import ReadOnly
from symcost.render.formats.text import words_text
from symcost.render.shown import Displayed

Formula: TypeAlias = "Expr | Relation"

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

    def words(self) -> tuple[Inline, ...]:
        """The sentence, with mathematics where its maker gave that."""
        return words_of(self.text)


@dataclass(frozen=True, slots=True)
class Counterexample(ReadOnly):
    """Exact values of the symbols at which the two sides differ, and both values there.

    For an inequality the values are sympy's ``true`` and ``false``: whether it holds there.
    """

    values: Mapping[str, Expr]
    claimed: Expr
    expected: Expr

    def __str__(self) -> str:
        return words_text(self.words())

    def words(self) -> tuple[Inline, ...]:
        """The point and both values, with mathematics."""
        point = [words(Math(name, (("=", value),))) for name, value in self.values.items()]
        claimed, expected = (
            str(each).lower() if isinstance(each, BooleanAtom) else Math(each)
            for each in (self.claimed, self.expected)
        )
        at = joined(point) or ("any value",)
        return ("at ", *at, ": claimed ", claimed, ", expected ", expected)


@dataclass(frozen=True, slots=True, repr=False)
class Report(Displayed):
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
        line: the line of a page where it stands.
        when: the conditions without which what is expected does not hold.
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
    when: tuple[Condition, ...] = ()

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

    @property
    def expected_text(self) -> str:
        """What is derived, with the conditions that belong to it; empty where nothing is."""
        return words_text(self.expected_words())

    def expected_words(self) -> tuple[Inline, ...]:
        """The same with mathematics."""
        conditions = joined([(condition_math(each),) for each in self.when], " and ")
        return (*formula_words(self.expected), *((" if ", *conditions) if conditions else ()))

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
            "expected": self.expected_text or None,
            "claimed": _text(self.claimed),
            "ratio": _text(self.ratio),
            "error": _text(self.error),
            "assume": self.assume or None,
            "counterexample": point,
            "diagnosis": [_plain(each) for each in self.diagnosis],
            "note": self.note or None,
            "links": [link.to_dict() for link in self.links],
        }

    def blocks(self) -> tuple[Block, ...]:
        """The verdict, what was found, what explains the gap, and each link of a chain."""
        report = _only(self)
        said = [Prose((f"{name}: ", *shown)) for name, shown in _rows(report)]
        listed = [Prose(words(*each)) for each in _listed(report)]
        links = (block for link in report.links for block in link.blocks())
        return (Prose((Strong(_SAYS[report.verdict]),)), *said, *listed, *links)

    def data(self) -> Mapping[str, object]:
        """The facts, as :meth:`to_dict` gives them."""
        return self.to_dict()

    def document(self) -> Document:
        """The blocks; a terminal shows formulas as they are typed."""
        brief = (Section("", (Listing(report_text(self)),)),)
        return Document("", (Section("", self.blocks()),), brief=brief, data=self.data)


_Row: TypeAlias = tuple[str, tuple[Inline, ...]]  # the name of a finding, and its words


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def formula_words(value: Formula | None) -> tuple[Inline, ...]:
    """A formula or a relation as mathematics; which root of which equation is said in words."""
    if isinstance(value, Relation):
        unknown = value.lhs if value.lhs.is_Symbol else None
        return (Math(value.lhs, ((value.op, _told(value.rhs, unknown)),)),)
    return () if value is None else (Math(_told(value)),)


def _told(value: Expr, unknown: Symbol | None = None) -> Value:
    return told(value, unknown) if value.has(*ROOTS) else value


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
    report = _only(report)
    lines = [f"  {name}: {words_text(shown)}" for name, shown in _rows(report)]
    lines += [f"  {words_text(words(*each))}" for each in _listed(report)]
    for link in report.links:
        lines += ["  " + line for line in report_text(link).splitlines()]
    return "\n".join([_SAYS[report.verdict], *lines])


def _only(report: Report) -> Report:
    """A chain of one link is that link."""
    while len(report.links) == 1:
        only = report.links[0]
        report = replace(only, claim=report.claim, note=only.note or report.note)
    return report


def _listed(report: Report) -> Iterator[tuple[Inline, ...]]:
    """What explains the gap, numbered; that of a chain stands at its links."""
    for number, each in enumerate(() if report.links else report.diagnosis, 1):
        evidence = (" [", *words_of(each.evidence), "]") if each.evidence else ()
        yield (f"{number}. ", Strong(each.kind), ": ", *each.words(), *evidence)


def _rows(report: Report) -> Iterator[_Row]:
    """What is known of a claim, without what is empty; a chain has the most in its links."""
    claimed = formula_words(report.claimed)
    is_plain = bool(claimed) and str(report.claimed) == report.claim
    rows: list[_Row] = [("claim", claimed if is_plain else (Code(report.claim),))]
    if not report.links:
        point = report.counterexample
        rows += [
            ("quantity", (report.quantity,)),
            ("read as", () if is_plain else claimed),
            ("expected", report.expected_words()),
            ("claimed/expected", _number(report.ratio)),
            ("relative error", _number(report.error)),
            ("counterexample", () if point is None else point.words()),
        ]
    rows += [("assume", words_of(order_said(report.assume))), ("note", words_of(report.note))]
    return (row for row in rows if any(row[1]))


def _number(value: Expr | None) -> tuple[Inline, ...]:
    """A formula, or a number: exact where that is short, otherwise its decimals."""
    if value is None or not value.is_number or len(str(value)) <= SHORT:
        return formula_words(value)
    return (decimal(value),)
