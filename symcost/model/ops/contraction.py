"""Contractions: one rule prices dot product, matmul, batched matmul and any einsum."""

from __future__ import annotations

from functools import lru_cache

from symcost.algebra import Posynomial
from symcost.model.entries import Entry, OpView, arithmetic, streamed
from symcost.model.operations import Array, Attrs, Types, operation
from symcost.model.ops.indices import UNIT, checked_spec, contraction_spec, letter_sizes
from symcost.model.ops.splits import contraction as split_contraction
from symcost.model.tensors import ONE, TensorType, widest


def resolve(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, dict[str, object]]:
    """The type of the result and the full specification of a contraction."""
    rest = {name: value for name, value in attrs.items() if name not in ("spec", "sums")}
    written = attrs.get("spec")
    spec = (
        checked_spec(written, inputs, given)
        if written is not None
        else contraction_spec(inputs, given, _named(attrs.get("sums")))
    )
    words = spec.replace("->", ",").split(",")
    sizes = letter_sizes(words[:-1], inputs)
    shape = tuple(sizes.get(letter, ONE) for letter in words[-1])
    result = given
    if result is None or result.shape != shape:
        dtype = widest(kind.dtype for kind in inputs)
        result = TensorType(dtype, shape)
    return result, {**rest, "spec": spec}


def _named(sums: object) -> tuple[object, ...] | None:
    return sums if sums is None or isinstance(sums, tuple) else (sums,)


@lru_cache(maxsize=1024)
def kept_and_summed(spec: str) -> tuple[str, str]:
    """The letters of the result, and those that are summed; in alphabetical order.

    >>> kept_and_summed("ab,bc->ac")
    ('ac', 'b')
    """
    operands, _, result = spec.partition("->")
    kept = set(result) - {UNIT}
    return "".join(sorted(kept)), "".join(sorted(set(operands) - kept - {UNIT, ","}))


def multiply_adds(op: OpView) -> tuple[Posynomial, Posynomial]:
    """The number of values of a contraction's result, and of products summed into each."""
    spec = str(op.attrs["spec"])
    kept, summed = kept_and_summed(spec)
    words = spec.partition("->")[0].split(",")
    sizes = {
        letter: size
        for word, tensor in zip(words, op.inputs, strict=True)
        for letter, size in zip(word, tensor.shape, strict=True)
    }
    return (
        Posynomial.product(sizes[letter] for letter in kept),
        Posynomial.product(sizes[letter] for letter in summed),
    )


def run(op: OpView, *arrays: Array) -> Array:
    """The product by numpy's einsum, which knows no axes of size one."""
    import numpy as np

    words = str(op.attrs["spec"]).replace("->", ",").split(",")
    squeezed = [
        array.reshape([n for letter, n in zip(word, array.shape, strict=True) if letter != UNIT])
        for word, array in zip(words[:-1], arrays, strict=True)
    ]
    *operands, result = [word.replace(UNIT, "") for word in words]
    product: Array = np.einsum(f"{','.join(operands)}->{result}", *squeezed)
    return product.reshape(op.shape)


@operation(
    "contract",
    operands=(2, None),
    params=("spec", "sums"),
    aliases=("matmul", "einsum", "dot", "mm", "bmm"),
    shape=resolve,
    run=run,
    split=split_contraction,
    example="X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]",
    convention=(
        "leading: k operands cost k per term, one multiply-add is 2, so a matmul 2*B*D*F; "
        "exact: a sum of n terms has n - 1 additions, so B*F*(2*D - 1); without a summed "
        "dimension k - 1 multiplications per value, on the vector unit"
    ),
    source="Golub and Van Loan, Matrix Computations, 4th edition, section 1.1.15: flop counts",
)
def contract(op: OpView) -> tuple[Entry, ...]:
    """Price a contraction of k operands: k - 1 multiplications and one addition per term."""
    k = len(op.inputs)
    values, terms = multiply_adds(op)
    if not kept_and_summed(str(op.attrs["spec"]))[1]:
        flops, unit = values * (k - 1), "vector"
    elif op.exact:
        flops, unit = values * (terms * k - 1), "matmul"
    else:
        flops, unit = values * terms * k, "matmul"
    return (*arithmetic(op, flops, unit, action="multiply"), *streamed(op))
