"""The facts of a derivation under the keys of the JSON interface."""

from __future__ import annotations

from symcost.analysis.answer import Answer, ChannelAnswer


def facts(found: Answer) -> dict[str, object]:
    """What is known of a program on a chip: costs, times, limits and rules."""
    ledger, roof = found.ledger, found.roofline
    return {
        "flops": ledger.flops(),
        "flops_by_unit": {unit: ledger.flops(unit) for unit in ledger.units},
        "bytes": {channel: ledger.bytes(channel) for channel in ledger.channels},
        "unit": roof.units[0] if roof.units else None,
        "intensity": {each.channel: each.intensity for each in found.channels},
        "limit": {each.channel: each.limit.data() for each in found.channels if each.limit},
        "chip": found.chip.name,
        "critical_intensity": {each.channel: each.critical for each in found.channels},
        "t_math": roof.t_math,
        "t_by_unit": {unit: roof.time(unit) for unit in roof.units},
        "t_comms": roof.t_comms,
        "t_lower": roof.lower,
        "t_upper": roof.upper,
        "unknown": list(roof.unknown),
        "thresholds": [row for each in found.channels for row in _thresholds(each, found)],
        "guarantees": [
            e.guarantee.data() | {"channel": e.channel} for e in found.channels if e.guarantee
        ],
        "proofs": [proof.data() for each in found.channels for proof in each.proofs],
    }


def _thresholds(each: ChannelAnswer, found: Answer) -> list[dict[str, object]]:
    rows = [rule.data() | {"channel": each.channel} for rule in each.rules]
    rule = each.exact_rule
    if rule is not None and found.values:
        names = {s.name for s in rule.lhs.free_symbols | rule.rhs.free_symbols} - {rule.symbol.name}
        at = {name: value for name, value in found.values.items() if name in names}
        if at:
            shown = {name: str(value) for name, value in at.items()}
            rows.append(rule.at(at).data() | {"channel": each.channel, "at": shown})
    return rows
