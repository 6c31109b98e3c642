"""Limits under an order of growth: the simple form, and the exact error of that simplification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sympy import Expr, Integer, Rational, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.assumptions import Assumption
from symcost.algebra.dominance import Growth, leading
from symcost.algebra.exact import exact
from symcost.algebra.leading import leading_ratio
from symcost.algebra.posynomial import Monomial
from symcost.algebra.reals import compare
from symcost.analysis.assume import Assumed, assumed
from symcost.analysis.values import numbers_for, put_in_numbers
from symcost.documents.blocks import Block, Equation, words
from symcost.documents.wording import assumption_words
from symcost.errors import InvalidValueError
from symcost.model.ledger import Ledger
from symcost.notation.border import AnExpr, Assumptions, Values, inputs
from symcost.printing.text import to_text
from symcost.render.shown import Displayed

OUTSIDE = Rational(1, 10)  # relative error from which a limit is flagged


@dataclass(frozen=True, slots=True)
class Dropped:
    """A term that the assumption allows to leave out, and where it came from."""

    term: Expr
    part: str
    origin: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Approximation(Displayed):
    """The simple form ``value`` of ``exact`` under ``assume``.

    ``relative_error`` is ``value/exact - 1``: positive where the limit overestimates.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> found = sc.limit(B * D / (B + D), "B << D")
    >>> found.value, found.relative_error
    (B, B/D)
    """

    value: Expr
    exact: Expr
    relative_error: Expr
    dropped: tuple[Dropped, ...]
    assume: str
    growth: Growth = field(default_factory=Growth)
    assumptions: tuple[Assumption, ...] = ()

    def __repr__(self) -> str:
        error = to_text(self.relative_error)
        under = self.assume or "no assumption"
        return f"{to_text(self.value)}  under {under} (relative error {error})"

    def blocks(self) -> tuple[Block, ...]:
        """The limit, what is assumed, and the exact error."""
        assumed = words("under ", *(assumption_words(self.assumptions) or ("no assumption",)))
        return (
            Equation(self.exact, (("→", self.value),), assumed),
            Equation("relative error", (("=", self.relative_error),)),
        )

    def data(self) -> dict[str, object]:
        """The kept form, its exact error, and what was dropped."""
        return {
            "value": self.value,
            "relative_error": self.relative_error,
            "dropped": [
                {"term": d.term, "part": d.part, "from": list(d.origin)} for d in self.dropped
            ],
            "assume": self.assume,
        }

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols of the exact form, by name."""
        return tuple(sorted(self.exact.free_symbols, key=lambda s: s.name))

    def error_at(self, values: Values | None = None, **named: object) -> Expr:
        """The relative error with numbers for the symbols.

        >>> from symcost.symbols import dims
        >>> B, D = dims("B D")
        >>> limit(B * D / (B + D), "B << D").error_at(B=1, D=100)
        1/100
        """
        given = numbers_for(values, self.symbols, named)
        if as_ratio(self.exact) and not as_ratio(put_in_numbers(self.exact, given)):
            shown = ", ".join(f"{name} = {value}" for name, value in given.items())
            raise InvalidValueError(
                f"the exact form is 0 at {shown}, so there is no relative error",
                repair="give other values",
            )
        return put_in_numbers(self.relative_error, given)

    def broken_at(self, values: Mapping[str, object]) -> tuple[str, ...]:
        """The orders of growth that are the other way round, or level, at given numbers.

        >>> from symcost.symbols import dims
        >>> B, D = dims("B D")
        >>> limit(B * D / (B + D), "B << D").broken_at({"B": 200, "D": 100})
        ('B << D',)
        """
        broken = []
        for monomial, text in self.growth.strict:
            ratio = Posynomial({monomial: 1}).to_sympy()
            names = {s.name: s for s in ratio.free_symbols}
            put = {names[name]: exact(value) for name, value in values.items() if name in names}
            grown = ratio.xreplace(put)
            if grown.is_number and compare(grown, Integer(1)) <= 0:
                broken.append(text)
        return tuple(dict.fromkeys(broken))

    def is_outside_at(self, values: Mapping[str, object]) -> bool:
        """Whether the limit is off by more than a tenth at given numbers, or they break it."""
        if self.broken_at(values):
            return True
        error = self.error_at(dict(values))
        return bool(error.is_number and abs(error) > OUTSIDE)


def limit(
    value: AnExpr | Ledger, assume: Assumptions, *, ledger: Ledger | None = None
) -> Approximation:
    """The form of an expression under assumptions such as ``B << D, F``, with its exact error.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> rule = limit(B * D * F / (B * D + D * F + B * F), "B << D, F")
    >>> rule.value, rule.relative_error
    (B, B/F + B/D)

    Args:
        value: a cost expression or text, or a ledger (its intensity is taken).
        assume: assumptions as text (``"B << D, F"``, ``"N -> oo"``, ``"F = 4*D"``, several
            separated by ``;``) or read; growth is a partial order, incomparable terms stay.
        ledger: the ledger of an intensity, to say which tensors the dropped terms came from.

    Returns:
        The kept form, the relative error ``value/exact - 1`` as an expression, what was dropped.

    Raises:
        AssumptionError: the assumptions contradict each other or name a strange symbol.
    """
    if isinstance(value, Ledger):
        value, ledger = value.intensity(), value
    asked = inputs(expressions=(value,), assume=assume)
    return limit_of(asked.expressions[0], assumed(asked.assumptions, asked.expressions), ledger)


def limit_of(value: Expr, given: Assumed, ledger: Ledger | None = None) -> Approximation:
    """The limit of an expression under read assumptions."""
    whole = as_ratio(given.substituted(value))
    kept = leading_ratio(whole, given.growth)
    error = kept / whole - as_ratio(1) if whole else whole
    return Approximation(
        kept.to_sympy(),
        whole.to_sympy(),
        error.to_sympy(),
        _dropped(whole, given, ledger),
        given.text,
        given.growth,
        given.stated,
    )


def _dropped(exact: Ratio, given: Assumed, ledger: Ledger | None) -> tuple[Dropped, ...]:
    num, den = exact.integral()
    parts = [("numerator", "compute", num)]
    if not exact.is_posynomial:
        parts.append(("denominator", "channel", den))
    dropped = []
    for name, kind, part in parts:
        lost = _lost(part, given.growth)
        sources = _sources(part, kind, given, ledger) if lost else {}
        for term in lost:
            (monomial,) = term.terms
            dropped.append(Dropped(term.to_sympy(), name, tuple(sources.get(monomial, ()))))
    return tuple(dropped)


def _lost(part: Posynomial, growth: Growth) -> list[Posynomial]:
    kept = leading(part, growth).terms
    return [term for term in part if not set(term.terms) <= set(kept)]


def _sources(
    part: Posynomial, kind: str, given: Assumed, ledger: Ledger | None
) -> dict[Monomial, list[str]]:
    """For each monomial of a part of the intensity, the ledger entries that it came from."""
    if ledger is None:
        return {}
    amounts = [
        (entry.what, as_ratio(given.substituted(entry.amount)).num)
        for entry in ledger.entries
        if entry.resource.kind == kind
    ]
    cancelled = Ratio.of(Posynomial.sum(amount for _, amount in amounts), part)
    if not cancelled.is_posynomial or len(cancelled.num) != 1:
        return {}
    sources: dict[Monomial, list[str]] = {}
    for what, amount in amounts:
        for monomial in (amount / cancelled.num).terms:
            sources.setdefault(monomial, []).append(what)
    return sources
