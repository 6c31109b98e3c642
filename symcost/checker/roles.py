"""What symbols conventionally stand for: the one table is :mod:`symcost.notation.kinds`."""

from __future__ import annotations

from symcost.notation.kinds import ROLES, can_be, role

__all__ = ["ROLES", "can_be", "role"]
