"""Results as JSON: a stable interface, with formulas as sympy-readable strings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sympy import Expr

from symcost.analysis.answer import Answer, ChannelAnswer
from symcost.analysis.limit import Approximation
from symcost.analysis.thresholds.phrases import CasePhrase, phrases
from symcost.analysis.thresholds.threshold import Threshold
from symcost.printing.text import relation_text, to_text

if TYPE_CHECKING:
    from symcost.analysis.proof.proof import Proof


def answer_json(found: Answer) -> str:
    """The results of a derivation; the keys are those of the command line's interface."""
    return dump(answer_data(found))


def answer_data(found: Answer) -> dict[str, Any]:
    """The same as plain dictionaries and lists."""
    ledger, roof = found.ledger, found.roofline
    return {
        "flops": to_text(ledger.flops()),
        "flops_by_unit": {unit: to_text(ledger.flops(unit)) for unit in ledger.units},
        "bytes": {channel: to_text(ledger.bytes(channel)) for channel in ledger.channels},
        "unit": roof.units[0] if roof.units else None,
        "intensity": {each.channel: to_text(each.intensity) for each in found.channels},
        "limit": {e.channel: limit_data(e.limit) for e in found.channels if e.limit},
        "chip": found.chip.name,
        "critical_intensity": {each.channel: to_text(each.critical) for each in found.channels},
        "t_math": to_text(roof.t_math),
        "t_math_by_unit": {unit: to_text(roof.time(unit)) for unit in roof.units},
        "t_comms": {channel: to_text(time) for channel, time in roof.t_comms.items()},
        "t_lower": to_text(roof.lower),
        "t_upper": to_text(roof.upper),
        "unknown": list(roof.unknown),
        "thresholds": [row for each in found.channels for row in _thresholds(each, found)],
        "guarantees": [
            {**threshold_data(e.guarantee.guaranteed, e.channel), "given": e.guarantee.given}
            for e in found.channels
            if e.guarantee
        ],
        "proofs": [proof_data(proof) for each in found.channels for proof in each.proofs],
    }


def limit_data(found: Approximation) -> dict[str, Any]:
    """A limit: the kept form, its exact error, and what was dropped."""
    return {
        "value": to_text(found.value),
        "relative_error": to_text(found.relative_error),
        "dropped": [
            {"term": to_text(d.term), "part": d.part, "from": list(d.origin)} for d in found.dropped
        ],
        "assume": found.assume,
    }


def _thresholds(each: ChannelAnswer, found: Answer) -> list[dict[str, Any]]:
    rows = [threshold_data(rule, each.channel) for rule in each.rules]
    rule = each.exact_rule
    if rule is not None and found.values:
        names = {s.name for s in rule.lhs.free_symbols | rule.rhs.free_symbols} - {rule.symbol.name}
        at = {name: value for name, value in found.values.items() if name in names}
        if at:
            shown = {name: str(value) for name, value in at.items()}
            rows.append({**threshold_data(rule.at(at), each.channel), "at": shown})
    return rows


def threshold_data(found: Threshold, channel: str = "") -> dict[str, Any]:
    """A threshold: its main case spelled out, and all cases."""
    bound = found.bound
    return {
        "symbol": found.symbol.name,
        "relation": found.relation,
        "bound": to_text(bound) if bound is not None else None,
        "bound_numeric": _float(bound),
        "smallest_integer": found.smallest_integer,
        "when": _when(phrases(found)[found.cases.index(found.main)]),
        "form": found.form,
        "assume": found.assume,
        "channel": channel,
        "cases": [case_data(phrase) for phrase in phrases(found)],
    }


def proof_data(found: Proof) -> dict[str, Any]:
    """A proof: its statement, its status, and exact numbers that refute it if any do."""
    point = found.counterexample
    return {
        "status": found.status,
        "statement": found.statement,
        "method": found.method,
        "counterexample": {s.name: str(v) for s, v in point.items()} if point else None,
    }


def case_data(phrase: CasePhrase) -> dict[str, Any]:
    """One case: its set and when it is the answer."""
    return {"set": _set(phrase), "when": "otherwise" if phrase.otherwise else _when(phrase)}


def _set(phrase: CasePhrase) -> str:
    return phrase.word or " or ".join(
        " and ".join(relation_text(*link) for link in links) for links in phrase.alternatives
    )


def _when(phrase: CasePhrase) -> str:
    return " and ".join(relation_text(*link) for link in phrase.conditions)


def _float(value: Expr | None) -> float | None:
    return float(value) if value is not None and value.is_number else None


def dump(data: dict[str, Any]) -> str:
    """Indented JSON in plain Unicode."""
    return json.dumps(data, indent=2, ensure_ascii=False)
