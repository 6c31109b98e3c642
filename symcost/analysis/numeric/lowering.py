"""From expressions to programs: few operations on arrays, and none twice.

When the program is made it is known which arguments are numbers. All that consists of numbers is
computed once; a sum is collected by what is left, so that ``2*B*D + 2*D*F + 2*B*F`` with an array
B alone becomes ``B*k1 + k2``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sympy import Expr, Function, ceiling, exp, floor, log

from symcost.algebra import Maximum, Minimum, Posynomial, as_posynomial, as_ratio
from symcost.algebra.posynomial import ONE, Atom, Monomial, Number, to_rational
from symcost.algebra.ratio import content
from symcost.analysis.numeric.program import Operand, Program, Step, assembled
from symcost.errors import UndecidedError


class Log2(Function):  # type: ignore[misc]
    """The logarithm to base two, which numpy computes exactly at powers of two."""


_FUNCTIONS = {ceiling: "ceil", floor: "floor", log: "log", exp: "exp", Log2: "log2"}
_ONE_OVER_LOG_2 = 1 / log(2)
_JUMPS = (ceiling, floor)  # a rounding error in the argument may change the value by one


@lru_cache(maxsize=256)
def compiled(exprs: tuple[Expr, ...], names: tuple[str, ...], numbers: frozenset[str]) -> Program:
    """The program for arguments in the order of ``names``, of which some are ``numbers``."""
    builder = _Builder({name: index for index, name in enumerate(names)}, numbers)
    results = tuple(builder.value(_with_log2(expr)) for expr in exprs)
    return assembled(builder.numbers, builder.steps, results)


def _with_log2(expr: Expr) -> Expr:
    """The expression with ``log(x)/log(2)`` in one piece."""
    if not expr.has(log):
        return expr
    args = [_with_log2(arg) for arg in expr.args]
    logs = [arg for arg in args if isinstance(arg, log) and arg.free_symbols]
    if expr.is_Mul and logs and _ONE_OVER_LOG_2 in args:
        args.remove(_ONE_OVER_LOG_2)
        args[args.index(logs[0])] = Log2(logs[0].args[0])
    return expr.func(*args) if args else expr


def _most_shared(terms: Mapping[Monomial, Number]) -> Atom | None:
    """The atom that most terms of a sum of positive products have as a factor, if several do."""
    if len(terms) < 3 or min(terms.values()) < 0:
        return None
    counts = Counter(atom for m in terms if len(m) > 1 for atom, power in m if power == 1)
    (best, count) = max(counts.items(), key=lambda item: (item[1], str(item[0])), default=(None, 0))
    return best if count > 1 else None


@dataclass(slots=True)
class _Builder:
    """Collects operations; equal ones are taken once."""

    inputs: Mapping[str, int]
    scalars: Collection[str]  # the names of arguments that are numbers
    numbers: list[Step] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    known: dict[Step, Operand] = field(default_factory=dict)

    def step(self, operation: str, *operands: Operand) -> Operand:
        made = Step(operation, operands)
        if made not in self.known:
            is_number = all(map(self.is_number, operands))
            kind, where = ("number", self.numbers) if is_number else ("step", self.steps)
            self.known[made] = (kind, len(where))
            where.append(made)
        return self.known[made]

    def is_number(self, operand: Operand) -> bool:
        kind, which = operand
        if kind == "input":
            return any(self.inputs[name] == which for name in self.scalars)
        return kind != "step"

    def value(self, expr: Expr) -> Operand:
        if expr.is_Symbol:
            return ("input", self.inputs[expr.name])
        if expr.is_number:
            return ("constant", float(expr))
        if isinstance(expr, Maximum | Minimum):
            name = "maximum" if isinstance(expr, Maximum) else "minimum"
            return self.folded(name, map(self.value, expr.args))
        if isinstance(expr, _JUMPS):
            return self.step(_FUNCTIONS[type(expr)], self.careful(expr.args[0]))
        if type(expr) in _FUNCTIONS:
            return self.step(_FUNCTIONS[type(expr)], self.value(expr.args[0]))
        return self.arithmetic(expr)

    def arithmetic(self, expr: Expr) -> Operand:
        if isinstance(expr, Function):
            raise UndecidedError(
                f"{expr} is not evaluated on arrays",
                repair="put the numbers in first, with .subs or .at",
            )
        if expr.is_Pow:
            return self.power(self.value(expr.base), expr.exp)
        whole = expr.has(exp)  # exp(a - b) is kept: exp(a) alone may overflow
        try:
            if not whole:
                return self.posynomial(as_posynomial(expr))
        except UndecidedError:
            pass
        if expr.is_Add:
            return self.folded("add", map(self.value, expr.args))
        top, bottom = (ONE, ONE) if whole else expr.as_numer_denom()
        if bottom == 1:
            return self.folded("multiply", map(self.value, expr.args))
        return self.quotient(top, bottom)

    def careful(self, expr: Expr) -> Operand:
        """One division of sums with whole coefficients: exact where its result is an integer."""
        try:
            top, bottom = as_ratio(expr).integral()
        except UndecidedError:
            return self.value(expr)
        ((monomial, number),) = content(top).terms.items()
        below = Posynomial({tuple((a, -p) for a, p in monomial if p < 0): number.denominator})
        top, bottom = top * below, bottom * below
        whole = self.total(top.terms)
        return whole if bottom == ONE else self.step("divide", whole, self.total(bottom.terms))

    def folded(self, operation: str, operands: Iterable[Operand]) -> Operand:
        first, *rest = operands
        for operand in rest:
            first = self.step(operation, first, operand)
        return first

    def power(self, base: Operand, exponent: Expr) -> Operand:
        if not exponent.is_Rational:
            return self.step("power", base, self.value(exponent))
        if exponent < 0:
            return self.step("divide", ("constant", 1.0), self.power(base, -exponent))
        if exponent.is_Integer and exponent <= 4:
            return self.folded("multiply", [base] * int(exponent))
        roots = {to_rational(1) / 2: "sqrt", to_rational(1) / 3: "cbrt"}
        if exponent in roots:
            return self.step(roots[exponent], base)
        return self.step("power", base, ("constant", float(exponent)))

    def quotient(self, top: Expr, bottom: Expr) -> Operand:
        """A quotient by a sum; what is known of one term above goes below, where it is free."""
        above, below = as_ratio(top), as_ratio(bottom)
        if len(above.num) != 1 or not (above.is_posynomial and below.is_posynomial):
            return self.step("divide", self.value(top), self.value(bottom))
        ((monomial, number),) = above.num.terms.items()
        known, varying = self.divided(monomial)
        if not known:
            return self.step("divide", self.value(top), self.value(bottom))
        part = Posynomial({known: number})
        over = self.monomial(varying) if varying else ("constant", 1.0)
        return self.step("divide", over, self.posynomial(below.num / part))

    def over_extremum(self, monomial: Monomial, number: Number) -> Operand | None:
        """``a/max(b, c)`` is ``min(a/b, a/c)`` for positive numbers: nothing is done twice."""
        below = [atom for atom, power in monomial if power == -1]
        extrema = [atom for atom in below if isinstance(atom, Maximum | Minimum)]
        if len(extrema) != 1 or number < 0 or not all(arg.is_positive for arg in extrema[0].args):
            return None
        rest = as_ratio(Posynomial({tuple(i for i in monomial if i[0] != extrema[0]): number}))
        name = "minimum" if isinstance(extrema[0], Maximum) else "maximum"
        parts = ((rest / as_ratio(arg)).to_sympy() for arg in extrema[0].args)
        return self.folded(name, map(self.value, parts))

    # -- sums of monomials --------------------------------------------------------------

    def posynomial(self, value: Posynomial) -> Operand:
        """A sum as ``factor * above * (terms) / below``: one scaling and one division in all."""
        shared = content(value)
        ((monomial, number),) = shared.terms.items()
        if len(value) == 1 and (node := self.over_extremum(monomial, number)) is not None:
            return node
        known, varying = self.divided(monomial)
        factor = Posynomial({known: number})
        terms = self.collected(value / shared)
        if len(terms) == 1:
            ((_, only),) = terms.items()
            factor, terms = factor * only, {}
        elif not varying and known and () in terms:  # a scaling of its own costs more
            factor, terms = ONE, {m: c * factor for m, c in terms.items()}
        above = tuple((atom, power) for atom, power in varying if power > 0)
        below = tuple((atom, -power) for atom, power in varying if power < 0)
        parts = [self.monomial(above)] if above else []
        parts += [self.sum_of(terms)] if terms else []
        scale = self.plain(factor)
        top = self.folded("multiply", parts) if parts else scale
        if below:
            top = self.step("divide", top, self.monomial(below))
        return self.scaled(top, scale) if parts else top

    def divided(self, monomial: Monomial) -> tuple[Monomial, Monomial]:
        """A monomial's part that consists of numbers, and the rest."""
        known = tuple(item for item in monomial if self.is_known(item[0]))
        return known, tuple(item for item in monomial if item not in known)

    def is_known(self, atom: Atom) -> bool:
        return all(s.name in self.scalars for s in atom.free_symbols)

    def collected(self, value: Posynomial) -> dict[Monomial, Posynomial]:
        """The sum by its varying monomials; each has a coefficient that consists of numbers."""
        powers: dict[Monomial, dict[Monomial, Number]] = {}
        for monomial, number in value.terms.items():
            known, varying = self.divided(monomial)
            powers.setdefault(varying, {})[known] = number
        return {varying: Posynomial(known) for varying, known in powers.items()}

    def sum_of(self, terms: Mapping[Monomial, Posynomial]) -> Operand:
        if all(coefficient.is_constant for coefficient in terms.values()):
            return self.total({m: c.terms[()] for m, c in terms.items()})
        return self.folded("add", (self.term(m, c) for m, c in terms.items()))

    def term(self, monomial: Monomial, coefficient: Posynomial) -> Operand:
        number = self.plain(coefficient)
        return self.scaled(self.monomial(monomial), number) if monomial else number

    def plain(self, value: Posynomial) -> Operand:
        """A sum that consists of numbers."""
        if value.is_constant:
            return ("constant", float(value.as_fraction()))
        return self.total(value.terms)

    def scaled(self, operand: Operand, factor: Operand) -> Operand:
        return operand if factor == ("constant", 1.0) else self.step("multiply", operand, factor)

    def total(self, terms: Mapping[Monomial, Number]) -> Operand:
        """The terms added up, those to be subtracted last."""
        shared = _most_shared(terms)
        if shared is not None:
            return self.factored(terms, shared)
        ordered = sorted(terms.items(), key=lambda item: item[1] < 0)
        (monomial, number), *rest = ordered
        result = self.size(monomial, number)
        if number < 0:
            result = self.step("negative", result)
        for monomial, number in rest:
            operation = "add" if number > 0 else "subtract"
            result = self.step(operation, result, self.size(monomial, number))
        return result

    def factored(self, terms: Mapping[Monomial, Number], shared: Atom) -> Operand:
        """``B*D + B*F + D*F`` as ``(B + D)*F + B*D``, which takes an operation less."""
        with_it = {m: c for m, c in terms.items() if (shared, 1) in m}
        inner = {tuple(i for i in m if i[0] != shared): c for m, c in with_it.items()}
        product = self.step("multiply", self.total(inner), self.value(shared))
        rest = {m: c for m, c in terms.items() if m not in with_it}
        return self.step("add", product, self.total(rest)) if rest else product

    def size(self, monomial: Monomial, number: Number) -> Operand:
        """A term without its sign."""
        factor = ("constant", float(number if number > 0 else -number))
        return self.scaled(self.monomial(monomial), factor) if monomial else factor

    def monomial(self, monomial: Sequence[tuple[Atom, Number]]) -> Operand:
        """A product of powers, its beginning shared with other products."""
        *before, (atom, power) = monomial
        factor = self.power(self.value(atom), to_rational(power))
        return self.step("multiply", self.monomial(before), factor) if before else factor
