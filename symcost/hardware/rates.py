"""The figures of a chip as values of names in formulas: ``C``, ``C_fp8``, ``W``, ``W_nvlink``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from symcost.errors import MissingRuleError, UnknownNameError
from symcost.hardware.model import Chip
from symcost.model.links import HBM, UNITS

if TYPE_CHECKING:
    from sympy import Expr

USUAL = ("bf16", "fp16", "fp32")  # whose peak C is, the first that the chip has


def rates_of(chip: Chip, names: Iterable[str]) -> dict[str, Expr]:
    """The values that a chip gives to names; a name that is not the chip's has none.

    >>> from symcost.hardware import chip
    >>> rates_of(chip("h100"), ["B", "C", "W", "C_fp8", "W_nvlink"])["C_fp8"]
    1979000000000000

    Args:
        chip: the chip.
        names: ``C`` and ``C_<dtype>`` are peaks of the matmul unit in FLOP/s, ``C_vector`` that
            of the vector unit, ``W`` the bandwidth of main memory and ``W_<channel>`` that of a
            link in bytes/s.

    Returns:
        The exact numbers (or symbols, of a symbolic chip) by name.
    """
    return {name: value for name in names for value in _rate(chip, name)}


def _rate(chip: Chip, name: str) -> Iterator[Expr]:
    letter, _, of = name.partition("_")
    try:
        if letter == "C" and of in ("", *UNITS):
            yield chip.peak(_usual(chip), of or "matmul")
        elif letter == "C":
            yield chip.peak(of)
        elif letter == "W":
            yield chip.bandwidth(of or HBM)
    except (MissingRuleError, UnknownNameError):
        return


def _usual(chip: Chip) -> str:
    return next((dtype for dtype in USUAL if dtype in chip.matmul), USUAL[0])
