"""Operations: registered data; importing this package registers the built-in kinds."""

from symcost.ops import contraction, elementwise, movement, normalisation, reduction
from symcost.ops.kinds import OpKind, op_kinds, register_op, resolved

__all__ = [
    "OpKind",
    "contraction",
    "elementwise",
    "movement",
    "normalisation",
    "op_kinds",
    "reduction",
    "register_op",
    "resolved",
]
