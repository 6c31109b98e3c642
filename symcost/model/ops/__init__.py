"""Operations: registered data; importing this package registers the built-in kinds."""

from symcost.model.ops import contraction, elementwise, movement, normalisation, reduction
from symcost.model.ops.kinds import OpKind, op_kinds, register_op, resolved

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
