"""A whole page: page -> definitions -> links -> lint -> report."""

from symcost.pages.document import DocumentReport, check_document

__all__ = ["DocumentReport", "check_document"]
