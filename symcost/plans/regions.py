"""Regions: which part of the whole a device holds, and what two of them have in common."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import TypeAlias

import numpy as np

from symcost.algebra import as_posynomial
from symcost.errors import InvalidValueError
from symcost.model.mesh import Mesh
from symcost.model.tensors import TensorType
from symcost.plans.wires import Array

Place: TypeAlias = tuple[int, ...]  # a device: its index on each axis
Region: TypeAlias = tuple[slice, ...]


def number(size: object) -> int:
    """A size as a whole number.

    Raises:
        InvalidValueError: it is a symbol.
    """
    value = as_posynomial(size)
    if not value.is_constant:
        raise InvalidValueError(f"{value} is no number", repair="give every size a number")
    return int(value.as_fraction())


def region_of(kind: TensorType, mesh: Mesh, place: Place) -> Region:
    """Which part of the whole a device holds; empty where there are too few rows."""
    parts = []
    at = dict(zip(mesh, place, strict=True))
    for size, axes in zip(map(number, kind.shape), kind.sharding, strict=True):
        start, stop = 0, size
        for axis in axes:
            chunk = -(-size // number(mesh[axis]))
            start = min(start + at[axis] * chunk, stop)
            stop = min(start + chunk, stop)
            size = chunk
        parts.append(slice(start, stop))
    return tuple(parts)


def shape_of(region: Region) -> tuple[int, ...]:
    """How many rows it has along each dimension."""
    return tuple(part.stop - part.start for part in region)


def common(a: Region, b: Region) -> Region:
    """The overlap of two regions; where there is none, nothing at the start of the first."""
    return tuple(
        slice(max(x.start, y.start), min(x.stop, y.stop))
        if max(x.start, y.start) < min(x.stop, y.stop)
        else slice(x.start, x.start)
        for x, y in zip(a, b, strict=True)
    )


def within(part: Region, region: Region) -> Region:
    """Where a part of a region lies, counted from the region's start."""
    return tuple(
        slice(max(0, x.start - y.start), max(0, x.stop - y.start))
        for x, y in zip(part, region, strict=True)
    )


def put_together(goal: Region, parts: Iterable[tuple[Region, Array]]) -> Array:
    """A device's array, out of flat padded parts with their regions."""
    result = np.zeros(shape_of(goal))
    for region, flat in parts:
        shape, both = shape_of(region), common(goal, region)
        result[within(both, goal)] = flat[: prod(shape)].reshape(shape)[within(both, region)]
    return result
