"""A whole page: page -> definitions -> links -> lint -> report."""

from symcost.pages.document import check_document
from symcost.pages.report import DocumentReport

__all__ = ["DocumentReport", "check_document"]
