"""Imports run one way: each room may import only those before it, also inside functions."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

import symcost

ROOT = Path(symcost.__file__).parent

# The flow, from words and numbers to what is printed. A room is a module or a package.
ORDER = [
    "errors",
    "files",
    "registry",
    "symbols",
    "algebra",
    "printing",
    "notation",
    "documents",
    "render",
    "model",
    "hardware",
    "analysis",
    "plans",
    "checker",
    "pages",
    "answers",
    "verbs",
    "cli",
    "__main__",
]


@cache
def nodes(source: str) -> list[ast.AST]:
    """The syntax of a module, parsed once for all tests."""
    return list(ast.walk(ast.parse(source)))


@cache
def imported_modules(source: str) -> set[str]:
    """What a module imports of symcost, names included, outside TYPE_CHECKING blocks."""
    hidden = {
        id(inner)
        for node in nodes(source)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    found = set()
    for node in nodes(source):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name for name in names if name.startswith("symcost.")}
    return found


def imported_rooms(source: str) -> set[str]:
    """The rooms of symcost that a module imports."""
    return {name.split(".")[1] for name in imported_modules(source)}


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circles(files: dict[Path, str]) -> list[list[str]]:
    """The modules that import each other, lazy imports included."""
    sources = {module_of(path): source for path, source in files.items()}
    graph = nx.DiGraph()
    for module, source in sources.items():
        for name in imported_modules(source):
            home = name if name in sources else name.rpartition(".")[0]
            if home != "symcost":  # the front door, where names are loaded when they are used
                graph.add_edge(module, home)
    return sorted(sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1)


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def violations(files: dict[Path, str]) -> list[str]:
    found = []
    for path, source in files.items():
        room = room_of(path)
        if room == "__init__":
            continue
        for other in imported_rooms(source) - {"__version__"}:
            if ORDER.index(other) > ORDER.index(room):
                found.append(f"{path.relative_to(ROOT)} imports {other}")
    return sorted(found)


def test_every_room_has_its_place():
    rooms = {room_of(path) for path in ROOT.rglob("*.py")} - {"__init__"}
    assert rooms == set(ORDER)


def test_imports_run_one_way():
    assert violations({path: path.read_text() for path in ROOT.rglob("*.py")}) == []


def test_the_test_sees_a_violation():
    path = ROOT / "algebra" / "x.py"
    assert violations({path: "def f():\n    from symcost.render import shown"}) == [
        "algebra/x.py imports render"
    ]


def test_no_modules_import_each_other():
    assert circles({path: path.read_text() for path in ROOT.rglob("*.py")}) == []


def test_the_test_sees_a_circle():
    """Through a package, through a name, and inside a function; typing alone makes none."""
    lazy = "def f():\n    from symcost.algebra.y import name"
    typed = "if TYPE_CHECKING:\n    from symcost.algebra import x"
    files = {"x": lazy, "y": "from symcost.algebra import z", "z": "import symcost.algebra.x"}
    made = {ROOT / "algebra" / f"{name}.py": source for name, source in files.items()}
    assert circles(made) == [[f"symcost.algebra.{name}" for name in "xyz"]]
    assert circles(made | {ROOT / "algebra" / "z.py": typed}) == []


@pytest.mark.parametrize("banned", ["eval", "exec", "sympify", "parse_expr", "simplify", "S"])
def test_text_reaches_no_evaluator(banned):
    """Only ``exact`` may call sympify, strictly, on what is no text."""
    calls = [
        f"{path.name}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        for node in nodes(path.read_text())
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == banned
        and not any(k.arg == "strict" for k in node.keywords)
    ]
    assert calls == []


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


HEAVY = {"matplotlib", "z3", "onnx", "torch", "jax"}


def test_importing_symcost_loads_nothing_heavy():
    everything = "import symcost as sc\nfor name in sc.__all__: getattr(sc, name)"
    assert not HEAVY & modules_after(everything)


def test_the_heavy_test_sees_a_heavy_import():
    assert HEAVY & modules_after("import matplotlib")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["chips"], ["chips", "--format", "json"], ["derive"]]
)
def test_what_needs_no_algebra_loads_no_sympy(arguments):
    run = f"from symcost.cli import main\ntry: main({arguments!r})\nexcept SystemExit: pass"
    assert "sympy" not in modules_after(run)


def test_the_public_names_are_listed_once_each_in_all_three_places():
    source = ast.parse((ROOT / "__init__.py").read_text())
    (block,) = [node for node in source.body if isinstance(node, ast.If)]
    typed = {
        (alias.name, node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    lazy = {(name, home) for home, names in symcost._HOMES.items() for name in names}
    assert typed == lazy
    assert sorted(symcost.__all__) == sorted(name for name, _ in lazy)
