"""From plain syntax to an exact expression, with a bound on every number before it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import add, mul
from typing import NoReturn

from sympy import (
    Add,
    E,
    Expr,
    Function,
    Integer,
    Mul,
    Pow,
    Rational,
    Symbol,
    ceiling,
    exp,
    floor,
    log,
)

from symcost.algebra import Maximum, Minimum
from symcost.errors import InvalidValueError, NotationError, SymcostError
from symcost.notation.decimals import MAX_DIGITS, decimal
from symcost.notation.syntax import Name, Number, Syntax, Unit

MAX_BITS = 3_322  # of a numerator or denominator, as many as MAX_DIGITS
MAX_EXPONENT = 64  # of a symbol or sum; numbers are bounded by their digits
MAX_NUMBER_EXPONENT = 1_000
MAX_SUM_BITS = 20_000  # of all denominators in one sum
MAX_ROUNDED_TERMS = 50  # sympy takes minutes for the ceiling of a long sum
MAX_NESTING = 10  # powers and functions inside each other; sympy's time doubles with each


def evaluate(syntax: Syntax, symbol: Callable[[str], Symbol], text: str) -> Expr:
    """The exact value of plain syntax, each name the symbol it stands for.

    Raises:
        InvalidValueError: it has no finite real value, or too large a number.
    """
    try:
        value = _value(syntax, symbol, text)
        check_result(value)
    except RecursionError:
        error = NotationError("the formula is nested too deeply", repair="simplify it")
        raise error.at(text, syntax.start) from None
    except SymcostError as found:
        raise found.at(text, syntax.start, max(1, syntax.end - syntax.start)) from None
    return value


def _value(syntax: Syntax, symbol: Callable[[str], Symbol], text: str) -> Expr:
    if isinstance(syntax, Name):
        return symbol(syntax.name)
    try:
        if isinstance(syntax, Number):
            return _bounded(_rational(decimal(syntax.text).value))
        if isinstance(syntax, Unit):
            return _rational(syntax.size)
        parts = [_value(part, symbol, text) for part in syntax.parts]
        build = _BUILDERS.get(syntax.op)
        return build(parts) if build else call(syntax.op, parts)
    except SymcostError as error:
        raise error.at(text, syntax.start, max(1, syntax.end - syntax.start)) from None


def plus(terms: Sequence[Expr]) -> Expr:
    """The sum of the terms."""
    total = _fold(terms, Fraction(0), add)
    others = [term for term in terms if not term.is_Rational]
    if sum(_bits(term.as_coeff_Mul()[0].q) for term in others) > MAX_SUM_BITS:
        _too_large()
    return _checked(Add(total, *others))


def multiply(factors: Sequence[Expr]) -> Expr:
    """The product of the factors."""
    total = _fold(factors, Fraction(1), mul)
    return _checked(Mul(total, *(factor for factor in factors if not factor.is_Rational)))


def inverse(divisor: Expr) -> Expr:
    """One over the divisor."""
    if _is_zero(divisor):
        raise InvalidValueError("division by zero", repair="the divisor must not be 0")
    return power(divisor, Integer(-1))


def power(base: Expr, exponent: Expr) -> Expr:
    """``base ** exponent``, within bounds and real."""
    if exponent.is_Rational:
        _check_exponent(base, exponent)
        if base.is_Rational and exponent.is_Integer:
            return _bounded(_rational(Fraction(base.p, base.q) ** int(exponent)))
        if exponent.q % 2 == 0 and base.is_negative:
            _imaginary(base)
    if base.is_nonpositive and not exponent.is_integer:
        _imaginary(base)
    _check_nesting((base, exponent))
    return _checked(Pow(base, exponent))


def call(name: str, args: Sequence[Expr]) -> Expr:
    """The function of that name applied to the arguments."""
    if name in ("max", "min"):
        _check_nesting(args)
        return Maximum(*args) if name == "max" else Minimum(*args)
    if len(args) != 1:
        raise InvalidValueError(f"{name} takes one argument, not {len(args)}")
    (arg,) = args
    if name == "sqrt":
        return power(arg, Rational(1, 2))
    _check_nesting(args)
    if name in ("ceil", "floor"):
        if len(Add.make_args(arg)) > MAX_ROUNDED_TERMS:
            raise InvalidValueError(f"{name} takes a sum of at most {MAX_ROUNDED_TERMS} terms")
        return _checked(ceiling(arg) if name == "ceil" else floor(arg))
    if name == "exp":
        return _exponential(arg)
    return _logarithm(arg, {"log": 0, "log2": 2, "log10": 10}[name])


def check_result(expr: Expr) -> None:
    """Refuse an expression that is no finite real one, or holds a number out of bounds."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if part.is_Rational:
            _bounded(part)
        elif not part.is_Symbol and not part.args and part is not E:
            raise InvalidValueError("the formula has no finite real value")
        elif part.is_Pow and part.exp.is_Rational:
            _check_exponent(part.base, part.exp)
        waiting += part.args


