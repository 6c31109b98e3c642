"""The facts of a derivation under the keys of the JSON interface."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr

from symcost.analysis.answer import Answer, ChannelAnswer
from symcost.answers.measures import at_largest, in_numbers, numbers_data, quantities
from symcost.answers.narrative import idle_figures


def facts(derived: Answer) -> dict[str, object]:
    """What is known of a program on a chip: costs, times, limits and rules."""
    roof = derived.roofline
    data: dict[str, object] = {
        **quantities(derived, roof),
        "unit": roof.units[0] if roof.units else None,
        "limit": {each.channel: each.limit.data() for each in derived.channels if each.limit},
        "chip": derived.chip.name,
        "unknown": list(roof.unknown),
        "idle": idle_figures(roof),
        "thresholds": [
            row for pair in _channels(derived) for row in _thresholds(*pair, derived.values)
        ],
        "guarantees": [
            e.guarantee.data() | {"channel": e.channel} for e in derived.channels if e.guarantee
        ],
        "proofs": [proof.data() for each in derived.channels for proof in each.proofs],
    }
    if derived.graph.mesh:
        from symcost.plans.steps import plan_of

        data["plan"] = dict(plan_of(derived.graph, roof).data())
    return data | ({"at": numbers_data(in_numbers(derived))} if derived.values else {})


def _channels(derived: Answer) -> zip[tuple[ChannelAnswer, ChannelAnswer]]:
    """Each channel, and the same with the rule of the largest shards."""
    return zip(derived.channels, at_largest(derived).channels, strict=True)


def _thresholds(
    each: ChannelAnswer, worst: ChannelAnswer, values: Mapping[str, Expr]
) -> list[dict[str, object]]:
    rows = [rule.data() | {"channel": each.channel} for rule in each.rules]
    rule = worst.exact_rule
    if rule is not None:
        names = {symbol.name for symbol in rule.parameters}
        if at := {name: value for name, value in values.items() if name in names}:
            shown = {name: str(value) for name, value in at.items()}
            rows.append(rule.at(at).data() | {"channel": each.channel, "at": shown})
    return rows
