"""Findings as SARIF, which code hosts and editors show beside the lines.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from symcost.documents.blocks import Document
from symcost.render.formats.github import found
from symcost.render.registry import renderer


@renderer("sarif")
def sarif(document: Document, *, whole: bool = False) -> str:
    """One run with a result for each finding."""
    findings = list(found(document))
    kinds = sorted({str(each["kind"]) for each in findings})
    driver = {"name": "symcost", "rules": [{"id": kind} for kind in kinds]}
    run = {"tool": {"driver": driver}, "results": [_result(each) for each in findings]}
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _result(finding: Mapping[str, object]) -> dict[str, object]:
    place = {
        "artifactLocation": {"uri": finding["file"] or "page"},
        "region": {"startLine": finding["line"]},
    }
    return {
        "ruleId": finding["kind"],
        "level": finding["level"],
        "message": {"text": finding["text"]},
        "locations": [{"physicalLocation": place}],
    }
