"""Chips out of a line of text: ``C=3.94e14, W=8.1e11``, or ``C, W`` for symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from symcost.errors import InvalidValueError, NotationError, SymcostError, UnknownNameError
from symcost.hardware.figures import ANY, Figure, Link, in_range
from symcost.hardware.model import Chip
from symcost.model.dtypes import dtype
from symcost.model.links import HBM, UNITS
from symcost.notation.limits import relocated
from symcost.notation.unit_table import Dimension, unit_text
from symcost.registry import Table

LIMIT = 1000  # characters
EXAMPLE = "write for example C=989e12, W=3.35 TB/s"
KEYS = "keys: C or C_<dtype> in FLOP/s, W or W_<channel> in bytes/s, t_hop in s"
UNITS_OF = {  # by the letter of a key
    "C": (("FLOP", 1), ("second", -1)),
    "W": (("byte", 1), ("second", -1)),
    "t": (("second", 1),),
}
_START = re.compile(r"\s*[CW](_\w+)?\s*(=|,|;|\Z)")
_PART = re.compile(r"\s*(?P<key>[^=\s]*)\s*(?P<equals>=?)\s*(?P<value>.*?)\s*\Z", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*\Z")
_NO_SIZE = re.compile(r"[+-]?(nan|inf|infinity)\Z", re.IGNORECASE)


def is_given(text: str) -> bool:
    """Whether the text gives figures rather than the name of a chip.

    >>> is_given("C=3.94e14, W=8.1e11"), is_given("C, W"), is_given("h100")
    (True, True, False)
    """
    return _START.match(text) is not None


def given_chip(text: str) -> Chip:
    """The chip of given figures: ``C`` for every dtype and both units, ``W`` of main memory.

    >>> given_chip("C=3.94e14, W=8.1e11").critical_intensity("int8")
    39400/81
    >>> given_chip("C, W, C_fp8=2e15").peak("bf16")
    C

    Args:
        text: ``C`` or ``C_<dtype>`` (FLOP/s; ``C_matmul`` and ``C_vector`` for one unit), ``W``
            or ``W_<channel>`` (bytes/s one way), each with a number (a unit and
            arithmetic are read), a name or nothing.

    Returns:
        The chip; what has no number stays a symbol.

    Raises:
        NotationError: the text is not of this form, or gives a key twice.
        InvalidValueError: a number is zero, negative or not finite.
        UnknownNameError: a key or dtype is unknown.
    """
    if len(text) > LIMIT:
        raise NotationError(f"{len(text):,} characters are too many for given figures")
    given: dict[str, Figure] = {}
    start = 0
    for part in re.split("[,;]", text):
        key, figure = _entry(text, start, part)
        if key in given:
            blank = len(part) - len(part.lstrip())
            twice = NotationError(f"{key.removesuffix('_any')} is given twice")
            raise twice.at(text, start + blank, len(part.strip()))
        given[key] = figure
        start += len(part) + 1
    return _chip(given)


def given_keys(text: str) -> tuple[str, ...]:
    """The names of given figures; none of a chip's name.

    >>> given_keys("C=1e15; W_vmem=2e13"), given_keys("h100")
    (('C', 'W_vmem'), ())
    """
    parts = re.split("[,;]", text) if is_given(text) else ()
    return tuple(part.partition("=")[0].strip() for part in parts)


def symbolic_chip(channels: Iterable[str] = (), dtypes: Iterable[str] = ()) -> Chip:
    """A chip without numbers: peak ``C`` at every dtype, ``W`` for main memory.

    >>> symbolic_chip().critical_intensity("bf16")
    C/W

    Args:
        channels: further channels, each with a symbol for its link, ``W_ici`` for ``ici[X]``.
        dtypes: those with a peak of their own, ``C_fp8``, in place of ``C``.
    """
    links = dict.fromkeys(re.split(r"\W", channel)[0] for channel in channels)
    more = [f"W_{link}" for link in links if link != HBM]
    peaks = [f"C_{dtype}" for dtype in dtypes] or ["C"]
    return given_chip(", ".join([*peaks, "W", *more]))


def _chip(given: dict[str, Figure]) -> Chip:
    peaks: dict[str, dict[str, Figure]] = {unit: {} for unit in UNITS}
    channels: dict[str, Figure] = {}
    hop = {"latency": given.pop("t_hop")} if "t_hop" in given else {}
    for key, figure in given.items():
        kind, _, name = key.partition("_")
        if kind == "W":
            channels[name] = figure
        elif name in UNITS:
            peaks[name][ANY] = figure
        else:
            for unit in UNITS:
                peaks[unit].setdefault(name, figure)
    return Chip(
        name="given",
        title="given figures",
        matmul=Table(peaks["matmul"]),
        vector=Table(peaks["vector"]),
        memory_bandwidth=channels.pop(HBM, None),
        links=Table({name: Link("", "", figure, Table(hop)) for name, figure in channels.items()}),
    )


def _entry(text: str, start: int, part: str) -> tuple[str, Figure]:
    """The full key (``C_any``, ``C_bf16``, ``W_hbm``) and the figure of one part."""
    match = _PART.match(part)
    assert match is not None  # the pattern takes any text
    key, value = match["key"], match["value"]
    try:
        full = _full_key(key)
    except SymcostError as error:
        raise error.at(text, start + match.start("key"), max(1, len(key))) from None
    if not value and not match["equals"]:
        return full, Figure(key, ("given",))
    offset = start + match.start("value")
    try:
        return full, Figure(_value(value, key), ("given",))
    except SymcostError as error:
        if error.place is not None:
            raise relocated(error, text, offset) from None
        raise error.at(text, offset, max(1, len(value))) from None


def _full_key(key: str) -> str:
    kind, _, name = key.partition("_")
    if key == "t_hop":
        return key
    if kind not in ("C", "W") or key.endswith("_") or not _WORD.match(key):
        what = f"unknown key {key!r}" if key else "a key is missing"
        raise UnknownNameError(what, repair=KEYS)
    if kind == "W":
        return f"W_{name.lower() or HBM}"
    if not name or name in (ANY, *UNITS):
        return f"C_{name or ANY}"
    return f"C_{dtype(name)}"


def _value(text: str, key: str) -> Fraction | str:
    """A figure: a number with arithmetic and a unit, or a name."""
    if not text:
        raise NotationError(f"{key} has no value", repair=EXAMPLE)
    if _NO_SIZE.match(text):
        raise InvalidValueError(f"{key} cannot be {text}", repair="give a positive, finite number")
    from symcost.notation.dimensions import dimension_of
    from symcost.notation.formulas import read
    from symcost.symbols import rate

    parsed = read(text, declared={text} if _WORD.match(text) else (), bare=True)
    value = parsed.value(rate)
    if value.is_Symbol:
        return str(value)
    if not value.is_Rational:
        raise NotationError(f"{text!r} is no number", repair=EXAMPLE)
    number = Fraction(int(value.p), int(value.q))
    if not in_range(number):
        raise InvalidValueError(f"{key} cannot be {text}", repair="give a positive number")
    _check_unit(key, dimension_of(parsed.syntax, {}))
    return number


def _check_unit(key: str, dimension: Dimension | None) -> None:
    """Refuse ``W = 80 GB``; a number without a unit is in base units."""
    wanted = UNITS_OF[key[:1]]
    if dimension and dimension != wanted:
        raise InvalidValueError(
            f"{key} is in {unit_text(wanted)}, not in {unit_text(dimension)}", repair=EXAMPLE
        )
