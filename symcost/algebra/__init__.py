"""Exact algebra of cost expressions: posynomials, their ratios, signs and dominance."""

from symcost.algebra.extrema import Maximum, Minimum, decide_by
from symcost.algebra.posynomial import Posynomial, as_posynomial
from symcost.algebra.ratio import Ratio, as_ratio
from symcost.algebra.reals import compare

__all__ = ["Maximum", "Minimum", "Posynomial", "Ratio", "as_posynomial", "as_ratio"]

decide_by(compare)
