"""The small faults that can be put into a source file, each in one expression or statement."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

COMPARED: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
COMBINED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "abs": ""}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One replacement in one file: where, which kind, and the text before and after."""

    file: Path
    line: int
    kind: str
    before: str
    after: str
    start: int  # in bytes
    end: int

    def source(self, root: Path) -> str:
        """The whole file with the fault in it."""
        text = (root / self.file).read_bytes()
        return (text[: self.start] + self.after.encode() + text[self.end :]).decode()

    @property
    def module(self) -> str:
        """The name of the module."""
        return ".".join(self.file.with_suffix("").parts).removesuffix(".__init__")

    @property
    def told(self) -> str:
        """File, line and change, in one line."""
        before, after = (" ".join(text.split())[:80] for text in (self.before, self.after))
        return f"{self.file}:{self.line}: {self.kind}: {before}  =>  {after}"


def sample(root: Path, rooms: list[str], seed: int, count: int) -> list[Mutant]:
    """Mutants of all files of the rooms, the same for the same seed and sources."""
    files = [file for room in rooms for file in sorted((root / "symcost" / room).rglob("*.py"))]
    all_of_them = [mutant for file in files for mutant in mutants(root, file)]
    return random.Random(seed).sample(all_of_them, min(count, len(all_of_them)))


def mutants(root: Path, file: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    text = file.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, kind, new in _changes(ast.parse(text)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
        after = f"({ast.unparse(new)})" if isinstance(new, ast.expr) else ast.unparse(new)
        before = text[start:end].decode()
        yield Mutant(file.relative_to(root), node.lineno, kind, before, after, start, end)


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, ast.AST]]:
    for node in _code(tree):
        if isinstance(node, ast.If | ast.IfExp | ast.While) and not _is_constant(node.test):
            for always in (False, True):
                yield node.test, "dropped condition", ast.Constant(always)
        for kind, change in _kinds(node):
            new = deepcopy(node)
            changed = change(new)
            yield node, kind, new if changed is None else changed


def _code(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """The nodes that decide or compute: no annotations, decorators, texts or what is raised."""
    if isinstance(tree, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom | ast.Assert):
        return
    if _is_for_types(tree):
        return
    if isinstance(tree, ast.expr | ast.stmt):
        yield tree
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _code(child)


Change = Callable[[ast.AST], ast.AST | None]


def _kinds(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Compare():
            for place, op in enumerate(node.ops):
                for other in COMPARED[type(op)]:
                    yield "compare", _item("ops", place, other())
        case ast.BinOp() if type(node.op) in COMBINED and not _is_text(node):
            yield "arithmetic", _field("op", COMBINED[type(node.op)]())
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield "sign", lambda new: new.operand  # type: ignore[attr-defined]
        case ast.BoolOp():
            other = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield "and/or", _field("op", other())
            for place in range(len(node.values)):
                yield "dropped condition", _without("values", place)
        case ast.Constant(value=bool()):
            yield "boolean", _field("value", not node.value)
        case ast.Constant(value=int()):
            yield "constant", _field("value", node.value + 1)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for place, part in enumerate(node.generators):
                if part.ifs:
                    yield "dropped condition", _unfiltered(place)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "returned value", _field("value", ast.Constant(None))
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            yield "function", _called(CALLED[name])
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "dropped statement", lambda _: ast.Pass()
        case ast.Continue():
            yield "jump", lambda _: ast.Break()
        case ast.Break():
            yield "jump", lambda _: ast.Continue()


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(s, ast.JoinedStr) or _is_constant(s, str) for s in sides)


def _is_constant(node: ast.expr, kind: type = object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, kind)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _field(name: str, value: object) -> Change:
    return lambda new: setattr(new, name, value)


def _item(name: str, place: int, value: object) -> Change:
    return lambda new: getattr(new, name).__setitem__(place, value)


def _without(name: str, place: int) -> Change:
    def change(new: ast.AST) -> ast.AST | None:
        values = getattr(new, name)
        del values[place]
        return values[0] if len(values) == 1 else None

    return change


def _unfiltered(place: int) -> Change:
    return lambda new: new.generators[place].ifs.clear()  # type: ignore[attr-defined]


def _called(name: str) -> Change:
    def change(new: ast.AST) -> ast.AST | None:
        assert isinstance(new, ast.Call)
        if not name:
            return new.args[0]
        new.func = ast.Name(name)
        new.keywords = [k for k in new.keywords if k.arg != "reverse" or name != "list"]
        return None

    return change
