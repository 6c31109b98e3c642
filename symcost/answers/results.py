"""Single results (a limit, a threshold) in the formats of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symcost.analysis.limit import Approximation
from symcost.analysis.thresholds.phrases import case_latex, case_phrase, case_text, phrases
from symcost.analysis.thresholds.threshold import Threshold
from symcost.printing.latex import to_latex
from symcost.printing.text import to_text
from symcost.render.json import case_data, dump, limit_data, proof_data, threshold_data
from symcost.render.text import percent

if TYPE_CHECKING:
    from symcost.analysis.proof.proof import Proof
    from symcost.analysis.thresholds.feasible import Feasible
    from symcost.analysis.thresholds.guarantee import Guarantee

_SMOOTH = "ceil(x) and floor(x) are taken for x; --integers keeps them"


def limit(
    found: Approximation,
    form: str,
    values: dict[str, Any],
    extra: Extra | None = None,
    proof: Proof | None = None,
) -> str:
    """A limit: the value, its relative error, what was dropped, the error at given numbers."""
    extra = extra or Extra()
    if form == "json":
        found_data = limit_data(found) | extra.data()
        return dump({**found_data, **({"proof": proof_data(proof)} if proof else {})})
    if form == "latex":
        return f"{to_latex(found.exact)} \\to {to_latex(found.value)}"
    lines = [to_text(found.value), f"relative error: {to_text(found.relative_error)}"]
    if values:
        error = found.error_at(values)
        shown = percent(error) if error.is_number else to_text(error)
        lines.append(f"at {_assigned(values)}: {shown}{_outside(found, values)}")
    lines += [*extra.lines, *([repr(proof)] if proof else [])]
    return "\n".join([*lines, *(f"note: {note}" for note in extra.notes)])


def _outside(found: Approximation, values: dict[str, Any]) -> str:
    if not found.is_outside_at(values):
        return ""
    broken = " and ".join(found.broken_at(values))
    why = f": {broken} does not hold there" if broken else ""
    return f" (the limit is used outside its regime{why})"


def _assigned(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


@dataclass(frozen=True, slots=True)
class Extra:
    """What stands below an answer: notes on the reading, its domain, the integers it holds."""

    notes: tuple[str, ...] = ()
    domain: str = ""
    integers: str = ""

    @property
    def lines(self) -> list[str]:
        """The integers and the domain, where there are any."""
        return [line for line in (self.integers, self.domain) if line]

    def data(self) -> dict[str, str]:
        """The same for JSON."""
        named = {"integers": self.integers.partition(": ")[2], "domain": self.domain}
        return {key: value for key, value in named.items() if value}


def feasible(
    found: Feasible, form: str, proofs: tuple[Proof, ...] = (), extra: Extra | None = None
) -> str:
    """Several inequalities at once: a line for each case, with what binds at the ends."""
    extra = extra or Extra()
    cases = [case_phrase(case, found.symbol) for case in found.cases]
    if form == "json":
        data: dict[str, Any] = {
            "symbol": found.symbol.name,
            "cases": [case_data(phrase) for phrase in cases],
            "binds": [
                {"from": list(each.low_binds), "up_to": list(each.high_binds)}
                for each in found.ranges
            ],
            **extra.data(),
        }
        return dump(data | ({"proofs": [proof_data(p) for p in proofs]} if proofs else {}))
    if form == "latex":
        return " \\\\\n".join(map(case_latex, cases))
    lines = [found.said(case) for case in found.cases] + extra.lines
    if any(rule.form == "smooth" for rule in found.constraints.values()):
        lines.append(_SMOOTH)
    return "\n".join([*lines, *map(repr, proofs), *(f"note: {note}" for note in extra.notes)])


def threshold(
    found: Threshold,
    form: str,
    box: Guarantee | None = None,
    proofs: tuple[Proof, ...] = (),
    extra: Extra | None = None,
) -> str:
    """A threshold: a line for each case, and why it is never, where that can be said."""
    extra = extra or Extra()
    if form == "json":
        data = threshold_data(found) | extra.data()
        del data["channel"]
        if box:
            data["guaranteed"] = threshold_data(box.guaranteed) | {"given": box.given}
        return dump(data | ({"proofs": [proof_data(p) for p in proofs]} if proofs else {}))
    if form == "latex":
        return " \\\\\n".join(case_latex(phrase) for phrase in phrases(found))
    lines = [case_text(phrase) for phrase in phrases(found)]
    if found.form == "limit":
        lines.append(f"in the limit {found.assume}, not exactly")
    if found.form == "smooth":
        lines.append(_SMOOTH)
    top = found.supremum() if found.is_never else None
    if top is not None:
        lines.append(f"because the left side stays below {to_text(top)}, whatever {found.symbol}")
    lines += extra.lines
    if box:
        lines.append(box.said)
    return "\n".join([*lines, *map(repr, proofs), *(f"note: {note}" for note in extra.notes)])
