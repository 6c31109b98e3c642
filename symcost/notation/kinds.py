"""What a name stands for: one table for every formula, wherever it is read.

A formula has no types, so its names say what they are: a peak, a bandwidth, a time, a fraction
is a positive real; any other name is a size, a whole number from 1 on. What is said of a name
otherwise, a value such as 0.1, an amount of bytes or an assumption such as ``f < 1``, goes first.

The names are those of transformer and roofline literature: J. Austin et al., How To Scale
Your Model; J. Kaplan et al. 2020; D. Narayanan et al. 2021; and of model configuration files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from sympy import Expr

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.relation import Relation
from symcost.errors import SymcostError
from symcost.notation.assumptions import Stated
from symcost.notation.tokens import GREEK
from symcost.symbols import rate

ROLES: dict[str, tuple[str, ...]] = {  # what a name usually stands for; it ranks a diagnosis
    "peak": ("C", "peak", "flops_per_s", "pi"),
    "bandwidth": ("W", "bw", "bandwidth"),
    "layers": ("L", "l", "layers", "n_l", "N_L", "depth"),
    "query heads": ("N", "H", "h", "a", "heads", "n_h", "N_h", "n_a", "n_q", "N_q"),
    "kv heads": ("K", "n_kv", "N_kv", "H_kv", "Hkv", "h_kv", "n_k", "G"),
    "experts": ("E", "experts", "n_e", "N_e", "n_exp", "N_exp"),
    "active experts": ("k", "topk", "n_active", "active", "n_act"),
    "length": ("T", "S", "s", "t", "seq", "n_ctx", "T_q", "T_kv", "length", "ctx", "seqlen"),
    "vocabulary": ("V", "v", "n_vocab"),
    "bytes per value": ("b", "itemsize", "nbytes", "w"),
    "devices": ("X", "Y", "Z", "n", "P", "devices", "chips", "gpus", "hosts", "links", "shards"),
    "cores": ("cores", "n_cores"),
}
_ROLE = {name: role for role, names in ROLES.items() for name in names}
_PREFIXES = (("C_", "peak"), ("peak_", "peak"), ("W_", "bandwidth"), ("bw_", "bandwidth"))
_SIZES = {"dim", "d", "size", "head_dim"}  # of a head or a layer, not their number
_WORDS: tuple[tuple[str, frozenset[str]], ...] = (  # of a long name; the first that fits
    ("active experts", frozenset(["topk", "top", "active", "tok", "selected"])),
    ("experts", frozenset(["experts", "expert"])),
    ("layers", frozenset(["layers", "layer", "blocks"])),
    ("vocabulary", frozenset(["vocab", "vocabulary"])),
    ("length", frozenset(["seq", "seqlen", "length", "context", "ctx"])),
    ("bytes per value", frozenset(["bytes", "itemsize"])),
    ("devices", frozenset(["devices", "gpus", "chips", "hosts", "shards", "ranks"])),
    ("cores", frozenset(["cores"])),
    ("bandwidth", frozenset(["bw", "bandwidth"])),
)

_TIMED = re.compile(r"(?:[CWT](?:_\w+)?|t_\w+)\Z")
_STEM = re.compile(r"[a-z]+")
_GREEK = frozenset({"eps", "varepsilon", *(n for n in GREEK.values() if n.islower())})
_REAL_WORDS = frozenset(
    {
        *("latency", "delay", "overhead", "time", "seconds", "bandwidth", "bw", "rate", "ratio"),
        *("fraction", "frac", "share", "prob", "probability", "efficiency", "utilization"),
        *("mfu", "mbu", "peak"),
    }
)


def is_rate_name(name: str) -> bool:
    """Whether a name is by convention that of a peak, a bandwidth, a time or a fraction.

    >>> [is_rate_name(name) for name in ("C", "alpha_2", "hit_rate", "B", "d_model")]
    [True, True, True, False, False]
    """
    if _TIMED.match(name) or not _REAL_WORDS.isdisjoint(name.lower().split("_")):
        return True
    stem = _STEM.match(name)
    return stem is not None and stem.group() in _GREEK


def role(name: str) -> str:
    """What a symbol of this name usually stands for, ``""`` when there is no convention.

    >>> role("C"), role("W_hbm"), role("n_kv_heads"), role("foo")
    ('peak', 'bandwidth', 'kv heads', '')
    >>> role("num_attention_heads"), role("num_hidden_layers"), role("head_dim")
    ('query heads', 'layers', '')
    """
    if name in _ROLE:
        return _ROLE[name]
    start = next((role for start, role in _PREFIXES if name.startswith(start)), "")
    return start or _by_words(name.lower().split("_"))


def _by_words(words: list[str]) -> str:
    """The role of a name of several words, such as ``num_key_value_heads``."""
    if _SIZES & set(words) and "vocab" not in words:
        return ""
    if {"heads", "head", "nheads"} & set(words):
        return "kv heads" if {"kv", "key", "value", "k", "v"} & set(words) else "query heads"
    if len(words) == 1 and words[0] not in ("vocab", "vocabulary", "experts"):
        return ""
    return next((role for role, known in _WORDS if known & set(words)), "")


def can_be(name: str, wanted: str) -> bool:
    """Whether a name may stand for a role: ``H`` for query heads as well as for a head size."""
    return name in ROLES.get(wanted, ()) or role(name) == wanted


def rates_among(
    names: Iterable[str],
    values: Mapping[str, object] | None = None,
    said: Iterable[Stated | Assumption] = (),
) -> frozenset[str]:
    """The names that stand for a positive real, by convention or by what is said of them.

    >>> from symcost.notation.assumptions import parse_assumptions
    >>> said = parse_assumptions("f < 1")
    >>> sorted(rates_among(["B", "eps", "W_hbm", "f", "x"], {"B": 2.0, "x": 0.5}, said))
    ['W_hbm', 'eps', 'f', 'x']

    Args:
        names: the names of a formula.
        values: numbers for some of them; one that is not whole is no dimension.
        said: assumptions; a lower-case name that is below 1 is no dimension.

    Returns:
        Those that are not at least 1.
    """
    listed = list(names)
    rates = {name for name in listed if is_rate_name(name)}
    rates |= {name for name, value in (values or {}).items() if _is_fraction(value)}
    rates |= {name for name in _said_small(said) if name[0].islower()}
    return frozenset(rates & {*listed})


def _is_fraction(value: object) -> bool:
    if isinstance(value, Expr):
        return bool(value.is_Rational and not value.is_Integer)
    return isinstance(value, Fraction | float) and value != int(value)


def _said_small(stated: Iterable[Stated | Assumption]) -> Iterator[str]:
    """The names that an assumption puts below 1; what is wrong with it is said elsewhere."""
    try:
        assumptions: list[Assumption] = []
        for each in stated:
            assumptions += each.assumptions(rate) if isinstance(each, Stated) else [each]
    except SymcostError:
        return
    for said in assumptions:
        symbol, number = _small_side(said)
        if symbol.is_Symbol and number.is_Rational and _is_small(said, number):
            yield symbol.name


def _small_side(each: Assumption) -> tuple[Expr, Expr]:
    """The symbol, and the number that it is compared with."""
    if isinstance(each, Equal):
        return each.symbol, each.expr
    if isinstance(each, MuchLess):
        return each.small, each.large
    sides = (each.lhs, each.rhs)
    return sides if each.lhs.is_Symbol else sides[::-1]


def _is_small(each: Assumption, number: Expr) -> bool:
    if isinstance(each, MuchLess):
        return True
    if isinstance(each, Relation):
        below = (each.op[0] == "<") == bool(each.lhs.is_Symbol)
        return bool(number <= 1 if below else 0 < number < 1)
    return not number.is_Integer
