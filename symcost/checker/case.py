"""One disagreement, with everything a diagnosis may look at, and the test of a hypothesis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from sympy import Expr, Symbol

from symcost.algebra import Maximum, Minimum, Ratio, as_ratio
from symcost.algebra.posynomial import ZERO, to_rational
from symcost.checker.claim_reading import with_kinds
from symcost.checker.compare import SAME, differences
from symcost.checker.equality import equal, ratio_of
from symcost.checker.rounding import agrees, rounding
from symcost.checker.samples import wide_points
from symcost.checker.values import evaluate, value_at
from symcost.errors import MissingRuleError, SymcostError
from symcost.hardware.model import Chip
from symcost.model.ledger import Ledger
from symcost.notation.kinds import role
from symcost.notation.units import Printed
from symcost.printing.numbers import decimal

T = TypeVar("T")
Point: TypeAlias = "Mapping[Symbol, Fraction]"
NO_POINT: Point = {}


def _within(claimed: Ratio, value: Ratio, slack: Fraction) -> bool:
    """Whether two formulas differ by a constant factor near 1."""
    quotient = claimed / value if value else Ratio.of(claimed.num)
    if not (quotient.num.is_constant and quotient.den.is_constant):
        return False
    return abs(quotient.num.as_fraction() / quotient.den.as_fraction() - 1) <= slack


NOTHING = Ratio.of(ZERO)  # stands for a proposal that has no value; it explains no claim
MAX_TERMS = 24  # of an expectation whose terms are changed one by one
CLOSE = Fraction(1, 100)  # a number that is cut by less was meant like that
FIT = Fraction(3, 100)  # a hypothesis must come this near, however few digits were printed
ROUNDED = Fraction(1, 200)  # error of a number in a formula that may have been rounded


@dataclass(frozen=True)
class Case:
    """A claim that differs from what is derived.

    Args:
        claimed: the claimed formula or number.
        expected: what is derived, with symbols for what has a value in ``values``.
        values: numbers for symbols: inputs, and the figures of the chip.
        printed: the claimed number with its digits, when the claim is one.
        quantity: ``flops``, ``bytes``, ``intensity``, ``t_math``, ``t_comms``, ``threshold``,
            or what the unit says: ``rate``, ``time``, ``count`` (of devices, tokens); or "".
        text: the claim as typed.
        unit: the unit that was typed with a number; ``unit_size`` in base units.
        ledger: the ledger of the program, on the channel in question; ``whole``: all of it.
        chip: the chip; ``dtype``: the dtype of the main unit; ``channel``: the channel.
        names: the names that are one symbol in the claim.
        ops: the claimed and the expected relation sign of an inequality.
        unknowns: the claimed and the expected unknown of an inequality.
    """

    claimed: Expr
    expected: Expr
    values: Point = field(default_factory=dict)
    printed: Printed | None = None
    quantity: str = ""
    text: str = ""
    unit: str = ""
    unit_size: Fraction = Fraction(1)
    ledger: Ledger | None = None
    whole: Ledger | None = None
    chip: Chip | None = None
    dtype: str = ""
    channel: str = ""
    names: tuple[str, ...] = ()
    ops: tuple[str, str] = ("", "")
    unknowns: tuple[str, str] = ("", "")
    literals: tuple[Printed, ...] = ()
    source: str = ""  # the expectation as it was typed, if it was
    written: Expr | None = None  # the expectation with a symbol for every number in it
    numbers: Point = field(default_factory=dict)  # what those stand for
    is_second: bool = False  # whether the expectation is already one that a mistake gives

    @cached_property
    def typed(self) -> Point:
        """Everything that was put in: values of the inputs, and numbers in the formula."""
        inputs = {s: self.values[s] for s in self.inputs if s in self.values}
        return {**inputs, **self.numbers}

    @property
    def claims_choice(self) -> bool:
        """Whether a maximum or a minimum may be claimed."""
        return self.printed is not None or bool(self.claimed.atoms(Maximum, Minimum))

    @property
    def is_plain_arithmetic(self) -> bool:
        """Whether only numbers are put together, of which nothing says what they count."""
        return not self.inputs and not self.unit and not self.quantity

    @property
    def is_computed(self) -> bool:
        """Whether the expectation is more than one number that was typed."""
        return bool(self.inputs) or self.written is None or not self.written.is_Symbol

    def like(self, value: Expr) -> Expr:
        """The expression with the symbols of this case."""
        return with_kinds(value, {*self.inputs, *self.others})

    def name(self, symbol: Symbol) -> str:
        """How an input is called: a number that was typed is itself."""
        return decimal(self.numbers[symbol], 12) if symbol in self.numbers else symbol.name

    def with_literals(self, part: Expr, changed: Point = NO_POINT) -> Fraction | None:
        """The value of a part of the formula as it was written, some inputs changed."""
        try:
            return evaluate(part, {**self.values, **self.numbers, **changed})
        except (SymcostError, ZeroDivisionError):
            return None

    def only_nearly(self, value: Expr | Ratio) -> bool:
        """Whether a number fits not closely: by a cut digit, or zeros that may be places."""
        number = None if self.printed is None else self.number(value)
        if self.printed is None or not number:
            return False
        how = rounding(self.printed, number)
        return how in ("places", "cut") and abs(self.printed.value / number - 1) > CLOSE

    @property
    def formula(self) -> Expr:
        """The expectation as it was written, if it was."""
        return self.expected if self.written is None else self.written

    def fits_with(self, changed: Point) -> bool:
        """Whether the claimed number follows from other values of what was put in."""
        value = self.with_literals(self.formula, changed)
        if self.printed is None or value is None:
            return False
        return _fits(self.printed, value, Fraction(0))

    @cached_property
    def ratio(self) -> Ratio | None:
        """The expectation in normal form."""
        return ratio_of(self.expected)

    @cached_property
    def claim_ratio(self) -> Ratio | None:
        """The claim in normal form."""
        return ratio_of(self.claimed)

    @cached_property
    def quotient(self) -> Ratio | None:
        """Claimed over expected, in normal form."""
        if self.ratio is None or self.claim_ratio is None or not self.ratio:
            return None
        try:
            return self.claim_ratio / self.plugged(self.ratio)
        except SymcostError:
            return None

    @cached_property
    def factor(self) -> Fraction | None:
        """Claimed over expected when that is a number."""
        if self.printed is not None:
            value = self.number(self.expected)
            return self.printed.value / value if value else None
        quotient = self.quotient
        if quotient is None or not (quotient.num.is_constant and quotient.den.is_constant):
            return None
        return quotient.num.as_fraction() / quotient.den.as_fraction()

    @cached_property
    def inputs(self) -> tuple[Symbol, ...]:
        """The symbols of the expectation, by name."""
        return tuple(sorted(self.expected.free_symbols, key=lambda s: s.name))

    @cached_property
    def others(self) -> tuple[Symbol, ...]:
        """Symbols that have a value, or occur in the claim, but not in the expectation."""
        known = self.claimed.free_symbols | set(self.values)
        return tuple(sorted(known - set(self.inputs), key=lambda s: s.name))

    def number(self, value: Expr | Ratio) -> Fraction | None:
        """The value of an expression at the case's values, if they suffice."""
        try:
            expr = value.to_sympy() if isinstance(value, Ratio) else value
            return evaluate(expr, self.values)
        except (SymcostError, ZeroDivisionError):
            return None

    def explains(self, value: Expr | Ratio, slack: Fraction = Fraction(0)) -> bool:
        """Whether the claim is what one gets from this expression."""
        if self.printed is not None:
            number = self.number(value)
            return number is not None and _fits(self.printed, number, slack)
        if not self._may_be(value, slack):
            return False
        ratio = value if isinstance(value, Ratio) else ratio_of(value)
        if ratio is None or self.claim_ratio is None:
            return equal(self.claimed, value.to_sympy() if isinstance(value, Ratio) else value)
        ratio = self.plugged(ratio)
        if ratio == self.claim_ratio:
            return bool(ratio)
        slack = max(slack, self.rounding)
        if all(a.is_Symbol for a in ratio.atoms):
            return bool(slack) and _within(self.claim_ratio, ratio, slack)
        return equal(self.claimed, ratio.to_sympy())

    @cached_property
    def probes(self) -> list[tuple[dict[Symbol, Fraction], Fraction]]:
        """Points, and the claim there: what differs at one need not be compared any further.

        One has small sizes; at the other the expectation differs.
        """
        named = self.claimed.free_symbols
        symbols = sorted(named | self.expected.free_symbols | set(self.values), key=str)
        put = {s: v for s, v in self.values.items() if named and self._is_figure(s)}
        points = [{s: Fraction(n) for n, s in enumerate(symbols, 3)} | put]
        if self.expected.atoms(Maximum, Minimum):
            wide = wide_points(self.claimed, self.expected, put)
            telling = differences(self.claimed, self.expected, wide)
            points += [{**points[0], **point} for point, *_ in islice(telling, 1)]
        found = []
        for point in points:
            with suppress(SymcostError, ZeroDivisionError):
                found.append((point, evaluate(self.claimed, point)))
        return found

    def _is_figure(self, symbol: Symbol) -> bool:
        """Whether the claim has the number in place of a rate of the chip."""
        named = self.claimed.free_symbols
        return symbol not in named and role(symbol.name) in ("peak", "bandwidth")

    def _may_be(self, value: Expr | Ratio, slack: Fraction) -> bool:
        """Whether an expression has the value of the claim at each probe, or none there."""
        near = max(SAME, 2 * slack, 2 * self.rounding)
        for point, claim in self.probes:
            with suppress(SymcostError, ZeroDivisionError):
                is_ratio = isinstance(value, Ratio)
                here = value_at(value, point) if is_ratio else evaluate(value, point)
                if abs(here - claim) > near * max(abs(here), abs(claim)):
                    return False
        return True

    @cached_property
    def rounding(self) -> Fraction:
        """By how much the formula may be off because a number in it was rounded."""
        errors = [n.place / abs(n.value) for n in self.literals if n.value]
        return max([error for error in errors if error <= ROUNDED], default=Fraction(0))

    def plugged(self, ratio: Ratio) -> Ratio:
        """The ratio with the chip's numbers for figures that the claim has as numbers, too."""
        put = {s: v for s, v in self.values.items() if self._is_figure(s)}
        if not self.claimed.free_symbols or put.keys().isdisjoint(_free(ratio)):
            return ratio
        if put.keys().isdisjoint(_free(ratio, inside=True)):
            return ratio.substitute({s: as_ratio(v) for s, v in put.items() if s in ratio.atoms})
        if self.claim_ratio is None or not _free(self.claim_ratio, inside=True):
            return ratio  # at numbers one argument may be the largest whatever the sizes
        figures = {s: to_rational(v) for s, v in put.items()}
        return ratio_of(ratio.to_sympy().xreplace(figures)) or ratio

    def _is_inside(self, symbols: Iterable[Symbol]) -> bool:
        """Whether one of the symbols stands inside a power, a root or a maximum."""
        assert self.ratio is not None
        return not _free(self.ratio, inside=True).isdisjoint(symbols)

    def turned(self) -> Case:
        """The case the other way round: what is expected changed in the place of the claim."""
        return replace(self, claimed=self.expected, expected=self.claimed, ledger=None)

    def costs(self) -> Ledger:
        """The ledger, for the kinds that are asked only where there is one."""
        return _present(self.ledger, "ledger")

    def all_costs(self) -> Ledger:
        """The ledger of the whole program, likewise."""
        return _present(self.whole, "ledger of a program")

    def machine(self) -> Chip:
        """The chip, likewise."""
        return _present(self.chip, "chip")

    def substituted(self, values: Mapping[Symbol, Any]) -> Expr | Ratio:
        """The expectation with symbols replaced."""
        if self.ratio is None or self._is_inside(values):
            return self.expected.xreplace({s: _sympy(v) for s, v in values.items()})
        try:
            return self.ratio.substitute({s: as_ratio(v) for s, v in values.items()})
        except SymcostError:
            return NOTHING


def _free(ratio: Ratio, *, inside: bool = False) -> set[Symbol]:
    """The symbols of a ratio, or those inside a power, a root or a maximum."""
    return {s for atom in ratio.atoms if not (inside and atom.is_Symbol) for s in atom.free_symbols}


def _sympy(value: object) -> Any:
    return to_rational(value) if isinstance(value, int | Fraction) else value


def _fits(printed: Printed, value: Fraction, slack: Fraction) -> bool:
    """Whether a number prints like that, and not only because it has few digits."""
    if not value:
        return False
    gap = abs(printed.value / value - 1)
    return gap <= slack or (agrees(printed, value) and gap <= FIT)


def _present(item: T | None, what: str) -> T:
    if item is None:
        raise MissingRuleError(f"this case has no {what}", repair="say so in the kind's needs")
    return item
