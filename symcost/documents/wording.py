"""How a case of a rule is worded, once for every format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from symcost.documents.blocks import (
    Inline,
    Link,
    Math,
    Rule,
    Statement,
    Words,
    inlines,
    joined,
    words,
)

if TYPE_CHECKING:
    from symcost.algebra.assumptions import Assumption
    from symcost.algebra.relation import Relation


def statement_words(case: Statement) -> tuple[Inline, ...]:
    """One case as words with mathematics: ``B > 100*D/(D - 100) if D > 100``.

    >>> statement_words(Statement("never", conditions=(Math("D", (("<=", "100"),)),)))
    ('never', ' ', 'if ', Math(left='D', links=(('<=', '100'),)))
    """
    head, remark, when = statement_parts(case)
    said = (*head, *((", ", *remark) if remark else ()), *((" ", *when) if when else ()))
    return (*said, " (", *inlines(case.note), ")") if case.note else said


class Parts(NamedTuple):
    """What a case says, what is remarked about it, and under which condition it holds."""

    head: tuple[Inline, ...]
    remark: tuple[Inline, ...]
    when: tuple[Inline, ...]


def statement_parts(case: Statement) -> Parts:
    """The parts of a case, for formats that do not set it in one line."""
    alternatives = [joined([(link,) for link in each], " and ") for each in case.alternatives]
    said: list[Inline] = ["otherwise "] if case.otherwise else []
    said += [case.word] if case.word else joined(alternatives, " or ")
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
            if case.note:
                yield "", case.note
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


def relation_words(relation: Relation) -> tuple[Inline, ...]:
    """A relation as it is written."""
    return (Math(relation.lhs, ((relation.op, relation.rhs),)),)


def assumption_words(assumptions: Iterable[Assumption]) -> tuple[Inline, ...]:
    """Assumptions as words with mathematics: ``B << D, F; D, F >= 8192``."""
    groups = [list(group) for _, group in groupby(assumptions, key=lambda each: each.text)]
    return joined([part for group in groups for part in _written(group)], "; ")


def _written(group: list[Assumption]) -> list[Words]:
    """What was written with several symbols on one side of a sign: ``B << D, F``."""
    lefts, rights = (list(dict.fromkeys(each.sides[at] for each in group)) for at in (0, 2))
    ops = list(dict.fromkeys(each.sides[1] for each in group))
    if len(ops) > 1 or len(lefts) * len(rights) != len(group):
        return [part for each in group for part in _written([each])]
    links: list[Link] = [(",", each) for each in lefts[1:]]
    links += [(ops[0], rights[0]), *((",", each) for each in rights[1:])]
    return [(Math(lefts[0], tuple(links)),)]
