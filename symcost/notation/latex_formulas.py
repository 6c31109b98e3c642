"""Reading a formula that is known to be LaTeX."""

from __future__ import annotations

from collections.abc import Collection

from symcost.notation.formulas import Formula, is_latex, notes_of, scan
from symcost.notation.grammar import parse
from symcost.notation.limits import check_text
from symcost.notation.tokens import Scope


def read_latex(text: str, declared: Collection[str] = (), rates: Collection[str] = ()) -> Formula:
    r"""Read a LaTeX formula; unlike :func:`read_formula`, also one without a command.

    Adjacent letters are a product, capitals or not, unless the run is a declared name or
    stands in ``\text{}``, ``\mathrm{}`` or a subscript.

    >>> read_latex(r"\max\left(\frac{4BF}{W_{\mathrm{hbm}}}, \lceil D/8 \rceil\right)").expr
    Max(4*B*F/W_hbm, ceiling(D/8))
    >>> read_latex("xy").expr, read_latex("xy", declared={"xy"}).expr
    (x*y, xy)

    Args:
        text: the formula, with or without dollar signs.
        declared: names that are one symbol.
        rates: names that stand for a positive real.

    Returns:
        The formula.

    Raises:
        NotationError: the text is no formula, or a command is not known.
        InvalidValueError: it has no finite real value, or numbers out of bounds.
    """
    scope = Scope.of(declared, rates)
    tokens = scan(check_text(text), scope, latex=True)
    return Formula(parse(tokens, text, 0, len(text)), text, notes_of(tokens, text, scope))


__all__ = ["is_latex", "read_latex"]
