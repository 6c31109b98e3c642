"""Derivations: from a program, a chip and an assumption to the rule, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Symbol

from symcost.analysis.answer import Answer, answer
from symcost.answers import page
from symcost.documents.blocks import Document
from symcost.hardware import Chip
from symcost.render.shown import Rendered


@dataclass(frozen=True, repr=False)
class Derivation(Rendered):
    """The results of a derivation (``answer``) and the document that tells how they follow.

    >>> import symcost as sc
    >>> found = sc.derive("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]", "h100-sxm")
    >>> found.answer.ledger.flops()
    2*B*D*F
    >>> print(found.to_text().splitlines()[1])
      Z: bf16[B, F] = X: bf16[B, D] @ W: bf16[D, F]
    """

    answer: Answer

    def document(self) -> Document:
        """The steps, ready to be set in type."""
        return page.document(self.answer)

    def to_html(self, *, standalone: bool = True) -> str:
        """The derivation as one self-contained HTML page with MathML formulas, or its body."""
        return super().to_html(standalone=standalone)

    def _repr_html_(self) -> str:
        return self.to_html(standalone=False)


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
    serial: bool = False,
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
        at: numbers for symbols, for a last step with the rule and the times there; with one for
            ``t_hop`` the times of collectives have that of their hops.
        given: a box such as ``"D, F >= 8192"``, in whose every point the rule shall suffice.
        prove: seconds for each proof of a rule (by signs, else by z3, the extra ``prove``).
        count: ``"leading"`` (2 FLOPs per multiply-add) or ``"exact"``.
        serial: whether collectives come one after another, so that their times add up, whatever
            mesh axes they go over.

    Returns:
        The derivation, with ``to_text``, ``to_markdown``, ``to_latex``, ``to_html``, ``to_json``.

    Raises:
        SymcostError: what is not understood, not known or not decidable, each in one message.

    Source: J. Austin et al., How To Scale Your Model, part 1, "All about rooflines".
    """
    derived = answer(
        graph,
        chip,
        assume=assume,
        solve_for=solve_for,
        at=at,
        given=given,
        prove=prove,
        count=count,
        serial=serial,
    )
    return Derivation(derived)
