"""Monotonicity in a symbol, and the direction of a limit's error: by signs, otherwise by z3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Symbol, ceiling, exp, floor, log

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio, as_ratio
from symcost.algebra.factors import factors
from symcost.algebra.posynomial import Atom, Number
from symcost.algebra.relation import SIGNS, Relation
from symcost.algebra.signs import Facts, possible_signs
from symcost.analysis.assume import assumed
from symcost.analysis.limit import Approximation
from symcost.analysis.proof.claim import Claim, Goal, domain, plain_claim, quantified
from symcost.analysis.proof.logic import All
from symcost.analysis.proof.proof import TIMEOUT, Proof, by_signs, decide
from symcost.analysis.values import canonical_expr
from symcost.documents.blocks import Block, Prose, words
from symcost.notation.border import AnExpr, ASymbol
from symcost.notation.border import symbol as symbol_of
from symcost.render.shown import Displayed
from symcost.symbols import rate

Signs = frozenset[int]
DIRECTIONS = {
    frozenset({1}): "increasing",
    frozenset({0, 1}): "increasing",
    frozenset({-1}): "decreasing",
    frozenset({-1, 0}): "decreasing",
    frozenset({0}): "constant",
}


@dataclass(frozen=True, slots=True, repr=False)
class Direction(Displayed):
    """An answer and its proof.

    Of a function: "increasing", "decreasing" (both may pause), "constant", "neither" or
    "undecided"; ``strict`` when it never pauses. Of a limit's error: "over", "under",
    "exact", "both" or "undecided".
    """

    answer: str
    proof: Proof
    strict: bool = False

    _label = "Direction"

    def blocks(self) -> tuple[Block, ...]:
        """The answer, and what was proved."""
        strictly = "strictly " if self.strict and self.answer in DIRECTIONS.values() else ""
        return (Prose(strictly + self.answer), *self.proof.blocks())

    def data(self) -> dict[str, object]:
        """The answer, and its proof."""
        return {"answer": self.answer, "strict": self.strict, "proof": self.proof.data()}


def monotone(
    value: AnExpr | Ratio,
    symbol: ASymbol,
    given: Any = None,
    timeout: float = TIMEOUT,
    free: Symbol | None = None,
) -> Direction:
    """Whether an expression grows or shrinks with a symbol, for all values of the others.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> monotone(B * D / (B + D), B).answer, monotone(1 / B + D, B).proof.method
    ('increasing', 'signs')

    Args:
        value: a cost expression, or text.
        symbol: the symbol that varies, or its name.
        given: facts such as ``"D >= 4096"``, as text, read, or as ``Facts``.
        timeout: seconds for each question that signs leave to z3.
        free: a dimension that may take any positive value, so also below 1.

    Returns:
        The direction with its proof.
    """
    ratio = value if isinstance(value, Ratio) else as_ratio(canonical_expr(value))
    expr = ratio.to_sympy()
    symbol = symbol_of(symbol, expr.free_symbols)
    facts = given if isinstance(given, Facts) else assumed(given, (expr,), (symbol,)).facts
    known = facts if free is None else _unbounded_below(facts, free)
    signs = slope_signs(ratio, symbol, known)
    pole = unsettled_factor(ratio, lambda factor: symbol in factor.symbols, known)
    answer = DIRECTIONS.get(signs) if pole is None else None
    if answer is not None:
        claim = _claim(expr, symbol, facts, answer, free)
        return Direction(answer, by_signs(claim), strict=0 not in signs)
    claims = {a: _claim(expr, symbol, facts, a, free) for a in ("increasing", "decreasing")}
    return _by_solver(claims, "neither", timeout)


def unsettled_factor(
    value: Ratio,
    matters: Callable[[Posynomial], bool],
    facts: Facts,
    free: Symbol | None = None,
) -> Posynomial | None:
    """A factor of the denominator that matters and may be zero, so that there may be a pole."""
    known = facts if free is None else _unbounded_below(facts, free)
    some = (each for each in factors(value.den) if matters(each))
    return next((each for each in some if 0 in possible_signs(each, known)), None)


def _unbounded_below(facts: Facts, free: Symbol) -> Facts:
    return replace(facts, lower={free: 0, **facts.lower}, joint=False)


def slope_signs(value: Ratio, symbol: Symbol, facts: Facts) -> Signs:
    """The signs that the slope may have: each atom's share by the chain rule, added up."""
    shares = [
        _product(_partial_signs(value, atom, facts), _atom_signs(atom, symbol, facts))
        for atom in value.atoms
        if symbol in atom.free_symbols
    ]
    total: Signs = frozenset({0})
    for share in shares:
        total = _sum(total, share)
    return total


