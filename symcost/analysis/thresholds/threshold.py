"""Thresholds: the values of one symbol for which an inequality holds, with their conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sympy import Expr, Integer, Rel, Symbol, ceiling, floor
from sympy.logic.boolalg import BooleanAtom

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.assumptions import Assumption
from symcost.algebra.exact import exact
from symcost.algebra.signs import NO_FACTS, Facts, possible_signs
from symcost.analysis.assume import Assumed, assumed
from symcost.analysis.thresholds.inequality import positive_ratio, smooth
from symcost.analysis.thresholds.intervals import EVERYTHING, NOTHING, Interval
from symcost.analysis.thresholds.phrases import statements
from symcost.analysis.thresholds.sets import Case, with_otherwise
from symcost.documents.blocks import Block, Quantity, Rule
from symcost.errors import AssumptionError, InvalidValueError, UndecidedError
from symcost.render.formats.text import exact_text
from symcost.render.shown import Displayed
from symcost.symbols import by_name, canonical, dim, is_dim

if TYPE_CHECKING:
    from symcost.analysis.proof.proof import Proof
    from symcost.analysis.thresholds.leading_bound import LeadingBound

_FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


@dataclass(frozen=True, slots=True, repr=False)
class Threshold(Displayed):
    """The set of values of ``symbol`` for which ``lhs op rhs`` holds, case by case.

    ``form`` is ``"exact"``, ``"limit"`` when an order of growth was assumed, or ``"smooth"``
    when ``ceiling(x)`` and ``floor(x)`` were replaced by ``x`` (``integer_set`` keeps them).

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> rule = sc.threshold(B * D / (B + D) > 100, B)
    >>> rule.relation, rule.bound
    ('>', 100*D/(D - 100))
    >>> rule.at(D=150)
    Threshold: B > 300, smallest integer 301
    >>> rule.at(D=100).is_never
    True
    """

    symbol: Symbol
    lhs: Expr
    op: str
    rhs: Expr
    cases: tuple[Case, ...]
    form: str = "exact"
    assume: str = ""
    facts: Facts = NO_FACTS
    assumptions: tuple[Assumption, ...] = ()

    _label = "Threshold"

    def blocks(self) -> tuple[Block, ...]:
        """The cases."""
        return (Rule(statements(self)),)

    def data(self) -> dict[str, object]:
        """The main case spelled out, and all cases."""
        said, bound = statements(self), self.bound
        main = said[self.cases.index(self.main)]
        return {
            "symbol": self.symbol.name,
            "relation": self.relation,
            "bound": bound,
            "bound_numeric": Quantity(bound) if bound is not None and bound.is_number else None,
            "smallest_integer": self.smallest_integer,
            "when": " and ".join(map(exact_text, main.conditions)),
            "form": self.form,
            "assume": self.assume,
            "cases": said,
        }

    @property
    def main(self) -> Case:
        """The case that matters: the first that is not "never"."""
        return next((case for case in self.cases if not case.is_never), self.cases[0])

    @property
    def is_always(self) -> bool:
        """Whether it holds for every value, without a condition."""
        return len(self.cases) == 1 and self.cases[0].is_always

    @property
    def is_never(self) -> bool:
        """Whether it holds for no value, without a condition."""
        return len(self.cases) == 1 and self.cases[0].is_never

    @property
    def relation(self) -> str:
        """How symbol and bound compare: a sign, ``"always"``, ``"never"`` or ``"between"``."""
        if self.main.is_always or self.main.is_never:
            return "always" if self.main.is_always else "never"
        interval = self._only_interval()
        if interval is None or (interval.low is not None and interval.high is not None):
            return "between"
        if interval.low is not None:
            return ">=" if interval.low_closed else ">"
        return "<=" if interval.high_closed else "<"

    @property
    def bound(self) -> Expr | None:
        """The one finite end of the main case's set, exact; ``None`` when there is not one."""
        interval = self._only_interval()
        if interval is None:
            return None
        ends = [end for end in (interval.low, interval.high) if end is not None]
        return ends[0] if len(ends) == 1 else None

    @property
    def smallest_integer(self) -> int | None:
        """The smallest integer that satisfies the main case, when its ends are numbers."""
        found = [interval.smallest_integer() for interval in self.main.intervals]
        known = [value for value in found if value is not None]
        return min(known) if known and is_dim(self.symbol) else None

    def _only_interval(self) -> Interval | None:
        return self.main.intervals[0] if len(self.main.intervals) == 1 else None

    def at(self, values: dict[Any, Any] | None = None, **named: Any) -> Threshold:
        """The same question with numbers (or expressions) for other symbols, answered anew.

        >>> from sympy import Rational
        >>> from symcost.symbols import dims
        >>> B, D = dims("B D")
        >>> threshold(B * D / (B + D) > 100, B).at(D=200).bound
        200
        """
        names = {s.name: s for s in self._symbols()}
        given = by_name({**(values or {}), **named}, names)
        swap = {names[name]: as_ratio(value).to_sympy() for name, value in given.items()}
        left, right = (as_ratio(side.xreplace(swap)).to_sympy() for side in (self.lhs, self.rhs))
        cases = _solve(left, self.op, right, self.symbol, self.facts)
        return replace(self, lhs=left, rhs=right, cases=cases)

    def _symbols(self) -> set[Symbol]:
        found: set[Symbol] = (self.lhs.free_symbols | self.rhs.free_symbols) - {self.symbol}
        return found

    def contains(self, value: int | Fraction | Expr) -> bool:
        """Whether a value satisfies the inequality; all other symbols must be numbers."""
        if any(case.when or case.otherwise for case in self.cases):
            raise UndecidedError(
                "the answer depends on other symbols", repair="give numbers for them with .at()"
            )
        return any(interval.contains(exact(value)) for interval in self.main.intervals)

    def supremum(self) -> Expr | None:
        """The least upper bound of ``lhs`` in the symbol, when it grows towards a limit.

        It is what "never" needs as a reason: the left side stays below it, whatever the symbol.
        """
        left = as_ratio(self.lhs)
        if self.symbol not in left.atoms:
            return None
        return _limit_at_infinity(left, self.symbol, self.facts)

    def leading(self, assume: Any) -> LeadingBound:
        """The closed form that the bound tends to under an order of growth, with its error.

        >>> from symcost.symbols import dims
        >>> B, D, F = dims("B D F")
        >>> threshold(B**3 + D * B > F, B).leading("D**3 << F**2").value
        F**(1/3)
        """
        from symcost.analysis.thresholds.leading_bound import leading_bound

        return leading_bound(self, assume)

    def prove(self, timeout: float = 10.0) -> Proof:
        """Whether the cases are right for all sizes, proved or refuted; see ``symcost.prove``.

        >>> from symcost.symbols import dims
        >>> B, D = dims("B D")
        >>> threshold(B * D / (B + D) > 100, B).prove().status
        'proved'
        """
        from symcost.analysis.thresholds.proof import prove_threshold

        return prove_threshold(self, timeout)


