"""How results show themselves: each gives its blocks and inherits every format from here."""

from __future__ import annotations

from collections.abc import Mapping

from symcost.documents.blocks import Block, Document, Listing, Section
from symcost.render.registry import render


class Rendered:
    """What has a document has every format, ``repr``, and rich display in notebooks.

    ``_label`` names the kind of result before its one line in ``repr``.
    """

    __slots__ = ()
    _label = ""

    def document(self) -> Document:
        """What there is to say, as a document that every format renders."""
        raise NotImplementedError

    def to_text(self) -> str:
        """The result as plain text for a terminal."""
        return render(self.document(), "text")

    def to_markdown(self) -> str:
        """The result as Markdown with LaTeX formulas."""
        return render(self.document(), "markdown")

    def to_latex(self, *, standalone: bool = False) -> str:
        """The result as LaTeX: a part of a document (``amsmath``), or a whole one."""
        return render(self.document(), "latex", whole=standalone)

    def to_html(self, *, standalone: bool = False) -> str:
        """The result as HTML with MathML formulas: a part of a page, or a whole one."""
        return render(self.document(), "html", whole=standalone)

    def to_json(self) -> str:
        """The facts of the result as JSON, with formulas as sympy-readable strings."""
        return render(self.document(), "json")

    def __repr__(self) -> str:
        shown = self.to_text()
        return f"{self._label}: {'; '.join(shown.splitlines())}" if self._label else shown

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def _repr_html_(self) -> str:
        return self.to_html()


class Displayed(Rendered):
    """A result that says in ``blocks`` what it has to say, and in ``data`` its facts for JSON.

    >>> from dataclasses import dataclass
    >>> from symcost.documents.blocks import Prose
    >>> @dataclass(frozen=True, repr=False)
    ... class Verdict(Displayed):
    ...     said: str
    ...     def blocks(self):
    ...         return (Prose(self.said),)
    >>> Verdict("It holds.")
    It holds.
    >>> Verdict("It holds.").to_html()
    '<p>It holds.</p>\\n'
    """

    __slots__ = ()

    def blocks(self) -> tuple[Block, ...]:
        """What the result says, as plain blocks."""
        raise NotImplementedError

    def data(self) -> Mapping[str, object]:
        """Its facts under the keys of the JSON interface; without any, its blocks stand there."""
        return {}

    def document(self) -> Document:
        """The blocks and facts as a document that every format renders."""
        return Document("", (Section("", self.blocks()),), data=self.data())


class Typed(Displayed):
    """What a program is made of, and so shows as it is typed: a graph, a mesh, a type."""

    __slots__ = ()

    def blocks(self) -> tuple[Block, ...]:
        """Its text, set as code."""
        return (Listing(repr(self)),)


def to_latex(value: object) -> str:
    r"""Bare LaTeX mathematics of a result or an expression, ready to stand in an equation.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> print(sc.to_latex(B * D / (B + D)))
    \frac{B D}{B + D}

    Args:
        value: any result of symcost, a sympy expression or relation, a number, or a formula's text.

    Returns:
        LaTeX for math mode, without dollar signs; it needs ``amsmath``.

    Raises:
        InvalidValueError: there is no mathematics in it.
    """
    if isinstance(value, Rendered) and not isinstance(value, Typed):
        return render(value.document(), "math")
    from sympy import Expr, Float

    from symcost.errors import InvalidValueError
    from symcost.notation.border import formula
    from symcost.printing.latex import to_latex as expression_latex

    inexact = isinstance(value, float) or (isinstance(value, Expr) and value.has(Float))
    value = formula(value) if inexact or isinstance(value, str) else value
    try:
        return expression_latex(value)
    except (TypeError, ValueError, AttributeError):  # sympy's words for what is no expression
        raise InvalidValueError(
            f"{type(value).__name__} has no mathematics to show",
            repair="give a result of symcost, or a sympy expression",
        ) from None
