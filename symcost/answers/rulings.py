"""The rules of a derivation, and what they are and cost at given sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symcost.analysis.answer import Answer, ChannelAnswer
from symcost.analysis.limit import Approximation
from symcost.analysis.thresholds.phrases import SMOOTH, statements
from symcost.analysis.thresholds.threshold import Threshold
from symcost.answers.measures import at_largest, in_numbers, measured
from symcost.documents.blocks import (
    Block,
    Equation,
    Math,
    Quantity,
    Rule,
    Words,
    inlines,
    joined,
    words,
)
from symcost.documents.wording import assumption_words

OUTSIDE = "the limit is used outside its regime"


def numbers_title(derived: Answer) -> Words:
    """At which sizes the numbers are taken."""
    given = joined([words(Math(name, (("=", each),))) for name, each in derived.values.items()])
    return words("With ", *given) if given else "In numbers"


def _form(rule: Threshold) -> str:
    if rule.form == "limit":
        held = "" if rule.is_related else f", {rule.shown or rule.symbol} held"
        return f"under {rule.assume}{held}"
    meant = SMOOTH if rule.form == "smooth" else "exact"
    return f"{meant}, with {rule.assume}" if rule.assume else meant


def rules(derived: Answer, form: Callable[[Threshold], Words] = _form) -> Iterator[Block]:
    """The rules of each channel and what bounds the whole; ``form`` says how each is meant."""
    for each in derived.channels:
        against = _against(derived, each)
        for rule in each.rules:
            yield Rule(statements(rule), words(*inlines(form(rule)), against), _why(rule))
        if each.latency_rule is not None:
            yield _past_hops(each, each.latency_rule)
        if each.guarantee is not None:
            what = words("guaranteed for ", *assumption_words(each.guarantee.box), against)
            yield Rule(statements(each.guarantee.guaranteed), what)
        for proof in each.proofs:
            yield from proof.blocks()
    yield from _bottlenecks(derived, form)


def _past_hops(each: ChannelAnswer, rule: Threshold, at: str = "") -> Rule:
    """From where on latency does not matter."""
    return Rule(statements(rule), f"{at}sending over {each.channel} takes longer than its hops")


def _against(derived: Answer, each: ChannelAnswer) -> str:
    """Which unit and channel a rule compares, where there are others that may bind."""
    if derived.bottlenecks:
        return f", {derived.roofline.units[0]} against {each.channel} alone"
    return "" if len(derived.channels) == 1 else f", against {each.channel}"


def _bottlenecks(derived: Answer, form: Callable[[Threshold], Words]) -> Iterator[Block]:
    """When each unit and channel takes longer than every other one."""
    for each in derived.bottlenecks:
        for rule in (each.limit_rule, each.exact_rule):
            if rule is not None:
                what = words(f"the bottleneck is {each.name} (", *inlines(form(rule)), ")")
                yield Rule(statements(rule), what)


def _why(rule: Threshold) -> str:
    """What to say of a rule that has no bound: why never, or that its symbol drops out."""
    if rule.symbol not in rule.lhs.free_symbols | rule.rhs.free_symbols:
        return f"it does not depend on {rule.shown or rule.symbol}"
    top = rule.supremum() if rule.is_never else None
    return "" if top is None else f"the intensity stays below {top}, whatever {rule.symbol}"


def numbers(derived: Answer) -> Iterator[Block]:
    """The rule, the errors of the limit, and all quantities at the given sizes."""
    if not derived.values and any(t.seconds.free_symbols for t in derived.roofline.times):
        return
    values, worst = dict(derived.values), at_largest(derived)
    for each in worst.channels:
        rule = each.exact_rule
        others = {n: v for n, v in values.items() if rule and n != rule.symbol.name}
        if rule is not None and others:
            there = _at(rule, others)
            alone = _against(derived, each) or f", against {each.channel}"
            what = f"exact, at these sizes{alone}"
            yield Rule(statements(there), what, _why(there))
            yield from _cost_of_limit(each, others)
            if each.latency_rule is not None:
                yield _past_hops(each, _at(each.latency_rule, others), "at these sizes, ")
        if each.limit is not None:
            yield from _error_of_limit(each.limit, values)
            if rule is not None and rule.symbol.name not in values:
                yield from _error_of_rule(each, others)
    for bottleneck in worst.bottlenecks:
        rule = bottleneck.exact_rule
        others = {n: v for n, v in values.items() if rule and n != rule.symbol.name}
        if rule is not None and others:
            yield Rule(statements(_at(rule, others)), f"the bottleneck is {bottleneck.name} iff")
    if derived.solve_for is None or str(derived.solve_for) in values:
        yield from measured(in_numbers(derived))


def _error_of_limit(
    limit: Approximation, values: dict[str, object], at: str = ""
) -> Iterator[Block]:
    error = limit.error_at(values)
    if error:
        value = Quantity(error, "%") if error.is_number else error
        reason = OUTSIDE if error.is_number and limit.is_outside_at(values) else ""
        yield Equation(f"relative error of the limit{at}", (("=", value),), reason)


def _error_of_rule(each: ChannelAnswer, others: dict[str, object]) -> Iterator[Block]:
    """The error of the limit where its own rule begins, when these sizes are outside its regime."""
    if each.limit is None or each.limit_rule is None or each.guarantee is not None:
        return
    from symcost.analysis.thresholds.guarantee import first_value  # few derivations have a box

    first, name = first_value(each.limit_rule, others), each.limit_rule.symbol.name
    if first is not None and each.limit.is_outside_at({**others, name: first}):
        yield from _error_of_limit(each.limit, {**others, name: first}, f" ({name} = {first})")


def _cost_of_limit(each: ChannelAnswer, others: dict[str, object]) -> Iterator[Block]:
    """What the limit's rule would cost at these sizes, when its first value falls short there."""
    if each.guarantee is None or each.guarantee.limit is None:
        return
    rule = each.guarantee.exact
    names = {s.name for s in rule.lhs.free_symbols | rule.rhs.free_symbols} - {rule.symbol.name}
    if names != names & set(others):
        return
    cost = each.guarantee.cost_of_limit({name: others[name] for name in names})
    if not cost.holds:
        first = f"{rule.symbol} = {cost.value}, the first value of the limit's rule"
        yield Equation(f"shortfall at {first}", (("=", Quantity(-cost.relative, "%")),))


def _at(rule: Threshold, values: dict[str, object]) -> Threshold:
    names = {s.name for s in rule.lhs.free_symbols | rule.rhs.free_symbols}
    known = {name: value for name, value in values.items() if name in names}
    return rule.at(known) if known else rule
