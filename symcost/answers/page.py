"""A derivation as a page: the answer first, then sentences that carry the equations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from symcost.analysis.answer import Answer, ChannelAnswer
from symcost.analysis.roofline import Roofline
from symcost.analysis.thresholds.phrases import SMOOTH, statements
from symcost.analysis.thresholds.threshold import Threshold
from symcost.answers import narrative as told
from symcost.answers import rulings
from symcost.answers.facts import facts
from symcost.answers.measures import time_name
from symcost.documents.blocks import (
    Block,
    Document,
    Equation,
    Listing,
    Math,
    Prose,
    Rule,
    Section,
    Statement,
    Words,
    inlines,
    joined,
    listed,
    words,
)
from symcost.documents.wording import assumption_words, capital
from symcost.model.program_text import program_text
from symcost.symbols import rate


def document(derived: Answer) -> Document:
    """A derivation: a page for readers, short lines for a terminal, facts for programs."""
    sections = [
        Section("", (Listing(program_text(derived.graph)),)),
        Section("What every device does", told.on_devices(derived)),
        Section("What it costs", tuple(_costs(derived))),
        Section("How long it takes", tuple(_times(derived))),
        Section(words("Where ", *_assumed(derived)), tuple(_limits(derived))),
        Section(_rule_title(derived), tuple(_rules(derived))),
        Section(rulings.numbers_title(derived), tuple(map(_opened, rulings.numbers(derived)))),
    ]
    return Document(
        derived.graph.name or "Cost derivation",
        tuple(section for section in sections if section.blocks),
        tuple(_opening(derived)),
        told.lines(derived),
        partial(facts, derived),
    )


def _opening(derived: Answer) -> Iterator[Block]:
    """The rule, or without a question the intensity; under what, and on what."""
    where = f" on {derived.chip.title}" if derived.chip.name else ""
    for each in derived.channels:
        if not each.rules:
            links = [("=", each.intensity)] if each.limit is None else [("→", each.limit.value)]
            yield Equation(told.intensity_name(derived, each), tuple(links), _under(each))
            continue
        rule = each.rules[0]
        against = "" if len(derived.channels) == 1 else f", against {each.channel}"
        under = words(", under ", *assumption_words(rule.assumptions)) if rule.assume else ()
        yield Rule(statements(rule), words(f"Compute-bound{where}{against}", *under))


def _under(each: ChannelAnswer) -> Words:
    limit = each.limit
    return "" if limit is None else words("under ", *assumption_words(limit.assumptions))


def _assumed(derived: Answer) -> Words:
    """What is assumed, as mathematics."""
    limits = [each.limit for each in derived.channels if each.limit is not None]
    return assumption_words(limits[0].assumptions) if limits else (derived.assume,)


def _costs(derived: Answer) -> Iterator[Block]:
    flops, traffic = list(told.flops(derived)), list(told.traffic(derived))
    if flops:
        yield Prose("A multiply-add counts as two operations, so the arithmetic is")
        yield from flops
    if traffic:
        yield Prose("Each operand is read once and each result written once, so what is moved is")
        yield from traffic
    intensities = list(told.intensities(derived))
    if intensities:
        yield Prose("and the arithmetic intensity, the FLOPs for each byte that is moved, is")
        yield from (Equation(each.name, each.links) for each in intensities)


def _times(derived: Answer) -> Iterator[Block]:
    roof = told.with_symbols(derived)
    names = roof.names
    if not names:
        return
    rates = listed([_rate(roof, name) for name in names])
    yield Prose(words("With ", *rates, f", the {'times are' if len(names) > 1 else 'time is'}"))
    for name in names:
        yield Equation(time_name(roof, name), (("=", told.quotient(roof, name)),))
    yield from (Prose(f"Left out: {each}.") for each in roof.unknown)
    yield from told.path(derived, roof)
    if len(names) > 1:
        lower, upper = told.bounds(derived.roofline)
        yield Prose(
            words(
                "Where everything overlaps, the program takes the longest of these, ",
                Math(rate("T_lower"), (("=", lower),)),
                "; where nothing does, it takes their sum, ",
                Math(rate("T_upper"), (("=", upper),)),
                ".",
            )
        )
    figures = [_figure(each) for each in told.figures(derived)]
    if figures:
        yield Prose(words(f"On {derived.chip.title}, ", *listed(figures), "."))
    if idle := told.idle_figures(derived.roofline):
        yield Prose(f"Not used of the given figures: {', '.join(idle)}.")
    criticals = [Equation(each.name, each.links) for each in told.criticals(derived)]
    if criticals:
        yield Prose("Arithmetic takes longer than moving the bytes above the critical intensity,")
        yield from criticals


def _figure(each: Equation) -> Words:
    """A figure of the chip in a sentence, and what it is."""
    return words(Math(each.name, each.links), " (", *inlines(each.reason), ")")


def _rate(roof: Roofline, name: str) -> Words:
    symbols = dict.fromkeys(t.rate for t in roof.times if t.port.name == name)
    kind = "a peak of the {} unit of" if name in roof.units else "a bandwidth of {} of"
    unit = " FLOP/s" if name in roof.units else " bytes/s"
    return words(kind.format(name) + " ", *joined([words(s) for s in symbols], " and "), unit)


def _limits(derived: Answer) -> Iterator[Block]:
    for each in derived.channels:
        if each.limit is None:
            continue
        name = told.intensity_name(derived, each)
        if each.limit.dropped:
            dropped = listed(list(map(told.small_term, each.limit.dropped)))
            several = len(each.limit.dropped) > 1
            terms, are = ("terms ", "are") if several else ("term ", "is")
            said = f" {are} dropped; the simple form, and the exact error that this makes, are"
            yield Prose(words("The small ", terms, *dropped, said))
        else:
            yield Prose("Nothing is dropped, and the intensity is")
        yield Equation(name, (("→", each.limit.value),))
        if each.limit.dropped:
            yield Equation("relative error", (("=", each.limit.relative_error),))


def _rule_title(derived: Answer) -> Words:
    return "" if derived.solve_for is None else words("The rule for ", derived.solve_for)


def _rules(derived: Answer) -> Iterator[Block]:
    """The rules that do not open the page already, and what was proved."""
    if derived.solve_for is None:
        return
    answered = [block.cases for block in _opening(derived) if isinstance(block, Rule)]
    rules = [rule for rule in rulings.rules(derived, _form) if _cases(rule) not in answered]
    if rules:
        yield Prose("The program is compute-bound where its intensity exceeds the critical one.")
    yield from map(_opened, rules)


def _opened(block: Block) -> Block:
    """A rule whose words begin as a sentence does."""
    return replace(block, what=capital(block.what)) if isinstance(block, Rule) else block


def _cases(block: Block) -> tuple[Statement, ...] | None:
    return block.cases if isinstance(block, Rule) else None


def _form(rule: Threshold) -> Words:
    assumed = assumption_words(rule.assumptions)
    if rule.form == "limit":
        return words("in the limit ", *assumed)
    meant = SMOOTH if rule.form == "smooth" else "exactly"
    return words(meant, *((", with ", *assumed) if rule.assume else ()))
