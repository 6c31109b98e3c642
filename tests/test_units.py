"""Numbers with units: exact values, digits, dimensions, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symcost.errors import InvalidValueError, NotationError, SymcostError
from symcost.notation.units import is_measure, read_measure, read_printed, unit_size

TIME, BYTES, RATE = (("second", 1),), (("byte", 1),), (("byte", 1), ("second", -1))
FLOPS, SPEED = (("FLOP", 1),), (("FLOP", 1), ("second", -1))
INTENSITY = (("FLOP", 1), ("byte", -1))


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("1.01 ms", "1.01e-3", TIME),
        ("1.01 us", "1.01e-6", TIME),
        ("1.01 µs", "1.01e-6", TIME),
        (r"1.4\,\text{ms}", "1.4e-3", TIME),
        (r"1.01 \mu s", "1.01e-6", TIME),
        ("0.3 ns", "3e-10", TIME),
        ("2 h", "7200", TIME),
        ("23 days", "1987200", TIME),
        ("450 GB/s", "450e9", RATE),
        ("400 Gb/s", "50e9", RATE),
        ("400 Gbit/s", "50e9", RATE),
        ("400 Gbps", "50e9", RATE),
        ("3.35 TB/s", "3.35e12", RATE),
        ("3.35 TB per s", "3.35e12", RATE),
        ("16 GiB", str(16 * 2**30), BYTES),
        ("2 TiB", str(2 * 2**40), BYTES),
        ("2 weeks", str(2 * 7 * 24 * 3600), TIME),
        ("16 GB", "16e9", BYTES),
        ("262 kB", "262000", BYTES),
        ("512 kiB", str(512 * 1024), BYTES),
        ("8 bits", "1", BYTES),
        ("295 FLOPs/byte", "295", INTENSITY),
        ("989 TFLOP/s", "989e12", SPEED),
        ("989 TFLOPS", "989e12", SPEED),
        ("211.11 TFLOP", "211.11e12", FLOPS),
        ("7 GMACs", "14e9", FLOPS),
        ("240 tokens", "240", ()),
        ("12 %", "0.12", ()),
        ("3 billion parameters", "3e9", ()),
        ("57,500", "57500", ()),
        ("9.75×10^10", "9.75e10", ()),
        (r"3.35 \times 10^{12}", "3.35e12", ()),
        ("10¹²", "1e12", ()),
        ("2^34 B", str(2**34), BYTES),
    ],
)
def test_a_number_with_its_unit(text, value, dimension):
    found = read_measure(text)
    assert (found.value, found.dimension) == (Fraction(value), dimension)


@pytest.mark.parametrize(
    ("text", "digits", "step"),
    [
        ("1.01", 3, "0.01"),
        ("1.10", 3, "0.01"),
        ("57,500", 3, "100"),
        ("240", 2, "10"),
        ("0.0062", 2, "0.0001"),
        ("1.6e6", 2, "1e5"),
        ("1e12", 1, "1e12"),
        ("8755", 4, "1"),
    ],
)
def test_the_digits_that_were_printed(text, digits, step):
    found = read_printed(text)
    assert (found.digits, found.step) == (digits, Fraction(step))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ms",
        "1.01 furlongs",
        "2*B*D",
        "1.0.1",
        "nan",
        "inf",
        "1e400",
        "1 ms extra",
        "2 D",
        "2 H",
        "x" * 500,
    ],
)
def test_what_is_no_number_with_a_unit(text):
    with pytest.raises(SymcostError):
        read_measure(text)
    assert not is_measure(text)


def test_one_over_a_unit_is_a_rate():
    assert unit_size("1/s") == (1, (("second", -1),))


@pytest.mark.parametrize("unit", ["B//s", "GB/", "/s", "GB/ /s", "GB*", "·s"])
def test_a_sign_without_a_name_is_no_unit(unit):
    with pytest.raises(NotationError, match="is no unit: a name is missing beside / or"):
        unit_size(unit)


def test_the_messages():
    with pytest.raises(NotationError, match=r"unknown unit 'furlongs'; use for example ms, GB/s"):
        read_measure("1.01 furlongs")
    with pytest.raises(NotationError, match="unknown unit 'D'"):  # d is a day, D no unit
        unit_size("D")
    with pytest.raises(NotationError) as caught:
        unit_size("furlongs" * 5)
    assert f"unknown unit '{'furlongs' * 3}furlon...'" in str(caught.value)
    with pytest.raises(InvalidValueError, match="no size that occurs here"):
        read_measure("1e400")


DECIMAL = {"k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}  # powers of 1000
BINARY = {"Ki": 1, "ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5}  # powers of 1024
SMALL = {"m": 1, "u": 2, "n": 3}


@pytest.mark.parametrize(
    ("unit", "size"),
    [
        *((f"{prefix}B", 1000**power) for prefix, power in DECIMAL.items()),
        *((f"{prefix}B", 1024**power) for prefix, power in BINARY.items()),
        *((f"{prefix}s", Fraction(1, 1000**power)) for prefix, power in SMALL.items()),
        *(("min", 60), ("h", 60 * 60), ("day", 24 * 60 * 60), ("week", 7 * 24 * 60 * 60)),
        ("year", 365 * 24 * 60 * 60),
    ],
)
def test_the_size_of_a_unit(unit, size):
    assert unit_size(unit)[0] == size


def test_prefixes_of_bits_and_bytes_differ_by_eight():
    assert unit_size("GB/s")[0] == 8 * unit_size("Gb/s")[0]
    assert unit_size("GiB")[0] / unit_size("GB")[0] == Fraction(1024, 1000) ** 3
