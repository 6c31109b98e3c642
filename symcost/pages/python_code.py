"""Formulas in Python: assignments of a block and functions of a calculator; read, never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from symcost.errors import InvalidValueError, NotationError
from symcost.files.contents import read_input

MAX_SIZE = 20_000  # characters of a formula with everything put in
_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^",
}  # fmt: skip
_FUNCTIONS = {"max", "min", "ceil", "floor", "sqrt", "log2", "log", "exp", "round", "int", "float"}
_PLAIN = {"round": "", "int": "", "float": ""}
_COMMENT = re.compile(r"#\s*(?P<sign>=|≈|~)\s*(?P<amount>[^\s#,;(][^#,;(]*)$")


def assignments(code: str) -> Iterator[tuple[str, int]]:
    """The assignments of a block of Python that are arithmetic, each with its offset.

    A comment ``# = 140 GB`` behind one says what its value is.

    >>> [text for text, _ in assignments("w = 2 * 70e9  # = 140 GB\\nx = load(w)")]
    ['w = 2*70000000000.0 = 140 GB']

    Args:
        code: Python; what is no Python, or no arithmetic, is left out.
    """
    starts = [0, *(match.end() for match in re.finditer("\n", code))]
    lines = code.split("\n")
    for node in _statements(code) or ():
        bound = _bound(node) if isinstance(node, ast.Assign | ast.AnnAssign) else None
        try:
            value = formula_of(bound[1], {}) if bound else ""
        except NotationError:
            continue
        if bound and len(value) <= 300:
            said = _COMMENT.search(lines[(node.end_lineno or node.lineno) - 1])
            tail = f" {said['sign'].replace('~', '≈')} {said['amount'].strip()}" if said else ""
            yield f"{bound[0]} = {value}{tail}", starts[node.lineno - 1]


def _statements(code: str) -> list[ast.stmt] | None:
    """The statements of a text; ``None`` if it is no Python."""
    try:
        return ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def function_formula(path: str, name: str) -> str:
    """The formula that a function of a Python file returns, with its assignments put in.

    Args:
        path: a Python file; it is parsed and never run.
        name: a function of it whose body is assignments and one ``return`` of arithmetic.

    Returns:
        The formula as text, in the names of the arguments.

    Raises:
        NotationError: no Python, or the body is no arithmetic; the message names the line.
        InvalidValueError: no such function.
        OutputError: the file cannot be read.
    """
    body = _statements(read_input(str(Path(path))))
    if body is None:
        raise NotationError(f"{path} is no Python", repair="give a file that parses")
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    if name not in functions:
        others = ", ".join(sorted(functions)) or "none"
        raise InvalidValueError(f"{path} has no function {name!r}", repair=f"it has: {others}")
    known: dict[str, str] = {}
    for node in body:
        _assign(node, known, quiet=True)
    own = functions[name]
    for argument in (*own.args.posonlyargs, *own.args.args, *own.args.kwonlyargs):
        known.pop(argument.arg, None)
    for node in own.body:
        if isinstance(node, ast.Return) and node.value is not None:
            return formula_of(node.value, known)
        _assign(node, known)
    raise NotationError(f"{name} returns no formula", repair="end it with: return 2*B*D*F")


def _assign(node: ast.stmt, known: dict[str, str], quiet: bool = False) -> None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    bound = _bound(node)
    try:
        if bound is None:
            raise _refused(node, "a statement that is no assignment")
        known[bound[0]] = f"({formula_of(bound[1], known)})"
    except NotationError:
        if not quiet:
            raise


def _bound(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name that a statement sets, and what to."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return name, value
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            return name, ast.BinOp(ast.Name(name), op, value, lineno=node.lineno)
    return None


def formula_of(node: ast.expr, known: Mapping[str, str]) -> str:
    """An expression of Python as a formula; names that are known are put in.

    >>> formula_of(ast.parse("2 * B * d_model ** 2", mode="eval").body, {"B": "(4)"})
    '2*(4)*d_model^2'

    Raises:
        NotationError: something that is no arithmetic of names and numbers.
    """
    shown = _shown(node, known, 60)
    if len(shown) > MAX_SIZE:
        raise _refused(node, "a formula that grows too long")
    return shown


def _shown(node: ast.expr, known: Mapping[str, str], depth: int) -> str:
    if not depth:
        raise _refused(node, "arithmetic that is nested too deeply")
    match node:
        case ast.Name(id=name):
            return known.get(name, name)
        case ast.Constant(value=bool()):
            raise _refused(node, "a truth value")
        case ast.Constant(value=int() | float() as value):
            return repr(value).replace("e+", "e")
        case ast.BinOp(left=left, op=op, right=right):
            a, b = (_inner(each, op, known, depth - 1) for each in (left, right))
            if isinstance(op, ast.FloorDiv):
                return f"floor({a}/{b})"
            if type(op) in _OPERATORS:
                return f"{a}{_OPERATORS[type(op)]}{b}"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_inner(operand, ast.Pow(), known, depth - 1)}"
        case ast.Call(func=func, args=args, keywords=[]) if args:
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            if name in _FUNCTIONS:
                inner = ", ".join(_shown(each, known, depth - 1) for each in args)
                return f"{_PLAIN.get(name, name)}({inner})"
        case ast.Attribute(attr=name):
            return name
    raise _refused(node, "what is no arithmetic of names and numbers")


def _inner(node: ast.expr, parent: ast.operator, known: Mapping[str, str], depth: int) -> str:
    """An operand; one that is put together stands in brackets where that may be needed."""
    shown = _shown(node, known, depth)
    product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Pow)
    loose = isinstance(parent, ast.Mult | ast.Add | ast.Sub)
    bare = not isinstance(node, ast.BinOp | ast.UnaryOp) or (product and loose)
    return shown if bare else f"({shown})"


def _refused(node: ast.AST, what: str) -> NotationError:
    line = getattr(node, "lineno", 0)
    return NotationError(
        f"line {line} holds {what}" if line else f"it holds {what}",
        repair="only assignments and arithmetic are read",
    )
