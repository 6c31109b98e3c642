"""``check``: a claim against a program, a formula, or itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sympy import Symbol

from symcost.algebra.exact import exact
from symcost.checker.chains import check_alone, check_chain, combined
from symcost.checker.claim_grammar import Stated, stated
from symcost.checker.claim_reading import as_amount, read_claim, with_kinds
from symcost.checker.claims import Claim, Side
from symcost.checker.expected import SOLUTION, Expected, derived, given, symbols_of, where_values
from symcost.checker.inequalities import check_inequality, within
from symcost.checker.judge import judge
from symcost.checker.question import Asked
from symcost.checker.report import Diagnosis, Report
from symcost.errors import InvalidValueError, SymcostError, UndecidedError
from symcost.hardware.model import Chip
from symcost.notation.border import Assumptions, ASymbol, Values, assumptions
from symcost.notation.border import symbol as find
from symcost.notation.numbers import Value
from symcost.notation.units import Dimension
from symcost.symbols import rate

_DIMENSIONS: dict[str, Dimension] = {
    "flops": (("FLOP", 1),),
    "bytes": (("byte", 1),),
    "intensity": (("FLOP", 1), ("byte", -1)),
    "memory": (("byte", 1),),
    **dict.fromkeys(("t_math", "t_comms", "t_lower", "t_upper"), (("second", 1),)),
}
_ASKED = ("flops", "bytes", "intensity", "t_math", "t_comms")  # of a claim that does not say


def check(
    claim: object,
    of: object = None,
    *,
    against: object = None,
    quantity: str | None = None,
    chip: Chip | str | None = None,
    channel: str | None = None,
    unit: str | None = None,
    assume: Assumptions | None = None,
    symbol: ASymbol | None = None,
    where: Values | None = None,
    count: str = "leading",
) -> Report:
    r"""Say whether a claim is right, and if not, where it goes wrong.

    >>> matmul = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
    >>> check(r"\frac{BDF}{BD + DF + BF}", matmul, quantity="intensity").verdict
    'exact'
    >>> report = check("2BD + 2DF", matmul, quantity="bytes")
    >>> report.verdict, report.diagnosis[0].kind
    ('wrong', 'no-write-back')
    >>> check("B > 295", matmul, quantity="threshold", chip="h100").assume
    'D, F -> oo'
    >>> check("1.01 ms", against="flops/C", where="flops=1e12, C=989e12").verdict
    'rounded'
    >>> check("2BDF/(2BD + 2DF) = BDF/(BD + DF)").verdict
    'exact'

    Args:
        claim: a formula (plain text, LaTeX or sympy), a number with or without a unit
            (``1.01 ms``), an inequality (``B > 240``), ``never``, ``always``, or a chain
            (``a = b ≈ c``), which is checked link by link.
        of: a program (text, graph or ledger) from which the truth is derived.
        against: a formula or an inequality that is taken to be true, in place of ``of``.
        quantity: what of the program is meant: ``flops``, ``bytes``, ``intensity``, ``t_math``,
            ``t_comms``, ``t_lower``, ``t_upper``, ``threshold``, ``memory`` or ``parameters``;
            found from the claim when it is not given.
        chip: a chip or its name, for times and thresholds.
        channel: the channel, where the program uses several.
        unit: the compute unit, ``matmul`` or ``vector``, where the program uses several.
        assume: an order of growth or an equality under which the claim is meant.
        symbol: the unknown of a threshold.
        where: numbers for symbols, ``"C=1.97e14, W=8.2e11"`` or a dict.
        count: ``"leading"`` or ``"exact"`` FLOP counts.

    Returns:
        The report: a verdict, what was expected, a counterexample, the diagnosis.

    Raises:
        NotationError: the claim, program or formula is not understood.
        InvalidValueError: there is nothing to compare with, or the quantity is missing.
    """
    if of is not None and against is not None:
        raise InvalidValueError("both a program and a formula are given", repair="give one")
    apart = stated(claim) if isinstance(claim, str) else Stated("")
    if apart.assume or apart.where:
        assume = (*assumptions(assume), *assumptions(apart.assume))
        where = {**where_values(where), **where_values(apart.where)}
    said = _Said(apart.claim or claim, assume, symbol, where_values(where))
    quantity = quantity and quantity.lower()
    if of is None:
        report = _answer(said, _given(said, against, quantity, chip))
    else:
        report = _of_program(said, of, quantity, (chip, channel, unit, count, where))
    return replace(report, claim=claim) if isinstance(claim, str) else report


@dataclass(frozen=True, slots=True)
class _Said:
    """A claim, and what is said besides."""

    claim: object
    assume: Assumptions | None
    symbol: ASymbol | None
    where: dict[str, Value]


def _given(said: _Said, against: object, quantity: str | None, chip: Chip | str | None) -> Expected:
    """What a formula, or nothing, says."""
    typed = _typed(said.claim)
    expected = Expected()
    if against is not None:
        expected = given(against, [*said.where, *typed])
        expected = replace(expected, quantity=quantity or expected.quantity)
    return _on(expected, chip, typed)


def _on(expected: Expected, chip: Chip | str | None, typed: list[str]) -> Expected:
    """What is expected on a chip, whose figures C and W are where no other value is given."""
    if chip is None:
        return expected
    from symcost.hardware.clusters import chip_in
    from symcost.hardware.rates import rates_of

    found = chip_in(chip) if isinstance(chip, str) else chip
    known = {s.name: s for s in symbols_of(expected)}
    mine = rates_of(found, sorted({*known, *typed}))
    values = {known.get(name, rate(name)): v for name, v in mine.items() if v.is_Rational}
    numbers = {symbol: Fraction(int(v.p), int(v.q)) for symbol, v in values.items()}
    return replace(expected, chip=found, values={**numbers, **expected.values})


def _typed(claim: object) -> list[str]:
    """The names of a claim: each is a name in what it is compared with, ``kBDF`` by ``k*B*D*F``."""
    try:
        sides = read_claim(claim).sides if isinstance(claim, str) else ()
    except SymcostError:
        return []  # what is wrong with it is said where it is read
    return [symbol.name for side in sides for symbol in side.expr.free_symbols]


def _answer(said: _Said, expected: Expected) -> Report:
    known = symbols_of(expected)
    names = tuple({s.name for s in known} | set(said.where))
    read = read_claim(said.claim, names)
    if expected.is_open:
        known |= {s for side in read.sides for s in side.expr.free_symbols}
    swap = {
        find(name, known): with_kinds(exact(value), known) for name, value in said.where.items()
    }
    numbers = {s: Fraction(int(v.p), int(v.q)) for s, v in swap.items() if v.is_Rational}
    formulas = {s: v for s, v in swap.items() if not v.is_Rational}
    value = expected.value if expected.value is None else expected.value.xreplace(formulas)
    expected = replace(expected, value=value, values={**expected.values, **numbers})
    read = read.with_sides(
        lambda side: replace(side, expr=with_kinds(side.expr, known | set(swap)).xreplace(formulas))
    )
    unknown = None if said.symbol is None else find(said.symbol, known)
    asked = Asked(read, expected, unknown, said.assume, names)
    if expected.is_open:
        return check_alone(asked)
    is_named = read.is_chain and read.introduces(known)
    told = replace(read, sides=read.sides[1:], signs=read.signs[1:]) if is_named else read
    if words := _unbound(told, known | set(swap)):
        note = f"{', '.join(words)} is no unit, and no name of what is derived"
        return Report("undecided", read.text, note=note)
    if expected.relation is not None:
        return _of_rule(asked, known)
    if read.is_bound:
        return within(read, expected)
    if read.is_rule:
        raise InvalidValueError(
            "an inequality is claimed, but a formula is expected",
            repair="give the quantity threshold, or an inequality to compare with",
        )
    if (
        expected.quantity == "parameters"
        and expected.value == 0
        and any(s.expr for s in told.sides)
    ):
        raise UndecidedError(
            "no tensor of the program is said to be a weight",
            repair="declare it: weight W: bf16[D, F]",
        )
    reports = tuple(_of_side(side, asked) for side in told.sides)
    return reports[0] if len(reports) == 1 else combined(read.text, reports)


def _of_rule(asked: Asked, known: set[Symbol]) -> Report:
    """The report on a rule; of ``B > C/W = 240`` the chains are checked by themselves."""
    claim = asked.claim
    if asked.expected.quantity == SOLUTION and claim.is_rule:
        raise InvalidValueError(
            "an inequality is claimed, but an equation is expected", repair="write x = 3"
        )
    if len(claim.signs) <= 1 or claim.is_chain or claim.is_between(known):
        return check_inequality(asked)
    before, rule, after = (replace(asked, claim=part) for part in claim.parts())
    chains = [check_chain(part) for part in (before, after) if part.claim.signs]
    return combined(claim.text, (check_inequality(rule), *chains))


def _of_side(side: Side, asked: Asked) -> Report:
    """The report on one side, of a number also as an amount: the B of ``6.9e7 B`` may be bytes.

    That counts where it holds, or where the letters stand for nothing else.
    """
    expected, known = asked.expected, set(asked.expected.values)

    def judged(each: Side, *, explained: bool = True) -> Report:
        return _unit_checked(judge(asked.question(each), explained=explained), each, expected)

    report, other = judged(side), as_amount(side)
    if report.holds or other is side or not symbols_of(expected) <= known:
        return report
    is_named = side.expr.free_symbols <= known and len(other.unit) == 1
    found = judged(other, explained=not is_named)
    if found.holds and other.unit:
        return replace(found, note=f"{other.unit} is read as a unit")
    return report if is_named else found


def _unbound(claim: Claim, known: set[Symbol]) -> list[str]:
    """The words of a claim that nothing binds: no names of the formula, and no symbols."""
    free = {s.name for side in claim.sides for s in side.expr.free_symbols - known}
    words = free - {side.text for side in claim.sides[:-1]}
    return sorted(name for name in words if len(name) > 2 and name.islower() and name.isalpha())


def _unit_checked(report: Report, side: Side, expected: Expected) -> Report:
    """A value with a unit of another quantity is wrong, whatever its digits."""
    wanted = _DIMENSIONS.get(expected.quantity)
    if wanted is None or side.dimension in ((), wanted):
        return report
    text = f"{side.unit} is no unit of {expected.quantity}"
    listed = (Diagnosis("unit-mismatch", text, side.unit), *report.diagnosis)
    return replace(report, verdict="wrong", diagnosis=listed[:4])


def _of_program(said: _Said, of: object, quantity: str | None, how: tuple[Any, ...]) -> Report:
    """Without a quantity: the one that the unit or the sign names, else the one that fits."""
    quantities = [quantity] if quantity else _candidates(said.claim)
    reports: list[Report] = []
    problem: SymcostError | None = None
    for each in quantities:
        try:
            reports.append(_answer(said, derived(of, each, *how)))
        except UndecidedError as error:
            problem = problem or error
    holding = [report for report in reports if report.holds]
    if len(holding) == 1 or (len(quantities) == 1 and reports):
        return (holding or reports)[0]
    if problem is not None and not reports:
        raise problem
    raise InvalidValueError(
        "it is not said what the claim is about",
        repair=f"give the quantity, one of {', '.join(quantities)}",
    )


def _candidates(claim: object) -> list[str]:
    read = read_claim(claim)
    asked = read.sides[-1].dimension if read.sides else ()
    fitting = [q for q, dimension in _DIMENSIONS.items() if asked == dimension and q in _ASKED]
    if read.is_rule and not (read.is_bound and fitting):
        return ["threshold"]
    return fitting or ["intensity", "flops", "bytes"]
