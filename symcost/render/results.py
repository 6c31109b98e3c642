"""Single results (a limit, a threshold) in the formats of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from symcost.analysis.limit import Approximation
from symcost.analysis.thresholds.phrases import case_latex, case_text, phrases
from symcost.analysis.thresholds.threshold import Threshold
from symcost.printing.latex import to_latex
from symcost.printing.text import to_text
from symcost.render.json import dump, limit_data, proof_data, threshold_data
from symcost.render.text import percent

if TYPE_CHECKING:
    from symcost.analysis.proof.proof import Proof
    from symcost.analysis.thresholds.guarantee import Guarantee


def limit(
    found: Approximation,
    form: str,
    values: dict[str, Any],
    notes: tuple[str, ...] = (),
    proof: Proof | None = None,
) -> str:
    """A limit: the value, its relative error, what was dropped, the error at given numbers."""
    if form == "json":
        return dump({**limit_data(found), **({"proof": proof_data(proof)} if proof else {})})
    if form == "latex":
        return f"{to_latex(found.exact)} \\to {to_latex(found.value)}"
    lines = [to_text(found.value), f"relative error: {to_text(found.relative_error)}"]
    if values:
        error = found.error_at(values)
        shown = percent(error) if error.is_number else to_text(error)
        lines.append(f"at {_assigned(values)}: {shown}")
    lines += [repr(proof)] if proof else []
    return "\n".join([*lines, *(f"note: {note}" for note in notes)])


def _assigned(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def threshold(
    found: Threshold,
    form: str,
    box: Guarantee | None = None,
    proofs: tuple[Proof, ...] = (),
    notes: tuple[str, ...] = (),
) -> str:
    """A threshold: a line for each case, and why it is never, where that can be said."""
    if form == "json":
        data = threshold_data(found)
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
        lines.append("ceil(x) and floor(x) are taken for x")
    top = found.supremum() if found.is_never else None
    if top is not None:
        lines.append(f"because the left side stays below {to_text(top)}, whatever {found.symbol}")
    if box:
        said = "; ".join(case_text(phrase) for phrase in phrases(box.guaranteed))
        lines.append(f"guaranteed for {box.given}: {said}")
    return "\n".join([*lines, *map(repr, proofs), *(f"note: {note}" for note in notes)])
