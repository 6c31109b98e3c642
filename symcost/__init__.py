"""symcost derives performance formulas of tensor programs symbolically.

>>> import symcost as sc
>>> cost = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]").cost()
>>> sc.limit(cost.intensity(), "B << D, F").value
B

Names are loaded when they are first used, so that ``import symcost`` is quick and neither
sympy nor matplotlib is imported before it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "symcost.algebra": ("Maximum", "Minimum", "Posynomial", "as_posynomial"),
    "symcost.algebra.relation": ("Relation",),
    "symcost.analysis.regimes.breakpoints": ("Breakpoints", "breakpoints"),
    "symcost.checker": ("check",),
    "symcost.checker.mistakes": ("mistake",),
    "symcost.pages": ("check_document",),
    "symcost.analysis.thresholds.feasible": ("Feasible", "feasible"),
    "symcost.analysis.thresholds.guarantee": ("Guarantee", "guarantee"),
    "symcost.analysis.thresholds.integers": ("IntegerSet", "integer_set"),
    "symcost.analysis.limit": ("Approximation", "limit"),
    "symcost.analysis.proof.monotone": ("error_direction", "monotone"),
    "symcost.analysis.numeric.function": ("function",),
    "symcost.analysis.optimum.minimize": ("minimize",),
    "symcost.analysis.optimum.types": ("Optimum",),
    "symcost.analysis.proof.proof": ("Proof",),
    "symcost.analysis.proving": ("prove",),
    "symcost.analysis.regimes.regime_map": ("RegimeMap", "regime_map"),
    "symcost.analysis.regimes.regimes": ("Regimes", "regimes"),
    "symcost.analysis.roofline": ("Roofline", "roofline"),
    "symcost.analysis.numeric.sweep": ("sweep",),
    "symcost.analysis.thresholds.threshold": ("Threshold", "threshold"),
    "symcost.analysis.thresholds.proof": ("prove_necessary", "prove_sufficient"),
    "symcost.model.builder": ("Graph",),
    "symcost.model.entries": (
        "Entry",
        "Resource",
        "arithmetic",
        "read",
        "streamed",
        "write",
    ),
    "symcost.answers.derivation": ("Derivation", "derive"),
    "symcost.notation.border": ("formula",),
    "symcost.model.dtypes": ("DType", "dtype", "register_dtype"),
    "symcost.errors": ("SymcostError",),
    "symcost.model.diagram": ("draw",),
    "symcost.model.digraph": ("text_digraph",),
    "symcost.model.graph": ("ComputationGraph", "Op"),
    "symcost.model.importer": ("from_networkx",),
    "symcost.hardware": ("Chip", "chip", "chip_names", "load_chip", "symbolic_chip"),
    "symcost.model.ledger": ("Ledger",),
    "symcost.model.mesh": ("Mesh", "MeshAxis"),
    "symcost.model.ops": ("operation",),
    "symcost.model.programs": ("parse",),
    "symcost.plans.devices": ("run_on_devices",),
    "symcost.plans.picture": ("draw_layouts",),
    "symcost.plans.steps": ("Plan", "plan"),
    "symcost.render.shown": ("to_latex",),
    "symcost.answers.plots": ("plot_regimes", "plot_roofline", "plot_throughput"),
    "symcost.answers.times": ("plot_times",),
    "symcost.symbols": ("dim", "dims", "rate", "rates"),
    "symcost.model.tensors": ("Tensor", "TensorType"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if TYPE_CHECKING:
    from symcost.algebra import Maximum, Minimum, Posynomial, as_posynomial
    from symcost.algebra.relation import Relation
    from symcost.analysis.limit import Approximation, limit
    from symcost.analysis.numeric.function import function
    from symcost.analysis.numeric.sweep import sweep
    from symcost.analysis.optimum.minimize import minimize
    from symcost.analysis.optimum.types import Optimum
    from symcost.analysis.proof.monotone import error_direction, monotone
    from symcost.analysis.proof.proof import Proof
    from symcost.analysis.proving import prove
    from symcost.analysis.regimes.breakpoints import Breakpoints, breakpoints
    from symcost.analysis.regimes.regime_map import RegimeMap, regime_map
    from symcost.analysis.regimes.regimes import Regimes, regimes
    from symcost.analysis.roofline import Roofline, roofline
    from symcost.analysis.thresholds.feasible import Feasible, feasible
    from symcost.analysis.thresholds.guarantee import Guarantee, guarantee
    from symcost.analysis.thresholds.integers import IntegerSet, integer_set
    from symcost.analysis.thresholds.proof import prove_necessary, prove_sufficient
    from symcost.analysis.thresholds.threshold import Threshold, threshold
    from symcost.answers.derivation import Derivation, derive
    from symcost.answers.plots import plot_regimes, plot_roofline, plot_throughput
    from symcost.answers.times import plot_times
    from symcost.checker import check
    from symcost.checker.mistakes import mistake
    from symcost.errors import SymcostError
    from symcost.hardware import Chip, chip, chip_names, load_chip, symbolic_chip
    from symcost.model.builder import Graph
    from symcost.model.diagram import draw
    from symcost.model.digraph import text_digraph
    from symcost.model.dtypes import DType, dtype, register_dtype
    from symcost.model.entries import Entry, Resource, arithmetic, read, streamed, write
    from symcost.model.graph import ComputationGraph, Op
    from symcost.model.importer import from_networkx
    from symcost.model.ledger import Ledger
    from symcost.model.mesh import Mesh, MeshAxis
    from symcost.model.ops import operation
    from symcost.model.programs import parse
    from symcost.model.tensors import Tensor, TensorType
    from symcost.notation.border import formula
    from symcost.pages import check_document
    from symcost.plans.devices import run_on_devices
    from symcost.plans.picture import draw_layouts
    from symcost.plans.steps import Plan, plan
    from symcost.render.shown import to_latex
    from symcost.symbols import dim, dims, rate, rates

__all__ = [  # a test holds this list, the imports above and _HOMES together
    "Approximation",
    "Breakpoints",
    "Chip",
    "ComputationGraph",
    "DType",
    "Derivation",
    "Entry",
    "Feasible",
    "Graph",
    "Guarantee",
    "IntegerSet",
    "Ledger",
    "Maximum",
    "Mesh",
    "MeshAxis",
    "Minimum",
    "Op",
    "Optimum",
    "Plan",
    "Posynomial",
    "Proof",
    "RegimeMap",
    "Regimes",
    "Relation",
    "Resource",
    "Roofline",
    "SymcostError",
    "Tensor",
    "TensorType",
    "Threshold",
    "arithmetic",
    "as_posynomial",
    "breakpoints",
    "check",
    "check_document",
    "chip",
    "chip_names",
    "derive",
    "dim",
    "dims",
    "draw",
    "draw_layouts",
    "dtype",
    "error_direction",
    "feasible",
    "formula",
    "from_networkx",
    "function",
    "guarantee",
    "integer_set",
    "limit",
    "load_chip",
    "minimize",
    "mistake",
    "monotone",
    "operation",
    "parse",
    "plan",
    "plot_regimes",
    "plot_roofline",
    "plot_throughput",
    "plot_times",
    "prove",
    "prove_necessary",
    "prove_sufficient",
    "rate",
    "rates",
    "read",
    "regime_map",
    "regimes",
    "register_dtype",
    "roofline",
    "run_on_devices",
    "streamed",
    "sweep",
    "symbolic_chip",
    "text_digraph",
    "threshold",
    "to_latex",
    "write",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'symcost' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    if callable(value) and not isinstance(value, type):
        from symcost.notation.slips import guarded

        value = guarded(value)
        value.__module__ = __name__  # where pickle finds it
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
