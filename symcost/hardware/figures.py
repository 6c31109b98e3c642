"""Figures of hardware: an exact number with its source, and how one stands in for another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from symcost.model.dtypes import DType, dtypes, rate_chain
from symcost.registry import Table

if TYPE_CHECKING:
    from sympy import Expr

ANY = "any"  # the key of a peak that holds for every dtype
MEMORY = "memory"  # the source of a figure that nobody has looked up yet
SMALLEST, LARGEST = Fraction(1, 10**15), Fraction(10**30)

TF32_BITS = 19  # what enters the multiplier; it is stored as 32


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in base units with its source; a str instead of a number names a symbol.

    >>> peak = Figure(Fraction(989 * 10**12), ("mleng",))
    >>> peak.to_sympy(), peak.from_memory
    (989000000000000, False)
    >>> Figure("C").to_sympy()
    C

    Args:
        value: FLOP/s, bytes/s, bytes, seconds or a count, exact.
        source: keys of ``data/sources.toml``, or where the number is from in plain words.
        note: what to know about it.
    """

    value: Fraction | str
    source: tuple[str, ...] = ()
    note: str = ""

    @property
    def from_memory(self) -> bool:
        """Whether the number is from memory and to be confirmed."""
        return MEMORY in self.source

    @property
    def is_symbolic(self) -> bool:
        """Whether a symbol stands for the number."""
        return isinstance(self.value, str)

    def to_sympy(self) -> Expr:
        """The number as a sympy Rational, or its symbol (a positive real)."""
        if isinstance(self.value, str):
            from symcost.symbols import rate

            return rate(self.value)
        from sympy import Rational

        return Rational(self.value.numerator, self.value.denominator)

    def noted(self, note: str) -> Figure:
        """The same figure with another note before its own."""
        return replace(self, note="; ".join(text for text in (note, self.note) if text))


@dataclass(frozen=True, slots=True)
class Link:
    """What joins a chip to others: its one-way bandwidth, and what that counts (``scope``).

    >>> Link("NVLink 4", "per GPU, all links", Figure(Fraction(450 * 10**9))).figure().note
    'per GPU, all links'

    Args:
        kind: the product, ``"NVLink 4"``.
        scope: what the figures are for: all links of a GPU, one link of a torus, a node.
        one_way: bytes/s in one direction.
        more: further figures in bytes/s (``both_ways``, ``per_link_one_way``) and ``latency`` in s.
        count: how many links there are; ``axes``: of a torus, how many axes;
            ``shared_by``: how many devices share the figure, where it is that of a node or host.
    """

    kind: str
    scope: str
    one_way: Figure
    more: Mapping[str, Figure] = field(default_factory=Table)
    count: int | None = None
    axes: int | None = None
    note: str = ""
    shared_by: int | None = None

    def figure(self) -> Figure:
        """The one-way bandwidth, with the scope and the note of the link in its note."""
        return self.one_way.noted("; ".join(text for text in (self.scope, self.note) if text))


def in_range(value: Fraction) -> bool:
    """Whether a number can be a size, a rate or a time in base units.

    >>> in_range(Fraction(989 * 10**12)), in_range(Fraction(0))
    (True, False)
    """
    return SMALLEST <= value <= LARGEST


def matmul_peak(peaks: Mapping[str, Figure], kind: DType) -> Figure | None:
    """The peak for a dtype, or for the dtype whose rate it shares; no other stands in.

    >>> from symcost.model.dtypes import dtype
    >>> matmul_peak({"fp8": Figure(Fraction(2))}, dtype("mxfp8")).note
    'the fp8 rate'
    """
    for each in rate_chain(kind):
        if each.name in peaks:
            own = peaks[each.name]
            return own if each.name == kind.name else own.noted(f"the {each} rate")
    return peaks.get(ANY)


def vector_peak(peaks: Mapping[str, Figure], kind: DType) -> Figure | None:
    """The same for the vector unit, where a wider float may stand in for a narrower one.

    That is safe: a narrow value can always be widened and computed at the wide rate.

    >>> from symcost.model.dtypes import dtype
    >>> vector_peak({"fp32": Figure(Fraction(2))}, dtype("bf16")).note
    'the fp32 rate: no figure for bf16'
    """
    figure = matmul_peak(peaks, kind)
    runs_at = rate_chain(kind)[-1]
    if figure is not None or runs_at.kind != "float":
        return figure
    wider = [known for known in map(dtypes.get, peaks) if known and _is_wider(known, runs_at)]
    if not wider:
        return None
    # of two of one width, the slower
    chosen = min(wider, key=lambda known: (known.bits, peaks[known.name].value))
    return peaks[chosen.name].noted(f"the {chosen} rate: no figure for {kind}")


def _is_wider(one: DType, other: DType) -> bool:
    if one.bits is None or other.bits is None or one.kind != "float" or one.name == "tf32":
        return False
    return one.bits > (TF32_BITS if other.name == "tf32" else other.bits)
