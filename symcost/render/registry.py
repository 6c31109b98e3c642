"""The formats: each is a registered function that renders any document."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from symcost.documents.blocks import Document
from symcost.errors import InvalidValueError
from symcost.registry import Registry
from symcost.render import formats as built_in


class Renderer(Protocol):
    """A document in a format: ``whole``, to stand alone in a file, or as a part of another."""

    def __call__(self, document: Document, *, whole: bool) -> str | bytes: ...


FINDINGS = ("github", "sarif")  # formats of documents that list what was found, file by file
PICTURES = ("png", "svg", "pdf")  # formats by the ending of a file
TEXTS = ("dot", "graphml")  # endings of files that tell a graph to other programs

RENDERERS: Registry[Renderer] = Registry("format")


def renderer(name: str) -> Callable[[Renderer], Renderer]:
    """Register a format under the name that ``--format`` and :func:`render` take.

    >>> @renderer("titles")
    ... def titles(document, *, whole):
    ...     return document.title
    >>> render(Document("Costs", ()), "titles")
    'Costs'
    """

    def register(function: Renderer) -> Renderer:
        RENDERERS.add(name, function, replace=True)
        return function

    return register


def format_names() -> tuple[str, ...]:
    """The formats there are, without loading any: a module of ``render/formats`` each, pictures,
    and those that were registered."""
    modules = [module.name for module in iter_modules(built_in.__path__)]
    return tuple(dict.fromkeys([*modules, *PICTURES, *RENDERERS]))


def render(document: Document, name: str = "text", *, whole: bool = False) -> str:
    """A document in a format.

    >>> from symcost.documents.blocks import Prose, Section
    >>> render(Document("", (Section("", (Prose("It holds."),)),)), "markdown")
    'It holds.'

    Args:
        document: what there is to say.
        name: ``"text"``, ``"markdown"``, ``"latex"``, ``"html"``, ``"json"``, or a registered one.
        whole: whether it shall stand alone in a file, with a head and all it needs.

    Raises:
        UnknownNameError: there is no such format.
    """
    text = content(document, name, whole=whole)
    if isinstance(text, bytes):
        raise InvalidValueError(f"{name} is no text", repair="take the content")
    return text


def file_format(path: str, name: str) -> str:
    """The format of a file with a picture: that of its ending, or one that is asked for.

    Raises:
        InvalidValueError: none is asked for, and it does not end in .png, .svg or .pdf.
    """
    if not path and name == "text":
        raise InvalidValueError("a picture needs a file", repair="name one with -o, as plot.png")
    ending = path.rpartition(".")[2].lower()
    if ending in PICTURES:
        return ending
    if name == "text" and ending not in TEXTS:
        raise InvalidValueError(f"cannot plot into {path!r}", repair="end it in .png, .svg or .pdf")
    return name


def content(document: Document, name: str, *, whole: bool = False) -> str | bytes:
    """A document as the content of a file: the text of a format, or the bytes of a picture."""
    if name not in RENDERERS and name in format_names():
        home = f"{built_in.__name__}.{name}"
        import_module("symcost.render.pictures" if name in PICTURES else home)
    return RENDERERS[name](document, whole=whole)