def _exponential(arg: Expr) -> Expr:
    if arg.has(exp):
        raise InvalidValueError("exp stands inside exp", repair="name the inner part")
    if arg.is_Rational and abs(arg) > MAX_NUMBER_EXPONENT:
        _too_large()
    return exp(arg)


def _logarithm(arg: Expr, base: int) -> Expr:
    if arg.is_nonpositive:
        raise InvalidValueError("the logarithm of zero or less is no real number")
    if not base:
        return log(arg)
    if arg.is_Integer and (exact := _exact_log(int(arg), base)) is not None:
        return Integer(exact)
    return log(arg) / log(base)


def _exact_log(value: int, base: int) -> int | None:
    result = 0
    while value % base == 0:
        value, result = value // base, result + 1
    return result if value == 1 else None


def _fold(
    items: Iterable[Expr], start: Fraction, join: Callable[[Fraction, Fraction], Fraction]
) -> Rational:
    """Combine the plain numbers, and stop as soon as the result is out of bounds."""
    total = start
    for item in items:
        if item.is_Rational:
            total = join(total, Fraction(int(item.p), int(item.q)))
            _bounded(_rational(total))
    return _rational(total)


def _rational(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


def _bits(value: Expr | int) -> int:
    return int(abs(value)).bit_length()


def _bounded(value: Rational) -> Rational:
    if max(_bits(value.p), _bits(value.q)) > MAX_BITS:
        _too_large()
    return value


def _checked(expr: Expr) -> Expr:
    """Check the number before an expression and the exponents of its factors."""
    for factor in Mul.make_args(expr):
        if factor.is_Rational:
            _bounded(factor)
        elif factor.is_Pow and factor.exp.is_Rational:
            _check_exponent(factor.base, factor.exp)
    return expr


def _check_exponent(base: Expr, exponent: Rational) -> None:
    size = abs(exponent)
    most = MAX_NUMBER_EXPONENT if base.is_Rational else MAX_EXPONENT
    if size > most or exponent.q > MAX_EXPONENT:
        raise InvalidValueError(
            f"the exponent is out of bounds ({'a number' if base.is_Rational else 'a symbol'}"
            f" is raised to at most {most})",
            repair="check the exponent",
        )
    coefficient = base if base.is_Rational else base.as_coeff_Mul()[0]
    if max(_bits(coefficient.p), _bits(coefficient.q)) * size > MAX_BITS + size:
        _too_large()
    if not base and exponent <= 0:
        raise InvalidValueError("division by zero" if exponent else "0^0 has no value")


def _check_nesting(args: Sequence[Expr]) -> None:
    """Refuse powers and functions inside each other beyond what sympy answers in time."""
    waiting = [(arg, 1) for arg in args]
    while waiting:
        part, depth = waiting.pop()
        if depth > MAX_NESTING:
            raise InvalidValueError(
                f"more than {MAX_NESTING} powers, fractions or functions inside each other",
                repair="name an inner part and give it apart",
            )
        deeper = isinstance(part, Function) or (
            part.is_Pow and bool(part.base.args or part.exp.args)
        )
        waiting += [(arg, depth + deeper) for arg in part.args]


def _is_zero(value: Expr) -> bool:
    if value.is_Rational or value.free_symbols:
        return bool(value == 0)
    return bool(abs(value.evalf(30)) < Rational(1, 10**25))


def _imaginary(base: Expr) -> NoReturn:
    raise InvalidValueError(
        "a root or fractional power of a negative number is no real number",
        repair="check the sign under the root",
    )


def _too_large() -> NoReturn:
    raise InvalidValueError(
        f"a number of more than {MAX_DIGITS:,} digits", repair="check the exponents"
    )


_BUILDERS: dict[str, Callable[[list[Expr]], Expr]] = {
    "sum": plus,
    "product": multiply,
    "minus": lambda parts: -parts[0],
    "inverse": lambda parts: inverse(parts[0]),
    "power": lambda parts: power(*parts),
}
