"""The checker: a claim against what the engine derives, with a diagnosis when they differ."""

from symcost.analysis.check.checker import check
from symcost.analysis.check.report import Diagnosis, Report

__all__ = ["Diagnosis", "Report", "check"]
