"""The table of units: decimal and binary prefixes, bits and bytes, FLOP, seconds, counts.

Source of prefixes: The International System of Units, 9th edition (2019), table 7; binary
prefixes: IEC 80000-13:2008.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from symcost.errors import NotationError

Dimension: TypeAlias = tuple[tuple[str, int], ...]  # powers of the bases, in this order
BASES = ("FLOP", "byte", "second")
MAX_LENGTH = 60  # characters of a unit

PREFIXES: Mapping[str, Fraction] = {
    **{"n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 10**3)},
    **{name: Fraction(10**power) for name, power in {"": 0, "k": 3, "K": 3, "M": 6}.items()},
    **{name: Fraction(10**power) for name, power in {"G": 9, "T": 12, "P": 15, "E": 18}.items()},
    **{name: Fraction(10**power) for name, power in {"Z": 21, "Y": 24}.items()},
    **{name: Fraction(2**power) for name, power in {"ki": 10, "Ki": 10, "Mi": 20}.items()},
    **{name: Fraction(2**power) for name, power in {"Gi": 30, "Ti": 40, "Pi": 50}.items()},
}
_IN_FULL = {
    **{"nano": "n", "micro": "u", "milli": "m", "kilo": "k", "mega": "M", "giga": "G"},
    **{"tera": "T", "peta": "P", "exa": "E"},
    **{"kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti"},
}
NUMBER_WORDS: Mapping[str, Fraction] = {
    "thousand": Fraction(10**3),
    "million": Fraction(10**6),
    "billion": Fraction(10**9),
    "trillion": Fraction(10**12),
}
SUFFIXES: Mapping[str, tuple[Fraction, str]] = {  # of counts: 37k, 70B
    **{letter: (Fraction(10**3), "thousand") for letter in "kK"},
    "M": (Fraction(10**6), "million"),
    **{letter: (Fraction(10**9), "billion") for letter in "BG"},
    "T": (Fraction(10**12), "trillion"),
    "Ki": (Fraction(2**10), "times 1024"),
    "Mi": (Fraction(2**20), "times 1024^2"),
    "Gi": (Fraction(2**30), "times 1024^3"),
}
_COUNTED = (
    "token chip element sequence device gpu tpu host hop core parameter param step layer"
    " value link cache pod node rack warp thread block tile page rank worker request sample"
    " image expert stage cable port switch lane cycle head tok dollar"
)
COUNTS = frozenset(word + plural for word in _COUNTED.split() for plural in ("", "s"))
COUNTS |= {"query", "queries", "usd"}

_SECONDS = {"min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "day": 86400, "d": 86400}
_SECONDS |= {"week": 604800, "year": 31536000, "yr": 31536000}
_PREFIXED: Mapping[
    str, tuple[str, int | Fraction]
] = {  # names that take a prefix -> base and size in it
    **dict.fromkeys(("FLOP", "FLOPs", "flop", "flops", "OP", "OPs", "op", "ops"), ("FLOP", 1)),
    **dict.fromkeys(("operation", "operations"), ("FLOP", 1)),
    **dict.fromkeys(("MAC", "MACs", "mac", "macs"), ("FLOP", 2)),
    **dict.fromkeys(("B", "byte", "bytes", "Byte", "Bytes"), ("byte", 1)),
    **dict.fromkeys(("b", "bit", "bits", "Bit", "Bits"), ("byte", Fraction(1, 8))),
    **dict.fromkeys(("s", "sec", "second", "seconds"), ("second", 1)),
    "cycles": ("", 1),
}
_RATES = {
    "Hz": "cycles/s",
    "FLOPS": "FLOP/s",
    "flops/s": "FLOP/s",
    "OPS": "OP/s",
    "bps": "b/s",
    "Bps": "B/s",
}
_WORD = re.compile(r"[A-Za-zµμ%1]+\Z")
_SIDE_BY_SIDE = re.compile(r"[\s·*⋅]+")
_PER = re.compile(r"\s*/\s*|\s+per\s+")
_NO_UNIT = re.compile(r"/\s*/|[/*·⋅]\s*\Z|\A\s*[/*·⋅]")  # B//s, GB/, /s


@lru_cache(maxsize=1024)
def unit_size(unit: str) -> tuple[Fraction, Dimension]:
    """The size of a unit in base units, and its dimension.

    >>> unit_size("TFLOP/s")
    (Fraction(1000000000000, 1), (('FLOP', 1), ('second', -1)))

    Raises:
        NotationError: the unit is not known.
    """
    if len(unit) > MAX_LENGTH:
        raise NotationError(f"{len(unit):,} characters are too many for a unit")
    size, powers = Fraction(1), dict.fromkeys(BASES, 0)
    for name, power in _factors(unit):
        one, base = _one_unit(name, unit)
        size *= one**power
        if base:
            powers[base] += power
    return size, tuple((base, power) for base, power in powers.items() if power)


def _factors(unit: str) -> Iterator[tuple[str, int]]:
    text = unit.strip()
    if _NO_UNIT.search(text):
        raise NotationError(
            f"{text!r} is no unit: a name is missing beside / or *", repair="write for example GB/s"
        )
    for short, long in _RATES.items():
        if text.endswith(short) and "/" not in text.removesuffix(short):
            text = text[: -len(short)] + long
            break
    over, *under = _PER.split(text)
    for power, part in ((1, over), *((-1, each) for each in under)):
        for name in _SIDE_BY_SIDE.split(part.strip("() ")):
            if name and name != "1":
                yield name, power


def _one_unit(name: str, whole: str) -> tuple[Fraction, str]:
    """The size in base units and the base ("" for a count) of one unit with its prefix."""
    lower = name.lower()
    if name == "%":
        return Fraction(1, 100), ""
    if lower in COUNTS:
        return Fraction(1), ""
    if name in NUMBER_WORDS:
        return NUMBER_WORDS[name], ""
    time = name if name in _SECONDS else lower.rstrip("s")
    if time in _SECONDS and (len(time) > 1 or time == name):
        return Fraction(_SECONDS[time]), "second"
    plain = name.replace("µ", "u").replace("μ", "u")
    for prefix, short in _IN_FULL.items():
        if lower.startswith(prefix) and len(lower) > len(prefix) + 2:
            plain = short + lower.removeprefix(prefix)
    for each, (base, factor) in _PREFIXED.items():
        prefix = plain.removesuffix(each)
        if plain.endswith(each) and prefix in PREFIXES and _WORD.match(name):
            return Fraction(factor) * PREFIXES[prefix], base
    shown = whole if len(whole) <= 30 else whole[:30] + "..."
    raise NotationError(
        f"unknown unit {shown!r}", repair="use for example ms, GB/s, GiB, TFLOP/s, FLOP/byte"
    )


def product_of(dimensions: Iterable[Dimension], under: Dimension = ()) -> Dimension:
    """The dimension of a product, over another.

    >>> product_of([(("byte", 1),)], (("second", 1),))
    (('byte', 1), ('second', -1))
    """
    powers = dict.fromkeys(BASES, 0)
    for sign, each in (*((1, each) for each in dimensions), (-1, under)):
        for base, power in each:
            powers[base] += sign * power
    return tuple((base, power) for base, power in powers.items() if power)


def unit_text(dimension: Dimension) -> str:
    """The base unit of a dimension, as it is printed.

    >>> unit_text((("byte", 1), ("second", -1))), unit_text(())
    ('byte/s', '')
    """
    short = {"FLOP": "FLOP", "byte": "byte", "second": "s"}
    over = [short[base] for base, power in dimension for _ in range(power)]
    under = [short[base] for base, power in dimension for _ in range(-power)]
    head = "*".join(over) or ("1" if under else "")
    return "/".join([head, *under])
