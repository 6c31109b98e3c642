"""The minimum of a posynomial over several symbols, where geometric programming has a formula.

With one more term than independent exponents (degree of difficulty zero) the weights ``d`` with
``sum d = 1`` and ``sum d * exponents = 0`` are unique, and the inequality of arithmetic and
geometric means holds with equality at the minimum: its value is the product of
``(c / d)**d``, and term k makes up the share ``d[k]`` of it. A maximum of as many terms is
least where all are equal, at the product of ``c**d``. Parts of the objective that share no
symbol are minimized each by itself.

Source: R. Duffin, E. Peterson, C. Zener, Geometric Programming (1967), chapter 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sympy import Add, Expr, Integer, Symbol

from symcost.algebra import Posynomial
from symcost.algebra.dominance import largest
from symcost.algebra.equations import solve
from symcost.algebra.linear import maximize
from symcost.algebra.posynomial import Atom, power_of, to_rational
from symcost.algebra.powers import product_of_powers, where_one
from symcost.analysis.optimum.single import balances
from symcost.errors import UndecidedError

Exponents = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Attained:
    """A minimum without constraints, and where it is attained."""

    point: dict[Symbol, Expr]
    value: Expr


@dataclass(frozen=True, slots=True)
class Falling:
    """There is no minimum: in some direction of the logarithms no term rises and some fall."""

    terms: tuple[Exponents, ...]
    symbols: tuple[Symbol, ...]
    solved: dict[Symbol, Posynomial]

    is_max: bool

    def within(self, limits: Sequence[Posynomial]) -> str | None:
        """What to do with the symbols so that the objective falls and no limit does."""
        kept = tuple(_exponents(limit.substitute(self.solved), self.symbols) for limit in limits)
        found = _direction(self.terms, all_fall=self.is_max, kept=kept)
        if found is None:
            return None
        pairs = zip(self.symbols, found, strict=True)
        moves = ((s, "grows" if d > 0 else "falls towards 0") for s, d in pairs if d)
        return " and ".join(f"{symbol} {how}" for symbol, how in moves)

    def leads_below(self, limit: Posynomial) -> bool:
        """Whether some such direction makes a term that should be at least 1 small."""
        inner = limit.substitute(self.solved)
        powers = _exponents(inner, self.symbols)
        return _direction(self.terms, below=powers) is not None


def minimum_on(
    parts: Sequence[Posynomial], symbols: Sequence[Symbol], equal: Sequence[Posynomial]
) -> Attained | Falling | None:
    """Minimize the largest of some posynomials where some terms are equal to 1.

    Returns:
        The minimum, a direction in which there is none, or ``None`` when the terms cannot all
        be 1 independently of each other.

    Raises:
        UndecidedError: there is no closed form.
    """
    solved: dict[Symbol, Posynomial] = {}
    left = list(symbols)
    for term in equal:
        inner = term.substitute(solved)
        found = [s for s in left if s in inner.atoms]
        if not found:
            return None
        swap = {found[-1]: where_one(inner, found[-1])}
        solved = {s: value.substitute(swap) for s, value in solved.items()} | swap
        left.remove(found[-1])
    inside = [part.substitute(solved) for part in parts]
    free = _minimum(inside, tuple(left), solved)
    if isinstance(free, Falling):
        return free
    others = {s: value.to_sympy().xreplace(free.point) for s, value in solved.items()}
    point = {**free.point, **others}
    return Attained({symbol: point[symbol] for symbol in symbols}, free.value)


def _minimum(
    parts: Sequence[Posynomial], symbols: tuple[Symbol, ...], solved: dict[Symbol, Posynomial]
) -> Attained | Falling:
    """Minimize each group of connected symbols by itself."""
    is_max = len(parts) > 1
    point: dict[Symbol, Expr] = {}
    values: list[Expr] = [rest for part in parts if (rest := _constant(part, symbols))]
    terms = tuple({e: None for part in parts for e in _vectors(part, symbols) if any(e)})
    if _direction(terms, all_fall=is_max) is not None:
        if is_max and values:
            raise _undecided(symbols, "a maximum with a constant argument")
        return Falling(terms, symbols, solved, is_max)
    for group in _groups(parts, symbols):
        found = _closed([part for each in parts if (part := _only(each, group))], group, is_max)
        point |= found.point
        values.append(found.value)
    total = largest(values) if is_max else Add(*values)  # all positive
    return Attained({s: point.get(s, Integer(1)) for s in symbols}, total)


def _groups(parts: Sequence[Posynomial], symbols: Sequence[Symbol]) -> list[tuple[Symbol, ...]]:
    """The symbols, those that occur in one term together."""
    groups: list[set[Symbol]] = []
    for part in parts:
        for monomial in part.terms:
            joined = {atom for atom, _ in monomial if atom in symbols}
            apart = [group for group in groups if group.isdisjoint(joined)]
            for group in groups:
                joined |= group if not group.isdisjoint(joined) else set()
            groups = [*apart, joined] if joined else groups
    return [tuple(s for s in symbols if s in group) for group in groups]


def _closed(parts: Sequence[Posynomial], symbols: tuple[Symbol, ...], is_max: bool) -> Attained:
    if len(symbols) == 1:
        found = balances(parts, symbols[0])
        if len(found) == 1:
            return Attained({symbols[0]: found[0].at}, found[0].value)
    if is_max and any(len(_vectors(part, symbols)) > 1 for part in parts):
        raise _undecided(symbols, "a maximum of sums")
    terms = [item for part in parts for item in _vectors(part, symbols).items()]
    weights = _weights([powers for powers, _ in terms])
    if weights is None or min(weights) < 0:
        raise _undecided(symbols, f"{len(terms)} terms")
    shares = [Fraction(1)] * len(terms) if is_max else weights
    scaled = [
        coefficient.to_sympy() / to_rational(share)
        for (_, coefficient), share in zip(terms, shares, strict=True)
    ]
    value = product_of_powers(zip(scaled, weights, strict=True))
    return Attained(_balanced_point([powers for powers, _ in terms], scaled, symbols), value)


def _weights(exponents: Sequence[Exponents]) -> list[Fraction] | None:
    """The weights that sum to 1 and cancel the exponents, if there is one choice only."""
    rows = [*map(list, zip(*exponents, strict=True)), [Fraction(1)] * len(exponents)]
    right = [[0]] * (len(rows) - 1) + [[1]]
    solution = solve(rows, right)
    if solution is None or solution[1]:
        return None
    return [weight for (weight,) in solution[0]]


def _balanced_point(
    exponents: Sequence[Exponents], scaled: Sequence[Expr], symbols: Sequence[Symbol]
) -> dict[Symbol, Expr]:
    """Where all terms, divided by their shares, are equal to the first."""
    first, *others = exponents
    rows = [[a - b for a, b in zip(each, first, strict=True)] for each in others]
    unit = [[int(i == j) for j in range(len(rows))] for i in range(len(rows))]
    solution = solve(rows, unit)
    assert solution is not None  # unique weights make the differences independent
    start = scaled[0]
    found = {}
    for symbol, weights in zip(symbols, solution[0], strict=True):
        factors = [(start, sum(weights, Fraction(0)))]
        factors += [(c, -weight) for c, weight in zip(scaled[1:], weights, strict=True)]
        found[symbol] = product_of_powers(factors)
    return found


def _direction(
    terms: Sequence[Exponents],
    all_fall: bool = False,
    below: Exponents | None = None,
    kept: Sequence[Exponents] = (),
) -> list[Fraction] | None:
    """A direction that raises no term and lowers all, or ``below``, or else at least one.

    It lowers nothing of what is ``kept``.
    """
    if not terms:
        return None
    width, slack = len(terms[0]), len(terms) + len(kept)
    rows = [*terms, *(tuple(-p for p in powers) for powers in kept)]
    matrix = [[*powers, *(-p for p in powers), *_unit(k, slack)] for k, powers in enumerate(rows)]
    right = [-1 if all_fall else 0] * len(terms) + [0] * len(kept)
    total = tuple(sum(column, Fraction(0)) for column in zip(*terms, strict=True))
    falls = total if below is None else below
    if below is not None or not all_fall:
        matrix.append([*falls, *(-p for p in falls), *([Fraction(0)] * slack)])
        right.append(-1)
    found = maximize([0] * (2 * width + slack), matrix, right)
    if found is None:
        return None
    return [found.point[j] - found.point[width + j] for j in range(width)]


def _unit(k: int, size: int) -> list[Fraction]:
    return [Fraction(k == j) for j in range(size)]


def _vectors(part: Posynomial, symbols: Sequence[Symbol]) -> dict[Exponents, Posynomial]:
    """The terms by their exponents in the symbols."""
    found: dict[Exponents, list[Posynomial]] = {}
    for monomial, coefficient in part.terms.items():
        powers = _exponents(Posynomial({monomial: 1}), symbols)
        rest = tuple(item for item in monomial if item[0] not in symbols)
        found.setdefault(powers, []).append(Posynomial({rest: coefficient}))
    return {powers: Posynomial.sum(rest) for powers, rest in found.items()}


def _exponents(term: Posynomial, symbols: Sequence[Symbol]) -> Exponents:
    ((monomial, _),) = term.terms.items()
    return tuple(Fraction(power_of(symbol, monomial)) for symbol in symbols)


def _where(part: Posynomial, wanted: Callable[[frozenset[Atom]], bool]) -> Posynomial:
    """The terms whose atoms are wanted."""
    return Posynomial({m: c for m, c in part.terms.items() if wanted(frozenset(a for a, _ in m))})


def _constant(part: Posynomial, symbols: Sequence[Symbol]) -> Expr:
    return _where(part, lambda atoms: atoms.isdisjoint(symbols)).to_sympy()


def _only(part: Posynomial, group: Sequence[Symbol]) -> Posynomial:
    return _where(part, lambda atoms: not atoms.isdisjoint(group))


def _undecided(symbols: Sequence[Symbol], what: str) -> UndecidedError:
    names = ", ".join(map(str, symbols))
    return UndecidedError(
        f"the minimum of {what} over {names} has no closed form",
        repair="give numbers for all symbols but one, or an equation between them",
    )
