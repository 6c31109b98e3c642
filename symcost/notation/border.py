"""The border: what a public function was given (text, a number, sympy) becomes our objects.

Each analysis calls :func:`inputs` once, before it begins. All texts of one call are read
together: a name of one text is a name in the others, and one table decides what it stands for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from sympy import Expr, Symbol
from sympy.core.relational import Relational

from symcost.algebra.assumptions import Assumption
from symcost.algebra.relation import Relation
from symcost.notation.formulas import RELATION_EXAMPLE
from symcost.notation.given import listed
from symcost.notation.numbers import Value
from symcost.notation.together import Inputs, Together
from symcost.notation.tokens import failure
from symcost.notation.unit_table import Dimension

Number: TypeAlias = int | Fraction | float
AnExpr: TypeAlias = "str | Expr | Number"
ARelation: TypeAlias = "str | Relation | Relational"
ASymbol: TypeAlias = "str | Symbol"
Values: TypeAlias = "str | Mapping[str, object] | Mapping[Symbol, object]"
Assumptions: TypeAlias = "str | Assumption | Relational | Iterable[str | Assumption | Relational]"


def inputs(
    *,
    expressions: AnExpr | Iterable[AnExpr] = (),
    relations: ARelation | Iterable[ARelation] = (),
    symbols: ASymbol | Iterable[ASymbol] = (),
    values: Values | None = None,
    assume: Assumptions | None = None,
    given: Assumptions | None = None,
    formulas: bool = True,
    amounts: Mapping[str, Dimension | None] | None = None,
) -> Inputs:
    """Read everything that one question was given, together.

    >>> asked = inputs(relations="B*D/(B+D) > 100", symbols="B", values="D=150")
    >>> asked.relations, asked.symbols, asked.values
    ((B*D/(B + D) > 100,), (B,), {'D': 150})

    Args:
        expressions: one or several, each text, a number or a sympy expression.
        relations: one or several; a text may hold several, separated by ``;``.
        symbols: names or symbols that the question is about, ``"B"``, ``"m, n"``.
        values: numbers by name or symbol, or text such as ``"D=8192, W=820 GB/s"``.
        assume: assumptions, as text or as records.
        given: a region, read like assumptions.
        formulas: whether a value may be a formula with names.
        amounts: the dimensions of names that amounts will be put in for; ``None`` of a count.

    Returns:
        All of it as our objects; a name is one symbol in all of them.

    Raises:
        NotationError: a text that is not understood.
        InvalidValueError: a number that is not exact, finite and positive where it must be.
    """
    together = Together(listed(expressions), listed(relations), symbols, values, assume, given)
    return together.inputs(formulas, amounts or {})


def relation(given: ARelation, names: Collection[Symbol] = ()) -> Relation:
    """One relation, as :func:`inputs` reads it.

    >>> relation("B > 2*D")
    B > 2*D
    """
    relations = inputs(relations=given, symbols=tuple(names)).relations
    if len(relations) != 1:
        text = str(given)
        raise failure("one relation is expected", text, 0, len(text), RELATION_EXAMPLE)
    return relations[0]


def symbol(given: ASymbol, names: Iterable[Symbol] = ()) -> Symbol:
    """The symbol of a name: the one among ``names``, otherwise what the name stands for.

    >>> symbol("B"), symbol("C").is_integer
    (B, None)
    """
    return inputs(symbols=(*names, given)).symbols[-1]


def values(
    given: Values | None, names: Iterable[Symbol] = (), *, formulas: bool = True
) -> dict[str, Value]:
    """Numbers by name, from a mapping or a text; exact, in base units.

    >>> values("C=197 TFLOP/s, D=F=2^14, N=70B"), values({"B": 4})
    ({'C': 197000000000000, 'D': 16384, 'F': 16384, 'N': 70000000000}, {'B': 4})
    """
    return dict(inputs(symbols=tuple(names), values=given, formulas=formulas).values)


def assumptions(given: Assumptions | None, names: Iterable[Symbol] = ()) -> tuple[Assumption, ...]:
    """Assumptions from text or records.

    >>> assumptions("F = 4*D")
    (Equal(symbol=F, expr=4*D, text='F = 4*D'),)
    """
    return inputs(symbols=tuple(names), assume=given).assumptions


def formula(text: AnExpr) -> Expr:
    r"""Read a formula: plain text or LaTeX, with units where a number stands.

    >>> import symcost as sc
    >>> sc.formula("2BDF/(B + D)"), sc.formula(r"\frac{C}{W_\text{hbm}}")
    (2*B*D*F/(B + D), C/W_hbm)

    Args:
        text: the formula; a number or a sympy expression is taken as it is.

    Returns:
        The exact expression; its names are dimensions, or rates where the name is by convention
        that of a peak, a bandwidth, a time or a fraction.

    Raises:
        NotationError: the text is no formula; the message shows where.
        InvalidValueError: it has no finite real value.
    """
    return inputs(expressions=(text,)).expressions[0]
