"""What a page would have to say before one of its formulas could be decided."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from sympy import Expr, Mul, Symbol, factor, fraction

from symcost.algebra import as_ratio
from symcost.checker.report import Report
from symcost.errors import SymcostError

_PLAIN = re.compile(r"[^\W\d_]{1,2}|[^\W\d_]+_?\d+|[^\W\d_]_[^\W\d_]")  # B, W1, T_2: no words
MAX_TERMS = 40  # of a gap that is factored
SMALL = 16  # numbers up to which a factor is likelier a mistake than a value


def missing(claimed: Expr, expected: Expr) -> str:
    """Why two sides cannot be compared: names without which nobody can tell; "" if they can.

    A number and symbols need the values of the symbols. Sides that would be equal if names had
    a certain ratio need that said; one symbol in place of one other is a mistake.

    >>> from symcost.symbols import dims
    >>> B, D, F, C = dims("B D F C")
    >>> missing(F / C, 2 * B * D / C), missing(F / C, D / C)
    ('it would hold for F = 2*B*D, which the page does not say', '')
    >>> missing(B * D, 8 * B)
    'D has no value on the page before this line'
    >>> missing(D + B, D + B + C), missing(C / F, 240 * B)
    ('', 'B, C, F have no values on the page before this line')
    """
    left, right = claimed.free_symbols, expected.free_symbols
    if not (left and right) or (not left & right and len(left | right) > 2):
        return without(left | right)
    try:
        ratio = as_ratio(claimed) / as_ratio(expected)
    except SymcostError:
        return without(left ^ right) if left - right and right - left else ""
    if len(ratio.num) > 1 or len(ratio.den) > 1:
        apart = left - right and right - left
        return without(left ^ right) if apart else _relation((ratio.num - ratio.den).to_sympy())
    coefficient, rest = ratio.to_sympy().as_coeff_Mul()
    over, under = fraction(rest)
    if over.free_symbols and under.free_symbols:
        (one, power), (other, same) = over.as_base_exp(), under.as_base_exp()
        swapped = coefficient == 1 and power == same and _is_swapped(one, other)
        top, bottom = over * coefficient.p, under * coefficient.q
        return "" if swapped else _would_hold(top, bottom)
    put_in = coefficient != 1 and (rest.is_Symbol or (1 / rest).is_Symbol)
    small = max(abs(coefficient.p), coefficient.q) <= SMALL
    return "" if small and not put_in else without(rest.free_symbols)


def _relation(gap: Expr) -> str:
    """What would close a gap between two sums: ``D = H*D_h``, where one factor of it says so."""
    for part in Mul.make_args(factor(gap)) if len(gap.args) <= MAX_TERMS else ():
        terms = [term.as_coeff_Mul() for term in part.args] if part.is_Add else []
        if len(terms) == 2 and terms[0][0] * terms[1][0] < 0:
            (a, over), (b, under) = sorted(terms, key=lambda term: len(term[1].free_symbols))
            if over.is_Symbol and under.free_symbols and (a != -b or not _is_swapped(over, under)):
                return _would_hold(abs(a) * over, abs(b) * under)
    return ""


def _is_swapped(one: Expr, other: Expr) -> bool:
    """Whether one symbol stands for another; ``S_i`` for ``S`` may be the one of another case."""
    if not (one.is_Symbol and other.is_Symbol):
        return False
    (base, _, index), (stem, _, suffix) = one.name.partition("_"), other.name.partition("_")
    return base != stem or bool(index) == bool(suffix)


def _would_hold(left: Expr, right: Expr) -> str:
    return f"it would hold for {left} = {right}, which the page does not say"


def unbound(left: Expr, right: Expr, known: Collection[Symbol]) -> str:
    """Why two sides as they stand cannot be compared: each has names that nothing defines."""
    sides = (left.free_symbols - right.free_symbols, right.free_symbols - left.free_symbols)
    open_ = [{s for s in own if s not in known} for own in sides]
    return without(open_[0] | open_[1]) if all(open_) else ""


def without(symbols: Collection[Symbol]) -> str:
    """What to say of names without values; "" where there are none."""
    names = sorted(symbol.name for symbol in symbols)
    verb = "has no value" if len(names) == 1 else "have no values"
    return f"{', '.join(names)} {verb} on the page before this line" if names else ""


def in_words(left: Expr, right: Expr, known: Collection[Symbol] = ()) -> str:
    """The words that nothing has defined and that stand on one side only: the link defines them.

    >>> from symcost.symbols import dims
    >>> B, D, flops, size = dims("B D FLOPs bytes")
    >>> in_words(flops / size, B * D / (B + D)), in_words(B, D)
    ('FLOPs, bytes', '')
    """
    own = {s for s in left.free_symbols ^ right.free_symbols if s not in known}
    return ", ".join(sorted(s.name for s in own if not _PLAIN.fullmatch(s.name)))


def without_value(report: Report, note: str) -> Report:
    """The report as undecided: what is missing, and no explanation of a gap that may be none."""
    plain = replace(report, diagnosis=(), counterexample=None, ratio=None, links=())
    return replace(plain, verdict="undecided", note=note)
