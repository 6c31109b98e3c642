"""Reading a formula, plain or LaTeX, into an exact expression.

How a word splits: a declared name is one symbol; a word with a lower-case letter, a digit
or an underscore is one symbol (``tm``, ``d_model``, ``W1``); a run of capitals that is not
declared is a product of its letters (``2BDF`` is ``2*B*D*F``).

How a division reads: a product written without blanks is one thing, so ``a/2BD`` is
``a/(2*B*D)``; a blank ends it, so ``1/2 BD`` is ``(1/2)*B*D``; with ``*`` the order is from
left to right, so ``a/b*c`` is ``(a/b)*c``. A note tells how a division before a product was
read. In LaTeX only blanks that are typeset count (``\\,``, ``\\;``, ``\\quad``, ``~``).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sympy import Expr

from symcost.algebra.relation import Relation
from symcost.notation import plain_tokens
from symcost.notation.grammar import parse
from symcost.notation.limits import check_text
from symcost.notation.relations import split_at
from symcost.notation.tokens import Scope, Token, division_notes, failure, joined


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as typed and as read; ``notes`` say how words and divisions were read."""

    expr: Expr
    text: str
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of the symbols that occur."""
        return frozenset(symbol.name for symbol in self.expr.free_symbols)


def read_formula(text: str, declared: Collection[str] = (), rates: Collection[str] = ()) -> Formula:
    r"""Read a formula in plain text or LaTeX.

    >>> formula = read_formula("2BDF/(B + D)")
    >>> formula.expr, formula.notes
    (2*B*D*F/(B + D), ('BDF was read as B*D*F',))
    >>> read_formula(r"\frac{1.97e14}{W_\text{hbm}}", rates={"W_hbm"}).expr
    197000000000000/W_hbm
    >>> read_formula("max(tm, 4B^2) + log2(8)").expr
    Max(4*B**2, tm) + 3

    Args:
        text: the formula; one with a backslash or a dollar sign is read as LaTeX.
        declared: names that are one symbol wherever they stand as a whole word.
        rates: names that stand for a positive real (declared as well); every other name
            stands for a dimension, a positive integer.

    Returns:
        The formula; its numbers are exact.

    Raises:
        NotationError: the text is no formula.
        InvalidValueError: it has no finite real value, or numbers out of bounds.
    """
    scope = Scope.of(declared, rates)
    tokens = scan(check_text(text), scope)
    expr = parse(tokens, text, 0, len(text))
    return Formula(expr, text, notes_of(tokens, text, scope))


@dataclass(frozen=True, slots=True)
class Chain:
    """Sides with a relation sign between each two, as in ``T = 2BDF/C ≈ 3``."""

    sides: tuple[Expr, ...]
    ops: tuple[str, ...]
    text: str
    notes: tuple[str, ...] = ()


def read_chain(text: str, declared: Collection[str] = (), rates: Collection[str] = ()) -> Chain:
    """Read formulas with ``=``, ``≈``, ``<``, ``<=``, ``>``, ``>=`` between them.

    >>> read_chain("2BDF / (2BD) = F").sides, read_chain("a <= b < c").ops
    ((F, F), ('<=', '<'))

    Args:
        text: one formula or more, plain or LaTeX.
        declared: names that are one symbol.
        rates: names that stand for a positive real.

    Returns:
        The sides and the signs between them; none for a single formula.

    Raises:
        NotationError: a side is no formula, or a sign states an assumption (``<<``, ``->``).
        InvalidValueError: a side has no finite real value, or numbers out of bounds.
    """
    scope = Scope.of(declared, rates)
    tokens = scan(check_text(text), scope)
    items, signs = split_at(tokens, frozenset({"REL"}))
    for sign in signs:
        if sign.value in ("<<", ">>", "->"):
            problem = f"{sign.value} states an assumption, not a relation of formulas"
            raise failure(problem, text, sign.start, sign.end, "use <, <=, >, >= or =")
    starts = [0, *(sign.end for sign in signs)]
    ends = [*(sign.start for sign in signs), len(text)]
    sides = zip(items, starts, ends, strict=True)
    exprs = tuple(parse(item, text, start, end) for item, start, end in sides)
    ops = tuple(sign.value for sign in signs)
    return Chain(exprs, ops, text, notes_of(tokens, text, scope))


def read_relation(
    text: str, declared: Collection[str] = (), rates: Collection[str] = ()
) -> Relation:
    """Read one relation between two formulas.

    >>> read_relation("BDF/(BD + DF + BF) > 300")
    B*D*F/(B*D + B*F + D*F) > 300

    Args:
        text: two formulas with ``>``, ``>=``, ``<``, ``<=``, ``=`` or ``≈`` between them.
        declared: names that are one symbol.
        rates: names that stand for a positive real.

    Returns:
        The relation; its sides are kept as they are.

    Raises:
        NotationError: the text is no relation.
        InvalidValueError: a side has no finite real value, or numbers out of bounds.
    """
    chain = read_chain(text, declared, rates)
    if len(chain.ops) != 1:
        problem = "one relation is expected" if chain.ops else "a relation is expected"
        raise failure(problem, text, 0, len(text), 'write two sides, for example "B*D > 300"')
    return Relation(chain.sides[0], chain.ops[0], chain.sides[1])


def is_latex(text: str) -> bool:
    r"""Whether a formula is LaTeX: it holds a backslash or a dollar sign.

    >>> is_latex(r"\frac{B}{D}"), is_latex("$B$"), is_latex("B/D")
    (True, True, False)
    """
    return "\\" in text or "$" in text


def scan(text: str, scope: Scope, latex: bool | None = None) -> list[Token]:
    """The tokens of a plain or LaTeX text, with those of juxtaposition."""
    if is_latex(text) if latex is None else latex:
        from symcost.notation import latex_tokens

        return joined(latex_tokens.scan_latex(text, scope), text, latex_tokens.BLANK)
    return joined(plain_tokens.scan_plain(text, scope), text, plain_tokens.BLANK)


def notes_of(tokens: list[Token], text: str, scope: Scope) -> tuple[str, ...]:
    """How the words and the divisions were read."""
    return tuple(dict.fromkeys([*scope.notes, *division_notes(tokens, text)]))