def threshold(relation: Any, symbol: Symbol | str, assume: Any = None) -> Threshold:
    """Solve an inequality for one symbol, exactly, with the conditions under which it holds.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> threshold(B * D / (B + D) > 100, B).bound
    100*D/(D - 100)

    Args:
        relation: a sympy inequality (or a read one) between cost expressions.
        symbol: the unknown or its name, a positive number; integers are taken only at the end.
        assume: assumptions, as text or read: ``F = 4*D`` is put in, ``B << D`` replaces both
            sides by their limits, ``D >= 4096`` decides signs.

    Returns:
        The set of values as cases, each with its conditions; ``repr`` is the rule.

    Raises:
        InvalidValueError: the symbol does not occur, or the relation is no inequality.
        UndecidedError: more sign changes than can be resolved with symbols.

    Source: Descartes' rule of signs decides the number of roots (R. Descartes, La Geometrie,
    1637, book 3); the matmul rule is J. Austin et al., How To Scale Your Model, part 1.
    """
    lhs, op, rhs = sides(relation)
    if isinstance(symbol, str):
        named = {s.name: s for s in lhs.free_symbols | rhs.free_symbols}
        symbol = named.get(symbol) or dim(symbol)
    given = assumed(assume, (lhs, rhs), extra=(symbol,))
    names = canonical(lhs.free_symbols | rhs.free_symbols | {symbol})
    unknown = names[symbol]
    left, right = (given.apply(side) for side in (lhs, rhs))
    if unknown not in left.free_symbols | right.free_symbols:
        return _without_unknown(left, op, right, unknown, given)
    form = given.form
    if _has_steps(left, unknown) or _has_steps(right, unknown):
        left, right, form = smooth(left), smooth(right), "smooth"
    cases = _solve(left, op, right, unknown, given.facts)
    told = (given.text, given.facts, given.stated)
    return Threshold(unknown, left, op, right, cases, form, *told)


