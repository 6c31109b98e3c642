"""The lines of a map of regimes: which part is the largest on a grid, and where borders run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symcost.analysis.numeric.function import function
from symcost.analysis.regimes.regime_map import MapBorder, RegimeMap

if TYPE_CHECKING:
    from numpy import ndarray
    from sympy import Expr

FAR = 0.01  # from the closed forms, in logarithms: then a curve belongs to what has none
TOLERANCE = 1e-3  # of logarithms on a border, which is drawn through the grid


def winners_on(regimes: RegimeMap, xs: ndarray, ys: ndarray) -> ndarray:
    """The index among the winners, without repetition, of the largest at each point of a grid."""
    import numpy as np

    names = list(dict.fromkeys(regimes.winners))
    place = np.array([names.index(winner) for winner in regimes.winners])
    picked: ndarray = place[np.argmax(_margins(regimes, xs[None, :], ys[:, None]), axis=0)]
    return picked


def border_lines(regimes: RegimeMap, border: MapBorder, xs: ndarray, ys: ndarray) -> list[ndarray]:
    """The polygons on which the ratio of a border is 1, as far as they are a border."""
    import numpy as np
    from contourpy import contour_generator

    ratio = function((border.ratio,), [regimes.x, regimes.y])(xs[None, :], ys[:, None])[0]
    heights = np.broadcast_to(np.log(ratio), (len(ys), len(xs)))
    contours = contour_generator(np.log(xs), np.log(ys), heights)
    found_curves = []
    for line in (np.exp(np.asarray(each)) for each in contours.lines(0.0)):
        margins = _margins(regimes, line[:, 0], line[:, 1])
        sides = [_best(regimes, margins, winner) for winner in (border.left, border.right)]
        active = (np.minimum(*sides) > -TOLERANCE) & _is_this(regimes, border, line)
        edges = np.flatnonzero(np.diff(active.astype(int))) + 1
        parts = np.split(np.arange(len(line)), edges)
        found_curves += [line[part] for part in parts if active[part[0]] and len(part) > 1]
    return found_curves


def _best(regimes: RegimeMap, margins: ndarray, winner: Expr) -> ndarray:
    import numpy as np

    rows = [i for i, each in enumerate(regimes.winners) if each == winner]
    highest: ndarray = np.max(margins[rows], axis=0)
    return highest


def _is_this(regimes: RegimeMap, border: MapBorder, line: ndarray) -> ndarray:
    """Where a curve belongs to this one of several borders between the same winners."""
    import numpy as np

    pair = (border.left, border.right)
    same = [each for each in regimes.borders if (each.left, each.right) == pair]
    if len(same) == 1:
        return np.full(len(line), True)
    with np.errstate(all="ignore"):
        gaps = [_gap(regimes, each, line) for each in same]
    return np.asarray(np.argmin(gaps, axis=0) == same.index(border))


def _gap(regimes: RegimeMap, border: MapBorder, line: ndarray) -> ndarray:
    """How far, in logarithms, the points of a curve are from a solution."""
    import numpy as np

    if border.expr is None:
        return np.full(len(line), FAR)
    column = 0 if border.symbol == regimes.x else 1
    values = function((border.expr,), [regimes.x, regimes.y])(line[:, 0], line[:, 1])[0]
    gap = np.abs(np.log(np.broadcast_to(values, len(line))) - np.log(line[:, column]))
    return np.where(np.isnan(gap), np.inf, gap)


def _margins(regimes: RegimeMap, x: ndarray, y: ndarray) -> ndarray:
    """For each winner the logarithm of the smallest ratio of its region: negative outside."""
    import numpy as np

    shape = np.broadcast_shapes(np.shape(x), np.shape(y))
    margins = np.full((len(regimes.regions), *shape), np.inf)
    for index, ratios in enumerate(regimes.regions):
        for values in function(tuple(ratios), [regimes.x, regimes.y])(x, y) if ratios else ():
            margins[index] = np.minimum(margins[index], np.log(values))
    return margins
