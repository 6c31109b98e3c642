"""Data types: a name and an exact size in bits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from symcost.errors import InvalidValueError
from symcost.registry import Registry


@dataclass(frozen=True, slots=True)
class DType:
    """A data type: its name, its size in bits (exact, or ``None`` for a symbol), its kind.

    >>> dtype("int4").bits, str(dtype("bfloat16"))
    (Fraction(4, 1), 'bf16')

    A symbolic data type has ``bits=None``; its size in *bytes* is the symbol of its name.
    ``kind`` is ``"float"``, ``"int"``, ``"bool"`` or ``"any"``; ``runs_at`` is the name of the
    type at whose rate a chip computes it, ``""`` if it has a rate of its own.
    """

    name: str
    bits: Fraction | None
    kind: str = "float"
    source: str = ""
    runs_at: str = ""

    def __str__(self) -> str:
        return self.name

    @property
    def is_symbolic(self) -> bool:
        """Whether the size is a symbol rather than a number."""
        return self.bits is None


dtypes: Registry[DType] = Registry("dtype")
UNTYPED = "b"  # the symbolic dtype of a tensor that was written without one


def register_dtype(
    name: str,
    bits: object,
    *,
    kind: str = "float",
    source: str = "",
    runs_at: str = "",
    aliases: str | Iterable[str] = (),
    replace: bool = False,
) -> DType:
    """Add a data type of a given size.

    >>> from sympy import Rational
    >>> register_dtype("mxfp4x", bits=Rational(17, 4), replace=True).bits
    Fraction(17, 4)

    Args:
        name: what programs call it; case and punctuation do not matter.
        bits: size of one value in bits, a positive int, Fraction or sympy Rational; block
            formats count their scales (4 bits + an 8-bit scale per 32 values = 17/4).
        kind: ``"float"``, ``"int"`` or ``"bool"``.
        source: where the size is published.
        runs_at: the type at whose rate a chip computes it, ``"fp8"``, where it has no rate of
            its own.
        aliases: another name of the same type, or several.
        replace: whether a type of this name may be replaced.

    Returns:
        The new type.

    Raises:
        InvalidValueError: the size is no exact positive number.
        DuplicateNameError: the name is taken.
        UnknownNameError: ``runs_at`` is no known type.
    """
    base = dtypes[runs_at].name if runs_at else ""
    made = DType(name, _exact_bits(name, bits), kind, source, "" if base == name else base)
    dtypes.add(name, made, aliases=aliases, replace=replace)
    return made


def rate_chain(kind: DType) -> tuple[DType, ...]:
    """The type, the type at whose rate it runs, and so on.

    >>> [str(each) for each in rate_chain(dtype("mxfp8"))]
    ['mxfp8', 'fp8']
    """
    chain = [kind]
    while chain[-1].runs_at and (base := dtypes[chain[-1].runs_at]) not in chain:
        chain.append(base)
    return tuple(chain)


def dtype(name: str | DType) -> DType:
    """The data type of this name; an unknown one-word name in lower case is a symbolic type.

    >>> dtype("fp8").bits
    Fraction(8, 1)
    >>> dtype("w").is_symbolic
    True

    Args:
        name: a registered name or alias, or a single letter (with digits) that stands for an
            unknown size in bytes per value; a type is returned as it is.

    Returns:
        The type.

    Raises:
        UnknownNameError: the name is neither; the message lists near names.
    """
    if isinstance(name, DType):
        return name
    known = dtypes.get(name)
    if known is not None:
        return known
    if len(name) <= 2 and name[:1].isalpha() and name.isalnum():
        return DType(name, None, "any")
    return dtypes[name]


def _exact_bits(name: str, bits: object) -> Fraction:
    numerator = getattr(bits, "p", None)  # a sympy Rational keeps p/q
    value = (
        Fraction(numerator, bits.q)  # type: ignore[attr-defined]
        if numerator is not None
        else Fraction(bits)
        if isinstance(bits, int | Fraction)
        else None
    )
    if value is None or value <= 0:
        raise InvalidValueError(
            f"dtype {name!r} cannot have {bits} bits",
            repair="give a positive int, a Fraction or a sympy Rational",
        )
    return value


_IEEE = "IEEE 754-2019"
_OCP8 = "OCP 8-bit floating point specification, revision 1.0"
_OCPMX = "OCP microscaling formats (MX) specification, version 1.0, section 5"

register_dtype("fp64", 64, source=_IEEE, aliases=("float64", "f64", "double"))
register_dtype("fp32", 32, source=_IEEE, aliases=("float32", "f32", "float"))
register_dtype("tf32", 32, source="stored as fp32; 19 bits enter the multiplier")
register_dtype("fp16", 16, source=_IEEE, aliases=("float16", "f16", "half"))
register_dtype("bf16", 16, source="the upper half of fp32", aliases=("bfloat16",))
register_dtype("fp8", 8, source=_OCP8, aliases=("float8", "f8"))
register_dtype(
    "fp8_e4m3", 8, source=_OCP8, runs_at="fp8", aliases=("e4m3", "float8_e4m3", "float8_e4m3fn")
)
register_dtype("fp8_e5m2", 8, source=_OCP8, runs_at="fp8", aliases=("e5m2", "float8_e5m2"))
register_dtype("fp6", 6, source=_OCPMX, aliases=("float6", "fp6_e2m3", "fp6_e3m2"))
register_dtype("fp4", 4, source=_OCPMX, aliases=("float4", "fp4_e2m1", "e2m1"))
register_dtype("int64", 64, kind="int", aliases=("i64", "s64", "uint64", "u64"))
register_dtype("int32", 32, kind="int", aliases=("i32", "s32", "uint32", "u32"))
register_dtype("int16", 16, kind="int", aliases=("i16", "s16", "uint16", "u16"))
register_dtype("int8", 8, kind="int", aliases=("i8", "s8", "uint8", "u8"))
register_dtype("int4", 4, kind="int", aliases=("i4", "s4", "uint4", "u4"))
register_dtype("int2", 2, kind="int", aliases=("i2", "s2", "uint2", "u2"))
register_dtype("bool", 8, kind="bool", source="one byte a value, as numpy, torch and XLA store it")
# the scales of block formats cost bytes but no FLOPs
register_dtype("mxfp8", Fraction(33, 4), source=_OCPMX, runs_at="fp8")
register_dtype("mxfp6", Fraction(25, 4), source=_OCPMX, runs_at="fp6")
register_dtype("mxfp4", Fraction(17, 4), source=_OCPMX, runs_at="fp4")
register_dtype("mxint8", Fraction(33, 4), kind="int", source=_OCPMX, runs_at="int8")
_NVFP4 = "4 bits and an fp8 scale per 16 values (NVIDIA)"
register_dtype("nvfp4", Fraction(9, 2), source=_NVFP4, runs_at="fp4")
