"""What a page would have to say before one of its formulas could be decided."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from sympy import Expr, Symbol

from symcost.checker.report import Report

_WORD = re.compile(r"[^\W\d_]{3,}\w*|[^\x00-\x7f]{2,}\w*|[^\W\d_]+_\w+_\w+")


def missing(claimed: Expr, expected: Expr) -> tuple[str, ...]:
    """The names without which two sides cannot be compared.

    A number and symbols need the values of the symbols. Where one symbol stands for several
    others, ``F/C`` and ``2*B*D/C``, its definition is missing; one symbol in place of one
    other is a mistake.

    >>> from symcost.symbols import dims
    >>> B, D, F, C = dims("B D F C")
    >>> missing(F / C, 2 * B * D / C), missing(F / C, D / C), missing(B * D, 8 * B)
    (('F',), (), ())
    """
    left, right = claimed.free_symbols, expected.free_symbols
    if not (left and right):
        return tuple(sorted(s.name for s in left | right))
    if not left & right and max(len(left), len(right)) > 1:
        return tuple(sorted(s.name for s in left | right))
    for own, other in ((left - right, right - left), (right - left, left - right)):
        if own and len(other) > len(own):
            return tuple(sorted(s.name for s in own))
    return ()


def in_words(left: Expr, right: Expr, known: Collection[Symbol] = ()) -> str:
    """The words that nothing has defined and that stand on one side only: the link defines them.

    >>> from symcost.symbols import dims
    >>> B, D, flops, size = dims("B D FLOPs bytes")
    >>> in_words(flops / size, B * D / (B + D)), in_words(B, D)
    ('FLOPs, bytes', '')
    """
    own = (left.free_symbols ^ right.free_symbols) - set(known)
    words = sorted(s.name for s in own if _WORD.fullmatch(s.name))
    return ", ".join(words)


def without_value(report: Report, note: str) -> Report:
    """The report as undecided: what is missing, and no explanation of a gap that may be none."""
    plain = replace(report, diagnosis=(), counterexample=None, ratio=None, links=())
    return replace(plain, verdict="undecided", note=note)
