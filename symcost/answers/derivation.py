"""Derivations: from a program, a chip and an assumption to the rule, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Symbol

from symcost.analysis.answer import Answer, answer
from symcost.answers.narrative import narrate
from symcost.documents.blocks import Document
from symcost.hardware import Chip


@dataclass(frozen=True)
class Derivation:
    """The results of a derivation (``answer``) and the document that tells how they follow.

    >>> import symcost as sc
    >>> found = sc.derive("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]", "h100-sxm")
    >>> found.answer.ledger.flops()
    2*B*D*F
    >>> print(found.to_text().splitlines()[1])
      Z: bf16[B, F] = X: bf16[B, D] @ W: bf16[D, F]
    """

    answer: Answer

    @cached_property
    def document(self) -> Document:
        """The steps, ready to be set in type."""
        return narrate(self.answer)

    def to_text(self) -> str:
        """The derivation as plain text for a terminal."""
        from symcost.render.text import document_text

        return document_text(self.document)

    def to_markdown(self) -> str:
        """The derivation as Markdown with LaTeX formulas."""
        from symcost.render.markdown import document_markdown

        return document_markdown(self.document)

    def to_latex(self, *, standalone: bool = False) -> str:
        """The derivation as LaTeX: a fragment of ``align*`` blocks, or a whole document."""
        from symcost.render.latex import document_latex

        return document_latex(self.document, standalone=standalone)

    def to_html(self) -> str:
        """The derivation as one self-contained HTML page with MathML formulas."""
        from symcost.render.html import document_html

        return document_html(self.document)

    def to_json(self) -> str:
        """The results as JSON, with formulas as sympy-readable strings."""
        from symcost.render.json import answer_json

        return answer_json(self.answer)

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def _repr_html_(self) -> str:
        from symcost.render.html import document_body

        return document_body(self.document)


def derive(
    graph: Any,
    chip: Chip | str | None = None,
    *,
    assume: Any = None,
    solve_for: Symbol | str | None = None,
    at: Mapping[Any, Any] | None = None,
    given: Any = None,
    prove: float | None = None,
    count: str = "leading",
) -> Derivation:
    """Derive costs, intensity, times, the simple form and the rule of a program on a chip.

    >>> from symcost.model.programs import parse
    >>> matmul = parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
    >>> rule = derive(matmul, "h100-sxm", assume="B << D, F", solve_for="B")
    >>> rule.answer.channels[0].limit_rule
    Threshold: B > 19780/67 (295.2), smallest integer 296

    Args:
        graph: a computation graph, a graph builder, or program text.
        chip: a chip or its name; a symbolic one (``C``, ``W``) when it is left out.
        assume: assumptions for the simple form, such as ``"B << D, F"``.
        solve_for: the dimension whose threshold is wanted.
        at: numbers for symbols, for a last step with the rule and the times there.
        given: a box such as ``"D, F >= 8192"``, in whose every point the rule shall suffice.
        prove: seconds for each proof of a rule (by signs, else by z3, the extra ``prove``).
        count: ``"leading"`` (2 FLOPs per multiply-add) or ``"exact"``.

    Returns:
        The derivation, with ``to_text``, ``to_markdown``, ``to_latex``, ``to_html``, ``to_json``.

    Raises:
        SymcostError: what is not understood, not known or not decidable, each in one message.

    Source: J. Austin et al., How To Scale Your Model, part 1, "All about rooflines".
    """
    found = answer(
        graph,
        chip,
        assume=assume,
        solve_for=solve_for,
        at=at,
        given=given,
        prove=prove,
        count=count,
    )
    return Derivation(found)
