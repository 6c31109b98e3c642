"""Operations: registered data; importing this package registers the built-in kinds."""

from symcost.model.operations import Operation, operation, operations, resolved
from symcost.model.ops import (
    contraction,
    elementwise,
    exchange,
    movement,
    normalisation,
    parts,
    reduction,
    shards,
)

__all__ = [
    "Operation",
    "contraction",
    "elementwise",
    "exchange",
    "movement",
    "normalisation",
    "operation",
    "operations",
    "parts",
    "reduction",
    "resolved",
    "shards",
]
