"""The facts of a derivation under the keys of the JSON interface."""

from __future__ import annotations

from symcost.analysis.answer import Answer, ChannelAnswer
from symcost.answers.measures import in_numbers, numbers_data, quantities
from symcost.answers.narrative import idle_figures


def facts(found: Answer) -> dict[str, object]:
    """What is known of a program on a chip: costs, times, limits and rules."""
    roof = found.roofline
    data: dict[str, object] = {
        **quantities(found, roof),
        "unit": roof.units[0] if roof.units else None,
        "limit": {each.channel: each.limit.data() for each in found.channels if each.limit},
        "chip": found.chip.name,
        "unknown": list(roof.unknown),
        "idle": idle_figures(roof),
        "thresholds": [row for each in found.channels for row in _thresholds(each, found)],
        "guarantees": [
            e.guarantee.data() | {"channel": e.channel} for e in found.channels if e.guarantee
        ],
        "proofs": [proof.data() for each in found.channels for proof in each.proofs],
    }
    if found.graph.mesh:
        from symcost.plans.steps import plan_of

        data["plan"] = dict(plan_of(found.graph).data())
    return data | ({"at": numbers_data(in_numbers(found))} if found.values else {})


def _thresholds(each: ChannelAnswer, found: Answer) -> list[dict[str, object]]:
    rows = [rule.data() | {"channel": each.channel} for rule in each.rules]
    rule = each.exact_rule
    if rule is not None:
        names = {symbol.name for symbol in rule.parameters}
        if at := {name: value for name, value in found.values.items() if name in names}:
            shown = {name: str(value) for name, value in at.items()}
            rows.append(rule.at(at).data() | {"channel": each.channel, "at": shown})
    return rows
