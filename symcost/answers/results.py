"""Results of formulas (limits, thresholds, regimes, optima) as documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from symcost.algebra.exact import exact
from symcost.analysis.limit import Approximation
from symcost.analysis.optimum.types import Optimum
from symcost.analysis.regimes.regimes import Regimes
from symcost.analysis.thresholds.feasible import Feasible
from symcost.analysis.thresholds.phrases import threshold_words
from symcost.analysis.thresholds.threshold import Threshold
from symcost.analysis.told import Units
from symcost.documents.blocks import (
    Block,
    Document,
    Math,
    Prose,
    Quantity,
    Section,
    Words,
    inlines,
    joined,
    words,
)
from symcost.documents.wording import assumption_words
from symcost.render.formats.text import words_text

if TYPE_CHECKING:
    from symcost.analysis.proof.proof import Proof
    from symcost.analysis.thresholds.guarantee import Guarantee

Values: TypeAlias = Mapping[str, object]

_KEEPS = "--integers keeps ceil and floor as they are"


@dataclass(frozen=True, slots=True)
class Extra:
    """What stands below an answer: its integers up to a bound, its domain, proofs, notes."""

    notes: tuple[Words, ...] = ()
    domain: Words = ()
    integers: str = ""
    which: str = ""
    proofs: tuple[Proof, ...] = ()

    def blocks(self, *before: Words, box: Words = "") -> tuple[Block, ...]:
        """The lines, after those that explain the answer."""
        whole = f"{self.which}: {self.integers}" if self.integers else ""
        said = [Prose(line) for line in (*before, whole, self.domain, box) if line]
        shown = [block for proof in self.proofs for block in proof.blocks()]
        return (*said, *shown, *map(note, self.notes))

    def data(self) -> dict[str, object]:
        """The same for JSON."""
        named = {"integers": self.integers, "domain": words_text(self.domain)}
        below: dict[str, object] = {key: value for key, value in named.items() if value}
        return below | ({"proofs": [p.data() for p in self.proofs]} if self.proofs else {})


def note(text: Words) -> Prose:
    """A line that says what was taken for granted."""
    return Prose(words("note: ", *inlines(text)))


def limit(approximation: Approximation, values: Values, units: Units, extra: Extra) -> Document:
    """A limit: the value, its relative error, what was dropped, the error at given numbers."""
    at = _error_at(approximation, values, units) if values else ""
    error = words("relative error: ", approximation.relative_error)
    below = extra.blocks(at)
    brief = (Prose(words(approximation.value)), Prose(error), *below)
    return Document(
        "",
        (Section("", below),),
        approximation.blocks(),
        (Section("", brief),),
        approximation.data() | extra.data(),
    )


def _error_at(approximation: Approximation, values: Values, units: Units) -> Words:
    error = approximation.error_at(dict(values))
    shown = Quantity(error, "%") if error.is_number else error
    symbols = {symbol.name: symbol for symbol in approximation.symbols}
    at = [(units.equation(symbols[n], exact(v)),) for n, v in values.items() if n in symbols]
    return words("at ", *joined(at), ": ", Math(shown), _outside(approximation, values))


def _outside(approximation: Approximation, values: Values) -> str:
    if not approximation.is_outside_at(values):
        return ""
    broken = " and ".join(approximation.broken_at(values))
    why = f": {broken} does not hold there" if broken else ""
    return f" (the limit is used outside its regime{why})"


def feasible(answer: Feasible, extra: Extra) -> Document:
    """Several inequalities at once: a line for each case, with what binds at the ends."""
    return _answered(answer, extra.blocks(_KEEPS if answer.is_smooth else ""), extra)


def threshold(rule: Threshold, extra: Extra, box: Guarantee | None = None) -> Document:
    """A threshold: a line for each case, and why it is never, where that can be said."""
    lines: list[Words] = []
    if rule.form == "limit":
        lines.append(words("in the limit ", *assumption_words(rule.assumptions), ", not exactly"))
    if rule.form == "smooth":
        lines.append(_surely(rule))
    top = rule.supremum() if rule.is_never else None
    if top is not None:
        lines.append(words("because the left side stays below ", top, f", whatever {rule.symbol}"))
    document = _answered(rule, extra.blocks(*lines, box=box.said if box else ""), extra)
    data = {**document.facts(), "guaranteed": box.data()} if box else document.data
    return replace(document, data=data)


def _surely(rule: Threshold) -> Words:
    """What holds whatever ceilings and floors do, and how to see the rest."""
    sure = rule.surely()
    if sure is None:
        return (_KEEPS,)
    return words("whatever ceil and floor do: ", *threshold_words(sure))


def _answered(answer: Threshold | Feasible, below: tuple[Block, ...], extra: Extra) -> Document:
    """A document whose opening is the answer, and what stands below it."""
    return Document("", (Section("", below),), answer.blocks(), data=answer.data() | extra.data())


def regimes(answer: Regimes, extra: Extra) -> Document:
    """Which term is largest where, then the rules of thumb, the weightiest first."""
    notes = extra.notes or tuple(filter(None, [answer.note]))
    data = answer.data() | {"note": "; ".join(map(words_text, notes))}
    section = Section("", (*answer.blocks(), *replace(extra, notes=notes).blocks()))
    return Document("", (section,), data=data | extra.data())


def optimum(answer: Optimum, extra: Extra) -> Document:
    """A minimum, case by case: value, point, why it is there, and when."""
    below = extra.blocks()
    brief = Section("", (*answer.blocks(), *below))
    data = answer.data() | extra.data()
    return Document("", (Section("", below),), (answer.rule(),), (brief,), data)
