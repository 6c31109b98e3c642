"""A whole page: page -> definitions -> links -> lint -> report."""

from symcost.analysis.check.document.document import DocumentReport, check_document

__all__ = ["DocumentReport", "check_document"]
