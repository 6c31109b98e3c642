"""What a claim counts, as far as its unit, its program and its symbols tell.

Each answer is ``True``, ``False`` or, when nothing tells, ``None``: then a kind that needs the
answer is still proposed, but it loses ``UNSURE`` ranks.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Add, Mul, Pow, Symbol, log

from symcost.algebra.posynomial import power_of
from symcost.checker.case import Case
from symcost.checker.mistakes.catalogue import is_known_link, is_known_memory
from symcost.checker.roles import can_be, role

UNSURE = 9  # ranks lost by a kind of which nothing tells that it may be meant
SURE = -9  # ranks won by a kind for which a factor or an operation speaks
_SIZES = (Fraction(1, 2), 1, 2, 4, 8)  # bytes of a value
_MEMORY = ("hbm", "mem", "memory", "dram", "ddr", "vmem")
_FASTEST = 10**9  # from here on a number of a letter C or W is taken for a rate


def doubt(known: bool | None) -> int:
    """The ranks that a kind loses."""
    return UNSURE if known is None else 0


def peaks(case: Case) -> list[Symbol]:
    """The symbols that are compute rates, not dimensions called ``C``."""
    found = [s for s in case.inputs if role(s.name) == "peak"]
    return [s for s in found if _is_rate(case, s) or _over_bandwidth(case, s)]


def bandwidths(case: Case) -> list[Symbol]:
    """The symbols that are bandwidths, not dimensions called ``W``."""
    return [s for s in case.inputs if role(s.name) == "bandwidth" and _is_rate(case, s)]


def _is_rate(case: Case, symbol: Symbol) -> bool:
    value = case.values.get(symbol)
    if value is not None:
        return value >= _FASTEST
    return (
        case.expected == symbol
        or len(symbol.name) > 1
        or case.quantity == "rate"
        or divides(case, symbol)
    )


def _over_bandwidth(case: Case, symbol: Symbol) -> bool:
    known = symbol not in case.values or case.values[symbol] >= _FASTEST
    return known and bool(bandwidths(case))


def divides(case: Case, symbol: Symbol) -> bool:
    """Whether something is divided by the symbol."""
    if case.ratio is not None and symbol in case.ratio.den.atoms:
        return True
    powers: set[Any] = case.expected.atoms(Pow)
    return any(symbol in p.base.free_symbols and p.exp.is_negative for p in powers)


def is_ridge(case: Case) -> bool:
    """Whether the expectation consists of rates of hardware only."""
    symbols = case.expected.free_symbols
    return bool(symbols) and symbols <= {*peaks(case), *bandwidths(case)}


def degree(case: Case) -> Fraction:
    """The largest sum of powers of the symbols above the line, less that below it."""
    if case.ratio is None:
        return Fraction(0)
    sizes = [s for s in case.inputs if s not in {*peaks(case), *bandwidths(case)}]
    top, bottom = (
        max(Fraction(sum(Fraction(power_of(s, m)) for s in sizes)) for m in part.terms)
        for part in (case.ratio.num, case.ratio.den)
    )
    return top - bottom


def has_training_term(case: Case) -> bool:
    """Whether the FLOPs of training, 6 or 8 a parameter and token, are part of a larger formula."""
    products: set[Any] = case.expected.atoms(Mul)
    for each in products:
        number, rest = each.as_coeff_Mul()
        if number.is_Integer and number % 6 == 0 and len(rest.free_symbols) >= 3:
            return True
    return False


def has_value_size(case: Case) -> bool:
    """Whether one of the symbols is the number of bytes of a value."""
    for symbol in case.inputs:
        if role(symbol.name) == "bytes per value":
            value = case.values.get(symbol)
            if len(symbol.name) > 1 or ((value is None or value in _SIZES) and _is_plain(case)):
                return True
    return False


def _is_plain(case: Case) -> bool:
    """``P*b``, or the bytes of a cache of keys and values; ``b`` may also be a batch."""
    heads = [s.name for s in case.inputs if role(s.name) == "kv heads"]
    cache = any(len(name) > 1 or case.values for name in heads)
    return cache or degree(case) <= 2


def counts_flops(case: Case) -> bool | None:
    """Whether the claim counts operations."""
    if case.quantity in ("flops", "t_math"):
        return True
    if case.quantity in ("bytes", "t_comms", "rate", "count"):
        return False
    if case.ledger is not None:
        return True
    if is_ridge(case):
        return False
    if peaks(case):
        return True
    if bandwidths(case) or is_collective(case) or has_value_size(case):
        return False
    return True if degree(case) >= 2 else None


def counts_bytes(case: Case) -> bool | None:
    """Whether the claim counts bytes."""
    if case.quantity in ("bytes", "t_comms"):
        return True
    if case.quantity in ("flops", "t_math", "rate", "count"):
        return False
    if case.ledger is not None or has_value_size(case):
        return True
    if is_ridge(case):
        return False
    return True if bandwidths(case) and degree(case) >= 2 else None


def is_collective(case: Case) -> bool | None:
    """Whether data pass between devices: a factor ``(n - 1)/n``, a link, devices that share."""
    if channel(case):
        return channel(case) not in _MEMORY
    if case.quantity in ("flops", "t_math", "intensity", "count"):
        return False
    if has_ring_factor(case):
        return True
    links = [is_link(case, s) for s in bandwidths(case)]
    if not links:
        return None if case.quantity == "rate" else False
    shared = any(can_be(s.name, "devices") for s in case.inputs)
    return None if None in links or (True in links and not shared) else True in links


def channel(case: Case) -> str:
    """The name of the channel that is counted, if there is one."""
    if case.channel or case.ledger is None:
        return case.channel
    names = {e.resource.name for e in case.ledger.entries if not e.resource.is_compute}
    return next(iter(names)) if len(names) == 1 else ""


def has_ring_factor(case: Case) -> bool:
    """Whether ``n - 1`` is a factor, or ``log(n)`` steps are taken, beside a bandwidth."""
    for each in case.expected.atoms(Add):
        symbols = sorted(each.free_symbols, key=str)
        if len(symbols) == 1 and (divides(case, symbols[0]) or bandwidths(case)):
            count = each.coeff(symbols[0])  # 2*n - 2 is as good as n - 1
            if count.is_positive and each == count * symbols[0] - count:
                return True
    return bool(bandwidths(case)) and bool(case.expected.atoms(log))


def is_link(case: Case, symbol: Symbol) -> bool | None:
    """Whether a bandwidth is that of a link, which has two directions, not of a memory."""
    words = symbol.name.lower().split("_")
    if any(word in _MEMORY for word in words):
        return False
    if len(words) > 1 and words[0] in ("w", "bw"):
        return True
    if channel(case):
        return channel(case) not in _MEMORY
    value = case.values.get(symbol)
    if value is not None and is_known_link(value) != is_known_memory(value):
        return is_known_link(value)
    if any(can_be(s.name, "devices") for s in case.inputs) and not peaks(case):
        return True
    return False if is_ridge(case) and value is None else None