def _partial_signs(value: Ratio, atom: Atom, facts: Facts) -> Signs:
    """The signs of the derivative by one atom: those of ``num' * den - num * den'``."""
    slope = derivative(value.num, atom) * value.den - value.num * derivative(value.den, atom)
    return possible_signs(slope, facts)


def derivative(part: Posynomial, atom: Atom) -> Posynomial:
    terms = []
    for power, coefficient in part.coefficients(atom).items():
        if power:
            rest: Mapping[Any, Number] = {((atom, power - 1),) if power != 1 else (): power}
            terms.append(coefficient * Posynomial(rest))
    return Posynomial.sum(terms)


def _atom_signs(atom: Atom, symbol: Symbol, facts: Facts) -> Signs:
    """How an atom moves with the symbol: steps and extrema move as their arguments do."""
    if atom == symbol:
        return frozenset({1})
    if not isinstance(atom, Maximum | Minimum | ceiling | floor | log | exp):
        return frozenset({-1, 0, 1})
    inner = [slope_signs(as_ratio(arg), symbol, facts) for arg in atom.args]
    moves = frozenset(sign for signs in inner for sign in signs)
    return moves if isinstance(atom, log | exp | Maximum | Minimum) else moves | {0}


def _product(left: Signs, right: Signs) -> Signs:
    return frozenset(a * b for a in left for b in right)


def _sum(left: Signs, right: Signs) -> Signs:
    signs = {a or b for a in left for b in right if a * b >= 0}
    return frozenset(signs | ({-1, 0, 1} if any(a * b < 0 for a in left for b in right) else set()))


# -- solver -------------------------------------------------------------------------------


def _claim(
    expr: Expr, symbol: Symbol, facts: Facts, answer: str, free: Symbol | None = None
) -> Claim:
    """That a larger value of the symbol never gives a smaller (or larger) value."""
    larger = rate(f"{symbol.name}_larger")
    moved = expr.xreplace({symbol: larger})
    op = {"increasing": ">=", "decreasing": "<=", "constant": "="}[answer]
    symbols = tuple(sorted(expr.free_symbols | {symbol}, key=lambda s: s.name))
    goal = Goal(All((Relation(larger, ">", symbol),)), Relation(moved, op, expr))
    word = "does not depend on" if answer == "constant" else f"is {answer} in"
    said = words(*quantified(symbols, facts, free), expr, f" {word} ", symbol)
    hypotheses = domain(symbols, facts, free)
    above = tuple(
        Relation(larger, "<=", h.rhs) for h in hypotheses if h.lhs == symbol and h.op == "<="
    )
    return Claim(said, (*symbols, larger), (*hypotheses, *above), (goal,), (expr, moved))


def _by_solver(claims: Mapping[str, Claim], neither: str, timeout: float) -> Direction:
    """The first answer whose claim is proved; ``neither`` where all are refuted."""
    proofs = [decide(claim, timeout) for claim in claims.values()]
    for answer, proof in zip(claims, proofs, strict=True):
        if proof.is_proved:
            return Direction(answer, proof)
    refuted = all(proof.status == "refuted" for proof in proofs)
    return Direction(neither if refuted else "undecided", proofs[0])


def error_direction(found: Approximation, timeout: float = TIMEOUT) -> Direction:
    """Whether a limit always overestimates or always underestimates, with the proof.

    >>> from symcost.analysis.limit import limit
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> error_direction(limit(B * D / (B + D), "B << D")).answer
    'over'

    Args:
        found: a limit.
        timeout: seconds for each question that signs leave to z3.

    Returns:
        "over", "under", "exact" or "both", with the proof of the first, or of why neither.
    """
    error = as_ratio(found.relative_error)
    claims = {op: plain_claim(Relation(found.value, op, found.exact)) for op in SIGNS}
    signs = _product(possible_signs(error.num), possible_signs(error.den))
    for wanted, answer, op in (
        ({0}, "exact", "="),
        ({1}, "over", ">"),
        ({-1}, "under", "<"),
        ({0, 1}, "over", ">="),
        ({-1, 0}, "under", "<="),
    ):
        if signs <= wanted:
            return Direction(answer, by_signs(claims[op]), strict=len(op) == 1)
    return _by_solver({"over": claims[">="], "under": claims["<="]}, "both", timeout)