def _has_steps(value: Expr, unknown: Symbol) -> bool:
    return any(unknown in step.free_symbols for step in value.atoms(ceiling, floor))


def sides(relation: Any) -> tuple[Expr, str, Expr]:
    """Left side, sign and right side of an inequality, sympy's or ours."""
    if isinstance(relation, BooleanAtom | bool):
        truth = Integer(1) if relation else Integer(0)
        return truth, ">", Integer(1) / 2
    lhs, op, rhs = (getattr(relation, name, None) for name in ("lhs", "op", "rhs"))
    if isinstance(relation, Rel):
        op = relation.rel_op
    if lhs is None or op not in _FLIPPED:
        raise InvalidValueError(
            f"{relation} is no inequality", repair="write one with >, >=, < or <="
        )
    return exact(lhs), op, exact(rhs)


def _without_unknown(
    left: Expr, op: str, right: Expr, unknown: Symbol, given: Assumed
) -> Threshold:
    difference = as_ratio(left) - as_ratio(right)
    value = difference.num * difference.den
    signs = possible_signs(value if op[0] == ">" else -value, given.facts)
    wanted = {1} if len(op) == 1 else {0, 1}
    if signs <= wanted or not signs & wanted:
        cases = (Case(EVERYTHING if signs <= wanted else NOTHING),)
        told = (given.text, given.facts, given.stated)
        return Threshold(unknown, left, op, right, cases, given.form, *told)
    raise InvalidValueError(
        f"{unknown} does not occur in the inequality",
        repair=f"solve it for one of {', '.join(sorted(a.name for a in value.symbols))}",
    )


def _solve(left: Expr, op: str, right: Expr, unknown: Symbol, facts: Facts) -> tuple[Case, ...]:
    """The cases; the unknown runs over all positive numbers unless a fact bounds it."""
    larger, smaller = (left, right) if op[0] == ">" else (right, left)
    difference = as_ratio(larger) - as_ratio(smaller)
    known = replace(facts, lower={unknown: 0, **facts.lower})
    cases = positive_ratio(difference, unknown, known, strict=len(op) == 1)
    if not cases:  # no sign is possible
        problem = "the assumptions contradict each other"
        raise AssumptionError(problem, repair="leave one of them out")
    return with_otherwise(cases)


def _limit_at_infinity(value: Ratio, unknown: Symbol, facts: Facts) -> Expr | None:
    """The limit of a ratio as the unknown grows, if the ratio grows all the way to it."""
    num, den = (part.coefficients(unknown) for part in (value.num, value.den))
    top, bottom = max(num), max(den)
    if top != bottom or not _increases(num, den, facts):
        return None
    return Ratio.of(num[top], den[bottom]).to_sympy()


def _increases(num: dict[Any, Posynomial], den: dict[Any, Posynomial], facts: Facts) -> bool:
    """Whether ``num' * den - num * den'`` has coefficients that are nowhere negative."""
    slopes: dict[Any, Posynomial] = {}
    for p, a in num.items():
        for q, b in den.items():
            slope = (a * b).scaled(p - q)
            slopes[p + q] = slopes.get(p + q, Posynomial({})) + slope
    return all(possible_signs(slope, facts) <= {0, 1} for slope in slopes.values())
