"""Types of tensors: exact sizes, one object per type, what is refused."""

from __future__ import annotations

import copy
import pickle
import re
from fractions import Fraction

import pytest
from sympy import Rational, Symbol

from symcost.algebra import as_posynomial
from symcost.errors import ShapeError, UnknownNameError
from symcost.model.dtypes import dtype, dtypes
from symcost.model.tensors import Tensor, TensorType, per_device, widest
from symcost.symbols import dims, rate

B, D, H, J = dims("B D H J")


def test_size_and_bytes():
    kind = TensorType("bf16", (B, D / 2, 3))
    assert kind.size == 3 * B * D / 2
    assert kind.bytes == 3 * B * D
    assert TensorType("int4", (3,)).bytes == Rational(3, 2)
    assert TensorType("mxfp4", (32,)).bytes == 17
    assert TensorType("fp32", ()).bytes == 4
    assert TensorType("w", (B,)).bytes == B * rate("w")


@pytest.mark.parametrize("name", list(dtypes))
def test_bytes_of_every_dtype(name):
    assert TensorType(name, (8,)).bytes == Fraction(dtype(name).bits)


DTYPES = (
    "fp64 float64 f64 double fp32 float32 f32 float tf32 fp16 float16 f16 half bf16 "
    "bfloat16 fp8 float8 f8 fp8_e4m3 e4m3 float8_e4m3 float8_e4m3fn fp8_e5m2 e5m2 "
    "float8_e5m2 fp6 float6 fp6_e2m3 fp6_e3m2 fp4 float4 fp4_e2m1 e2m1 int64 i64 s64 uint64 "
    "u64 int32 i32 s32 uint32 u32 int16 i16 s16 uint16 u16 int8 i8 s8 uint8 u8 int4 i4 s4 "
    "uint4 u4 int2 i2 s2 uint2 u2 bool mxfp8 mxfp6 mxfp4 mxint8 nvfp4"
)
BITS = {"double": 64, "float": 32, "half": 16, "bool": 8}
SCALES = {"mx": Fraction(8, 32), "nv": Fraction(8, 16)}  # a byte for 32 values, or for 16


@pytest.mark.parametrize("name", DTYPES.split())
def test_a_name_says_how_many_bits_a_value_has(name):
    """Its number, or a sign, exponent and mantissa, as e4m3."""
    parts = re.match(r"e(\d)m(\d)$", name)
    said = 1 + sum(map(int, parts.groups())) if parts else BITS.get(name)
    bits = said or int(re.search(r"\d+", name)[0])
    assert dtype(name).bits == bits + SCALES.get(name[:2], 0)


def test_equal_types_are_one_object():
    kind = TensorType("bf16", (B, 4 * D))
    assert TensorType("bfloat16", (Symbol("B"), as_posynomial(D) * 4)) is kind
    assert pickle.loads(pickle.dumps(kind)) is kind
    assert copy.deepcopy(kind) is kind
    assert TensorType("bf16", (4 * D, B)) is not kind
    assert TensorType("bf16", (B,), ((),)) is TensorType("bf16", (B,))
    assert {kind: 1}[TensorType("bf16", (B, 4 * D))] == 1


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (
            (D, D),
            "the dimension D occurs twice in one tensor; name the two axes apart, "
            "for example bf16[D, E], and assume E = D",
        ),
        ((0,), "0 is no size of an axis; a size is a whole number, at least 1"),
        ((-3,), "-3 is no size of an axis; a size is a whole number, at least 1"),
        ((Rational(1, 2),), "1/2 is no size of an axis; a size is a whole number, at least 1"),
        ((-B,), "the size -B is negative; a size is at least 1"),
        ((B - B,), "0 is no size of an axis; a size is a whole number, at least 1"),
        ((1,) * 65, "a tensor of 65 axes has too many; at most 64"),
    ],
)
def test_refused(shape, message):
    with pytest.raises(ShapeError) as caught:
        TensorType("bf16", shape)
    assert str(caught.value) == message


def test_equal_numbers_are_fine():
    assert TensorType("bf16", (128, 128)).size == 128 * 128


def test_unknown_dtype():
    with pytest.raises(UnknownNameError, match="did you mean bf16"):
        TensorType("bf17", (B,))


def test_sharding():
    mesh = {"X": as_posynomial(4), "Y": as_posynomial(dims("Y"))}
    kind = TensorType("bf16", (H, J), (("X", "Y"), ()))
    assert repr(kind) == "bf16[H_XY, J]"
    assert per_device(kind, mesh).bytes == H * J / (2 * dims("Y"))
    assert per_device(TensorType("bf16", (8,), (("X",),)), mesh).size == 2
    assert per_device(TensorType("bf16", (10,), (("X",),)), mesh).size == 3
    with pytest.raises(ShapeError, match="the mesh axis X splits one tensor twice"):
        TensorType("bf16", (H, J), (("X",), ("X",)))


def test_widest():
    def widest_of(*names):
        return str(widest(dtype(name) for name in names))

    assert widest_of("int8", "bf16") == "bf16"
    assert widest_of("int32", "fp8") == "fp8"
    assert widest_of("bf16", "fp32") == "fp32"
    assert widest_of("int8", "int4") == "int8"
    assert widest_of("w", "bf16") == "bf16"
    assert widest_of("bool", "int8") == "int8"


def test_label():
    kind = TensorType("bf16", (B,))
    assert Tensor("X", kind).label == "X"
    assert Tensor("_12", kind).label == "bf16[B]"
    assert Tensor("P0@gpu2", kind).label == "P0"
    assert Tensor("_x", kind).label == "_x"
