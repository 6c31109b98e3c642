"""The checker: a claim against what the engine derives, with a diagnosis when they differ."""

from symcost.checker.checker import check
from symcost.checker.report import Diagnosis, Report

__all__ = ["Diagnosis", "Report", "check"]
