"""Numbers as they are printed, with their unit: ``1.01 ms``, ``450 GB/s``, ``16 GiB``.

Everything is exact. Of the digits it is remembered how many were printed, since a printed
number stands for every value that is rounded or cut to it. Decimal and binary prefixes,
bits and bytes are kept apart.

Source of prefixes: The International System of Units, 9th edition (2019), table 7; binary
prefixes: IEC 80000-13:2008.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from symcost.errors import InvalidValueError, NotationError

MAX_LENGTH = 200  # characters of a number with its unit
MAX_EXPONENT = 60  # of a power of ten, or of two

Dimension = tuple[tuple[str, int], ...]

_NUMBER = re.compile(
    r"[~≈]?\s*(?P<sign>[+-]?)(?P<body>\d{1,3}(,\d{3})+(\.\d*)?|\d+\.?\d*|\.\d+)"
    r"([eE](?P<exponent>[+-]?\d{1,3})"
    r"|\s*(×|·|\*|x|\\times|\\cdot)\s*10\s*(\^|\*\*)\s*(?P<power>\{?[+-]?\d{1,3}\}?))?"
)
_POWER = re.compile(r"(?P<base>10|2)\s*(\^|\*\*)\s*\{?(?P<power>[+-]?\d{1,3})\}?")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = re.compile(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)")

PREFIXES: Mapping[str, Fraction] = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 10**3),
    "": Fraction(1),
    "k": Fraction(10**3),
    "K": Fraction(10**3),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "T": Fraction(10**12),
    "P": Fraction(10**15),
    "E": Fraction(10**18),
    "Z": Fraction(10**21),
    "Y": Fraction(10**24),
    "ki": Fraction(2**10),
    "Ki": Fraction(2**10),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
    "Ti": Fraction(2**40),
    "Pi": Fraction(2**50),
}

# name -> (size in base units, dimension, whether it takes a prefix); bases: FLOP, byte, second
_TIMES = {"min": 60, "h": 3600, "hr": 3600, "hour": 3600, "day": 86400, "d": 86400}
_TIMES |= {"week": 604800, "year": 31536000, "yr": 31536000}
_WORDS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_FLOP = ("FLOP", "FLOPs", "flop", "flops", "OP", "OPs", "op", "ops", "MAC", "MACs", "mac", "macs")
_BYTE = ("B", "byte", "bytes", "Byte", "Bytes")
_BIT = ("b", "bit", "bits", "Bit", "Bits")
_COUNTS = [
    "token",
    "tokens",
    "chip",
    "chips",
    "element",
    "elements",
    "sequence",
    "sequences",
    "device",
    "devices",
    "gpu",
    "gpus",
    "tpu",
    "tpus",
    "host",
    "hosts",
    "hop",
    "hops",
    "cache",
    "caches",
    "core",
    "cores",
    "parameter",
    "parameters",
    "param",
    "params",
    "step",
    "steps",
    "layer",
    "layers",
    "value",
    "values",
    "query",
    "queries",
    "link",
    "links",
    "usd",
]


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as printed: its value and the unit of its last printed digit.

    >>> read_printed("1.01").step, read_printed("57,500").digits
    (Fraction(1, 100), 3)

    ``digits`` counts significant digits without the trailing zeros of a whole number, of which
    nobody knows whether they were meant; ``step`` is the unit of the last digit that counts,
    ``place`` that of the last digit that is written.
    """

    value: Fraction
    step: Fraction
    digits: int
    place: Fraction

    def scaled(self, factor: Fraction) -> Printed:
        """The same digits in another unit."""
        return Printed(self.value * factor, self.step * factor, self.digits, self.place * factor)


@dataclass(frozen=True, slots=True)
class Measure:
    """A printed number with a unit; ``printed`` is in base units (FLOP, byte, second).

    >>> measure = read_measure("450 GB/s")
    >>> measure.value, measure.unit, measure.dimension
    (Fraction(450000000000, 1), 'GB/s', (('byte', 1), ('second', -1)))
    """

    printed: Printed
    unit: str
    size: Fraction  # of one unit in base units
    dimension: Dimension

    @property
    def value(self) -> Fraction:
        """The number in base units."""
        return self.printed.value


def read_printed(text: str) -> Printed:
    """Read a number with its digits, without a unit.

    >>> read_printed("9.75×10^10").value, read_printed("2^34").value
    (Fraction(97500000000, 1), Fraction(17179869184, 1))

    Args:
        text: a decimal number; thousands may be set off by commas; ``e10``, ``×10^10``.

    Returns:
        The number with the unit of its last digit.

    Raises:
        NotationError: the text is no such number.
    """
    found, rest = _leading_number(_plain(text))
    if found is None or rest.strip():
        raise NotationError(f"{text[:40]!r} is no number", repair="write for example 1.01e-3")
    return found


