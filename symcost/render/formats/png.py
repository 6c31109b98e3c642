"""Documents as PNG files: the first picture that they draw."""

from __future__ import annotations

from symcost.documents.blocks import Document
from symcost.render.pictures import document_picture
from symcost.render.registry import renderer


@renderer("png")
def png(document: Document, *, whole: bool = False) -> bytes:
    """The picture of a document."""
    return document_picture(document, "png")
