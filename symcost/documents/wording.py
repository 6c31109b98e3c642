"""How a case of a rule is worded, once for every format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from symcost.documents.blocks import Inline, Math, Rule, Statement, Words, inlines, joined, words

if TYPE_CHECKING:
    from symcost.algebra.assumptions import Assumption


def statement_words(case: Statement) -> tuple[Inline, ...]:
    """One case as words with mathematics: ``B > 100*D/(D - 100) if D > 100``.

    >>> statement_words(Statement("never", conditions=(Math("D", (("<=", "100"),)),)))
    ('never', ' ', 'if ', Math(left='D', links=(('<=', '100'),)))
    """
    head, remark, when = statement_parts(case)
    said = (*head, *((", ", *remark) if remark else ()), *((" ", *when) if when else ()))
    return (*said, f" ({case.note})") if case.note else said


class Parts(NamedTuple):
    """What a case says, what is remarked about it, and under which condition it holds."""

    head: tuple[Inline, ...]
    remark: tuple[Inline, ...]
    when: tuple[Inline, ...]


def statement_parts(case: Statement) -> Parts:
    """The parts of a case, for formats that do not set it in one line."""
    alternatives = [joined([(link,) for link in each], " and ") for each in case.alternatives]
    said: list[Inline] = ["otherwise "] if case.otherwise else []
    said += [case.word] if case.word else joined([*alternatives], " or ")
    when: tuple[Inline, ...] = ()
    if case.conditions and not case.otherwise:
        when = ("if ", *joined([(link,) for link in case.conditions], " and "))
    return Parts(tuple(said), (case.remark,) if case.remark else (), when)


def large_lines(rule: Rule) -> Iterator[tuple[str, Words]]:
    """The lines of a rule that opens a page: which are strong or large, and their words.

    >>> [look for look, _ in large_lines(Rule((Statement("never"),), "The rule"))]
    ['strong', '']
    """
    if rule.what:
        yield "strong", rule.what
    for case in rule.cases:
        head, remark, when = statement_parts(case)
        if any(isinstance(piece, Math) for piece in head):
            yield "large", head
            if when or remark:
                yield "", joined([*filter(None, (when, remark))])
        else:
            yield "", statement_words(case)
    if rule.reason:
        yield "", words("because ", *inlines(rule.reason))


def capital(text: Words) -> Words:
    """Words that begin a sentence.

    >>> capital("exactly")
    ('Exactly',)
    """
    first, *others = inlines(text) or ("",)
    return (first[:1].upper() + first[1:] if isinstance(first, str) else first, *others)


def assumption_words(assumptions: Iterable[Assumption]) -> tuple[Inline, ...]:
    """Assumptions as words with mathematics: ``B << D, F; F = 4*D``."""
    groups = groupby(assumptions, key=lambda each: (each.text, each.sides[0]))
    return joined([_one_left(list(group)) for _, group in groups], "; ")


def _one_left(group: list[Assumption]) -> Words:
    """What was written with one left side: ``B << D, F``."""
    (left, op, first), *others = [each.sides for each in group]
    return (Math(left, ((op, first), *((",", right) for _, _, right in others))),)
