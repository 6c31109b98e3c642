"""How a chip is named: forgiving names, aliases, candidates, given figures."""

from __future__ import annotations

import pytest
from sympy import Rational

from symcost.errors import (
    InvalidValueError,
    NotationError,
    SymcostError,
    UnknownNameError,
)
from symcost.hardware import (
    chip,
    chip_names,
    symbolic_chip,
)
from symcost.registry import normal_form
from symcost.symbols import rate

NAMES = chip_names()


@pytest.mark.parametrize(
    ("typed", "name", "resolved_from"),
    [
        ("h100-sxm", "h100-sxm", ""),
        ("H100 SXM", "h100-sxm", ""),
        ("h100_SXM", "h100-sxm", ""),
        ("nvidia h100-sxm", "h100-sxm", ""),
        ("h100", "h100-sxm", "h100"),
        ("NVIDIA H100", "h100-sxm", "NVIDIA H100"),
        ("a100", "a100-sxm-80gb", "a100"),
        ("h200", "h200-sxm", "h200"),
        ("v5e", "tpu-v5e", "v5e"),
        ("TPUv5e", "tpu-v5e", ""),
        ("v5p", "tpu-v5p", "v5p"),
        ("v4", "tpu-v4", "v4"),
        ("trillium", "tpu-v6e", "trillium"),
        ("4090", "rtx4090", "4090"),
        ("RTX 4090", "rtx4090", ""),
        ("GeForce RTX 4090", "rtx4090", ""),
        ("Instinct MI300X", "mi300x", ""),
        ("apple m4 max", "m4-max", ""),
        ("trn2", "trainium2", "trn2"),
        ("gaudi 3", "gaudi3", ""),
    ],
)
def test_names_are_forgiving(typed: str, name: str, resolved_from: str) -> None:
    found = chip(typed)
    assert (found.name, found.resolved_from) == (name, resolved_from)


def test_no_alias_belongs_to_two_chips() -> None:
    taken = [normal_form(each) for name in NAMES for each in (name, *chip(name).aliases)]
    assert len(taken) == len(set(taken))


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("rtx", "'rtx' fits several chips; name one: rtx4090, rtx5090"),
        (
            "tpu",
            "'tpu' fits several chips; name one: "
            "tpu-v2, tpu-v3, tpu-v4, tpu-v5e, tpu-v5p, tpu-v6e, tpu-v7",
        ),
        (
            "a100 40gb",
            "'a100 40gb' fits several chips; name one: a100-pcie-40gb, a100-sxm-40gb",
        ),
        ("h101", "unknown chip 'h101'; did you mean h100-sxm?"),
        ("l40", "unknown chip 'l40'; did you mean l40s?"),
        ("mi300", "unknown chip 'mi300'; did you mean mi300x?"),
        ("quantum", "unknown chip 'quantum'; symcost chips lists them"),
        ("", "no chip was named; symcost chips lists them"),
        ("x" * 10**6, "a name of 1,000,000 characters is no chip's"),
    ],
)
def test_names_that_fit_none_or_several(typed: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        chip(typed)
    assert str(caught.value) == message


def test_given_figures_hold_for_every_dtype_and_unit() -> None:
    made = chip("C=3.94e14, W=8.1e11")
    assert made.title == "given figures"
    assert made.peak("bf16") == made.peak("int4", "vector") == made.peak("w") == 394 * 10**12
    assert made.critical_intensity("bf16") == Rational(39400, 81)


def test_given_figures_may_have_units_and_arithmetic() -> None:
    made = chip("C=989 TFLOP/s, W=22*8.2e11")
    assert (made.peak("bf16"), made.bandwidth("hbm")) == (989 * 10**12, 1804 * 10**10)


def test_given_figures_for_one_dtype_unit_or_channel() -> None:
    made = chip("C=1e12, C_bfloat16=2e12, C_vector=3e11, W_hbm=1e9, W_NVLink=5e8")
    assert made.peak("bf16") == 2 * 10**12
    assert made.peak("fp8") == 10**12
    assert made.peak("fp8", "vector") == 3 * 10**11
    assert (made.bandwidth(), made.bandwidth("nvlink")) == (10**9, 5 * 10**8)


def test_what_has_no_number_stays_a_symbol() -> None:
    assert symbolic_chip().critical_intensity("bf16") == rate("C") / rate("W")
    made = chip("C, W=1e9, W_ici=beta")
    assert made.peak("bf16") == rate("C")
    assert made.bandwidth("ici") == rate("beta")
    assert made.peak_figure("bf16").is_symbolic


@pytest.mark.parametrize(
    ("typed", "error", "message"),
    [
        (
            "C=0, W=1",
            InvalidValueError,
            "C cannot be 0\n  C=0, W=1\n    ^\ngive a positive number",
        ),
        (
            "C=-1e12",
            InvalidValueError,
            "C cannot be -1e12\n  C=-1e12\n    ^^^^^\ngive a positive number",
        ),
        (
            "C=1e12, W=nan",
            InvalidValueError,
            "W cannot be nan\n  C=1e12, W=nan\n            ^^^\ngive a positive, finite number",
        ),
        (
            "C=inf",
            InvalidValueError,
            "C cannot be inf\n  C=inf\n    ^^^\ngive a positive, finite number",
        ),
        (
            "C=989 TB/s",
            InvalidValueError,
            "C is in FLOP/s, not in byte/s\n  C=989 TB/s\n    ^^^^^^^^\n"
            "write for example C=989e12, W=3.35 TB/s",
        ),
        (
            "C=",
            NotationError,
            "C has no value\n  C=\n    ^\nwrite for example C=989e12, W=3.35 TB/s",
        ),
        ("C=1, C=2", NotationError, "C is given twice\n  C=1, C=2\n       ^^^"),
        (
            "Z=1",
            UnknownNameError,
            "unknown key 'Z'\n  Z=1\n  ^\n"
            "keys: C or C_<dtype> in FLOP/s, W or W_<channel> in bytes/s, t_hop in s",
        ),
        (
            "C_bf17=1",
            UnknownNameError,
            "unknown dtype 'bf17'\n  C_bf17=1\n  ^^^^^^\ndid you mean bf16?",
        ),
        (
            "C=1," + " " * 10**6,
            NotationError,
            "1,000,004 characters are too many for given figures",
        ),
    ],
)
def test_given_figures_that_are_refused(
    typed: str, error: type[SymcostError], message: str
) -> None:
    with pytest.raises(error) as caught:
        chip(typed)
    assert str(caught.value) == message


def test_an_exponent_beyond_bounds_takes_no_time() -> None:
    with pytest.raises(SymcostError):
        chip("C=1e999999999")