def read_measure(text: str) -> Measure:
    """Read a number with a unit (or without).

    >>> [read_measure(t).value for t in ("16 GiB", "400 Gb/s", "1.01 ms")]
    [Fraction(17179869184, 1), Fraction(50000000000, 1), Fraction(101, 100000)]

    Args:
        text: a number and a unit: ``295 FLOPs/byte``, ``989 TFLOP/s``, ``3.35 TB/s``,
            ``400 Gb/s`` (bits), ``12 %``, ``240 tokens``.

    Returns:
        The number in base units with its digits and its dimension.

    Raises:
        NotationError: no number, or a unit that is not known.
    """
    plain = _plain(text)
    printed, rest = _leading_number(plain)
    if printed is None:
        raise NotationError(f"{text[:40]!r} is no number", repair="write for example 1.01 ms")
    unit = rest.strip().rstrip(".").strip()
    if unit and not (unit[0].isalpha() or unit[0] in "%/"):
        raise NotationError(f"{text[:40]!r} is no number with a unit")
    factor = Fraction(1)
    for word, value in _WORDS.items():
        if unit.split(" ")[0] == word:
            unit, factor = unit[len(word) :].strip(), Fraction(value)
    size, dimension = unit_size(unit)
    return Measure(printed.scaled(size * factor), unit, size, dimension)


def is_measure(text: str) -> bool:
    """Whether the text is a number with or without a unit that is known.

    >>> is_measure("1.01 ms"), is_measure("2*B*D")
    (True, False)
    """
    try:
        read_measure(text)
    except (NotationError, InvalidValueError):
        return False
    return True


def unit_size(unit: str) -> tuple[Fraction, Dimension]:
    """The size of a unit in base units, and its dimension.

    >>> unit_size("TFLOP/s")
    (Fraction(1000000000000, 1), (('FLOP', 1), ('second', -1)))

    Raises:
        NotationError: the unit is not known.
    """
    size, powers = Fraction(1), {"FLOP": 0, "byte": 0, "second": 0}
    for name, power in _factors(unit):
        one, base = _one_unit(name, unit)
        size *= one**power
        if base:
            powers[base] += power
    return size, tuple((base, power) for base, power in powers.items() if power)


def _factors(unit: str) -> Iterator[tuple[str, int]]:
    text = unit.strip()
    for short, long in (("FLOPS", "FLOP/s"), ("flops/s", "FLOP/s"), ("OPS", "OP/s")):
        if text.endswith(short) and "/" not in text:
            text = text[: -len(short)] + long
    if text.endswith("bps"):
        text = text[:-3] + "b/s"
    elif text.endswith("Bps"):
        text = text[:-3] + "B/s"
    over, *under = re.split(r"\s*/\s*|\s+per\s+", text)
    for power, part in ((1, over), *((-1, each) for each in under)):
        for name in re.split(r"[\s·*⋅]+", part.strip("() ")):
            if name and name != "1":
                yield name, power


def _one_unit(name: str, whole: str) -> tuple[Fraction, str]:
    """The size in base units and the base ("" for a count) of one unit with its prefix."""
    lower = name.lower()
    if name == "%":
        return Fraction(1, 100), ""
    if lower in _COUNTS:
        return Fraction(1), ""
    time = name if name in _TIMES else lower.rstrip("s")
    if time in _TIMES and (len(time) > 1 or time == name):
        return Fraction(_TIMES[time]), "second"
    for names, base, size in (
        (_FLOP, "FLOP", Fraction(1)),
        (_BYTE, "byte", Fraction(1)),
        (_BIT, "byte", Fraction(1, 8)),
        (("s", "sec", "second", "seconds"), "second", Fraction(1)),
    ):
        for each in names:
            prefix = name.removesuffix(each)
            if name.endswith(each) and prefix in PREFIXES:
                doubled = 2 if each.lower().startswith("mac") else 1
                return size * PREFIXES[prefix] * doubled, base
    shown = whole if len(whole) <= 30 else whole[:30] + "..."
    raise NotationError(
        f"unknown unit {shown!r}", repair="use for example ms, GB/s, GiB, TFLOP/s, FLOP/byte"
    )


def _plain(text: str) -> str:
    if len(text) > MAX_LENGTH:
        raise NotationError(f"{len(text):,} characters are too many for a number with a unit")
    text = _RAISED.sub(lambda m: "10^" + m[1].translate(_SUPERSCRIPTS), text)
    text = re.sub(r"\\(?:text|mathrm|textrm)\s*\{([^{}]*)\}", r" \1 ", text)
    text = text.replace("{,}", ",").replace("\\%", "%").replace("µ", "u").replace("μ", "u")
    text = re.sub(r"\\mu\s*", "u", text)
    return re.sub(r"\\[,;:! ]|[$~]|\u00a0|\u202f", " ", text).strip()


def _leading_number(text: str) -> tuple[Printed | None, str]:
    power = _POWER.match(text)
    if power is not None:
        value = Fraction(int(power["base"])) ** _exponent(power["power"])
        return Printed(value, value, len(str(value.numerator)), value), text[power.end() :]
    match = _NUMBER.match(text)
    if match is None:
        return None, text
    exponent = _exponent((match["exponent"] or match["power"] or "0").strip("{}"))
    body = match["body"].replace(",", "")
    whole, _, decimals = body.partition(".")
    digits = (whole + decimals).lstrip("0")
    zeros = 0 if "." in body or exponent else len(digits) - len(digits.rstrip("0"))
    place = Fraction(10) ** (exponent - len(decimals))
    value = int(whole + decimals or "0") * place
    if match["sign"] == "-":
        value = -value
    return Printed(value, place * 10**zeros, max(1, len(digits) - zeros), place), text[
        match.end() :
    ]


def _exponent(text: str) -> int:
    value = int(text)
    if abs(value) > MAX_EXPONENT:
        raise InvalidValueError(f"10 to the power {value} is no size that occurs here")
    return value


__all__ = ["Dimension", "Measure", "Printed", "is_measure", "read_measure", "read_printed"]
