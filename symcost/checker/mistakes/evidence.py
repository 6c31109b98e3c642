"""What a claim counts, as far as its unit, its program and its symbols tell.

Each answer is ``True``, ``False`` or, when nothing tells, ``None``: then a kind that needs the
answer is still proposed, but it is less likely.
"""

from __future__ import annotations

from fractions import Fraction

from sympy import Add, Expr, Mul, Pow, Symbol, log

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import power_of
from symcost.checker.case import Case
from symcost.checker.mistakes.catalogue import is_known_link, is_known_memory
from symcost.model.ledger import Ledger
from symcost.notation.kinds import can_be, role

_SIZES = (Fraction(1, 2), 1, 2, 4, 8)  # bytes of a value
_MEMORY = ("hbm", "mem", "memory", "dram", "ddr", "vmem")
_FASTEST = 10**9  # from here on a number of a letter C or W is taken for a rate


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
    powers: set[Expr] = case.expected.atoms(Pow)
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
    products: set[Expr] = case.expected.atoms(Mul)
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
    if case.quantity in ("bytes", "memory", "t_comms", "rate", "count"):
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
    if case.quantity in ("bytes", "memory", "t_comms"):
        return True
    if case.quantity in ("flops", "t_math", "rate", "count"):
        return False
    if case.ledger is not None or has_value_size(case):
        return True
    if is_ridge(case):
        return False
    return True if bandwidths(case) and has_elements(case) else None


def has_elements(case: Case) -> bool:
    """Whether sizes are multiplied above the line, as for the number of values of an array."""
    if case.ratio is None:
        return False
    rates = {*peaks(case), *bandwidths(case)}
    counts = [sum(1 for s, p in m if s not in rates and p > 0) for m in case.ratio.num.terms]
    return max(counts, default=0) >= 2


def has_value_factor(case: Case) -> bool:
    """Whether the formula has the size of a value in it, as a number or as a symbol."""
    return has_value_size(case) or any(v in _SIZES and v != 1 for v in case.numbers.values())


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


def is_rate_of_link(case: Case) -> bool | None:
    """Whether the rate that follows is that of a link; nothing tells when no chip has it."""
    value = case.number(case.expected)
    return True if value is not None and is_known_link(value) else None


def is_training(case: Case) -> bool:
    """Whether FLOPs are counted, or a formula of training stands within a larger one."""
    return case.quantity in ("flops", "t_math") or degree(case) >= 2 or has_training_term(case)


def has_training_coefficient(case: Case) -> bool:
    """Whether the coefficients are multiples of 6 or 8, as those of a training step are."""
    return _is_multiple(case, {6: 8, 8: 6})


def has_thirds(case: Case) -> bool:
    """Whether the coefficients are multiples of 3."""
    return _is_multiple(case, {3: 3})


def _is_multiple(case: Case, divisors: dict[int, int]) -> bool:
    """Whether the lead is a multiple of one of the numbers, or of its partner below the line."""
    if case.ratio is None or not case.ratio:
        return False
    above = max((Fraction(c) for c in case.ratio.num.terms.values()), key=abs)
    plain = len(case.ratio.den) == 1
    return any(
        (plain and (above / a).denominator == 1) or (1 / above / b).denominator == 1
        for a, b in divisors.items()
    )


def has_square(case: Case) -> bool:
    """Whether a ratio of rates is squared, as where a time is spent on two axes."""
    if case.ratio is None:
        return False
    squared = [s for s in case.inputs for m in case.ratio.num.terms if power_of(s, m) == 2]
    return degree(case) <= 1 and any(not can_be(s.name, "length") for s in squared)


def length_power(term: Posynomial) -> Fraction:
    """The sum of the powers of symbols that may be lengths."""
    (monomial,) = term.terms
    powers = (Fraction(p) for a, p in monomial if a.is_Symbol and can_be(a.name, "length"))
    return sum(powers, Fraction(0))


def is_quadratic(term: Posynomial) -> bool:
    """Whether a term is quadratic in lengths, as attention scores are."""
    return length_power(term) >= 2


def is_masked_term(case: Case, term: Posynomial) -> bool:
    """Whether a term may be the scores: quadratic in lengths, or more so than every other term.

    FLOPs per token, ``6N + 12LHQT``, are linear in the length.
    """
    if is_quadratic(term):
        return True
    if counts_flops(case) is False or case.ratio is None or len(term.symbols) < 3:
        return False
    others = [length_power(t) for t in case.ratio.num if t != term]
    return bool(others) and all(length_power(term) > power for power in others)


def is_usual_score(term: Posynomial, factor: Fraction | None) -> bool:
    """Whether the larger coefficient is 4 or 12 a head, and not 8: two matmuls, forward or both."""
    (coefficient,) = term.terms.values()
    larger = Fraction(coefficient) * max(factor or Fraction(1), Fraction(1))
    return (larger / 4).denominator != 1 or (larger / 8).denominator != 1


def has_scores(ledger: Ledger) -> bool:
    """Whether a program has a softmax or an attention, whose scores a mask can halve."""
    words = (f"{e.origin} {e.action} {' '.join(e.subjects)}".lower() for e in ledger.entries)
    return any("softmax" in word or "attention" in word for word in words)


def side_of(case: Case, symbol: Symbol) -> int:
    """1 for a symbol that stands only above the line, -1 for one only below it, otherwise 0."""
    if case.ratio is None:
        return 0
    above = [power_of(symbol, m) for m in case.ratio.num.terms]
    below = [power_of(symbol, m) for m in case.ratio.den.terms]
    up = any(p > 0 for p in above) or any(p < 0 for p in below)
    down = any(p < 0 for p in above) or any(p > 0 for p in below)
    return int(up) - int(down)
