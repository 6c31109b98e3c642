"""Contractions: one rule prices dot product, matmul, batched matmul and any einsum."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import mul

from symcost.algebra import Posynomial
from symcost.model.ops.indices import UNIT, checked_spec, contraction_spec, letter_sizes
from symcost.model.ops.kinds import Attrs, OpKind, Types, register_op, same_shape
from symcost.model.ops.sharding import check_contraction, output_sharding
from symcost.model.rules import Entry, OpView, arithmetic, streamed
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
        else contraction_spec(inputs, given, attrs.get("sums"))
    )
    words = spec.replace("->", ",").split(",")
    sizes = letter_sizes(words[:-1], inputs)
    shape = tuple(sizes.get(letter, ONE) for letter in words[-1])
    if given is None:
        result = TensorType(
            widest(kind.dtype for kind in inputs), shape, output_sharding(spec, inputs)
        )
    else:
        result = same_shape(shape, given, "the product")
    check_contraction(spec, inputs, result)
    return result, {**rest, "spec": spec}


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
        reduce(mul, [sizes[letter] for letter in kept], ONE),
        reduce(mul, [sizes[letter] for letter in summed], ONE),
    )


def contract(op: OpView) -> tuple[Entry, ...]:
    """Price a contraction of k operands: k - 1 multiplications and one addition per term."""
    k = len(op.inputs)
    values, terms = multiply_adds(op)
    if not kept_and_summed(op.attrs["spec"])[1]:
        flops, unit = values * (k - 1), "vector"
    elif op.exact:
        flops, unit = values * (terms * k - 1), "matmul"
    else:
        flops, unit = values * terms * k, "matmul"
    return (*arithmetic(op, flops, unit, action="multiply"), *streamed(op))


register_op(
    OpKind(
        name="contract",
        operands=(2, None),
        resolve=resolve,
        rule=contract,
        example="X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]",
        convention=(
            "leading: k operands cost k per term, one multiply-add is 2, so a matmul 2*B*D*F; "
            "exact: a sum of n terms has n - 1 additions, so B*F*(2*D - 1); without a summed "
            "dimension k - 1 multiplications per value, on the vector unit"
        ),
        source="Golub and Van Loan, Matrix Computations, 4th edition, section 1.1.15: flop counts",
        params=("spec", "sums"),
    ),
    aliases=("matmul", "einsum", "dot"),
)
