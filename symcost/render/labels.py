"""Names of the regions of a map, each written where it fits into its region."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy import ndarray

SIZES = (12, 10, 8)  # of letters, points
ROOMY = (3.0, 2.0, 1.5, 1.2)  # boxes around a name, as multiples of its own size; the largest first


def label_regions(
    figure: Figure, axes: Axes, regions: ndarray, texts: Mapping[int, str]
) -> list[int]:
    """Write the name of each region into it.

    Args:
        figure: what is drawn.
        axes: its axes, over which the regions are spread evenly.
        regions: an array of indices, rows upwards.
        texts: the name of each index.

    Returns:
        The indices that occur but have no room for their names.
    """
    figure.draw_without_rendering()  # settles the size of the axes
    unlabelled = []
    for index, text in texts.items():
        inside = regions == index
        if inside.any() and not _write(axes, inside, text):
            unlabelled.append(index)
    return unlabelled


def _write(axes: Axes, inside: ndarray, text: str) -> bool:
    rows, columns = inside.shape
    frame = axes.get_window_extent()
    for size in SIZES:
        label = axes.text(
            0.5, 0.5, text, fontsize=size, ha="center", va="center", transform=axes.transAxes
        )
        box = label.get_window_extent()
        height, width = box.height / frame.height * rows, box.width / frame.width * columns
        for factor in ROOMY:
            spot = _spot(inside, int(height * factor) + 1, int(width * factor) + 1)
            if spot is not None:
                label.set_position(((spot[1] + 0.5) / columns, (spot[0] + 0.5) / rows))
                return True
        label.remove()
    return False


def _spot(inside: ndarray, height: int, width: int) -> tuple[float, float] | None:
    """The centre of a box that lies inside, as close to the middle of all such as there is."""
    rows, columns = inside.shape
    if height > rows or width > columns:
        return None
    sums = np.zeros((rows + 1, columns + 1), int)
    sums[1:, 1:] = np.cumsum(np.cumsum(inside, axis=0), axis=1)
    area = sums[height:, width:] - sums[:-height, width:]
    area = area - sums[height:, :-width] + sums[:-height, :-width]
    low, left = np.nonzero(area == height * width)
    if not len(low):
        return None
    nearest = np.argmin((low - low.mean()) ** 2 + (left - left.mean()) ** 2)
    return float(low[nearest]) + height / 2, float(left[nearest]) + width / 2
