"""Every code block of the README and the docs is run; every public name has an example."""

from __future__ import annotations

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import docblocks
import symcost
import test_layers
from symcost.hardware.catalogue import loaded
from symcost.hardware.listing import index
from symcost.model.dtypes import DType, dtypes
from symcost.model.ops import Operation, operations

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted(
    module.name
    for module in walk_packages(symcost.__path__, "symcost.")
    if not module.name.endswith("__main__")
)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture(autouse=True)
def registries_stay_as_they_are():
    """What a page registers is gone when it ends."""
    registries = (dtypes, operations, loaded)
    before = [(dict(each._items), dict(each._names), dict(each._main)) for each in registries]
    yield
    for each, parts in zip(registries, before, strict=True):
        each._items, each._names, each._main = parts
        each.version += 1


# -- blocks -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_the_blocks_of_a_page_print_what_they_show(path, tmp_path, monkeypatch, update_golden):
    monkeypatch.setenv("COLUMNS", "80")
    text = path.read_text(encoding="utf-8")
    page = docblocks.Page(tmp_path)
    for block in docblocks.blocks(text):
        try:
            printed = page.run(block)
        except Exception as error:
            error.add_note(f"{name(path)}:{block.line}")
            raise
        if update_golden and block.language != "python":
            text = text.replace(f"\n{block.text}```", f"\n{printed}```")
        else:
            assert printed == block.text, f"{name(path)}:{block.line}"
    if update_golden:
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("console", "$ symcost limit B+D --assume 'B << D'\nB\n"),
        ("python", ">>> 1 + 1\n3\n"),
        ("python", "1 + 1  # -> 3\n"),
        ("symcost", "X: bf16[B\n"),
        ("assumptions", "B\n"),
        ("formulas", "2BD  B*D\n"),
        ("python", "print(1)\n"),
        ("file", "anything\n"),
        ("", "anything\n"),
        ("bash", "rm -r build\n"),
        ("text", "no file\n"),
        ("console", "$ rm -r build\n"),
    ],
)
def test_a_block_that_is_wrong_is_seen(language, text, tmp_path):
    block = docblocks.Block(1, language, "", text)
    try:
        printed = docblocks.Page(tmp_path).run(block)
    except (AssertionError, symcost.SymcostError):
        return
    assert printed != text


@pytest.mark.parametrize("page", ["    ```python\n1\n    ```\n", "```python\n1\n", "~~~\n~~~\n"])
def test_a_fence_that_would_be_overlooked_is_seen(page):
    with pytest.raises(AssertionError):
        docblocks.blocks(page)


def test_three_dots_stand_for_any_lines_and_for_nothing_else():
    assert docblocks.matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert not docblocks.matches("a\n...\nd\n", "b\nc\nd\n")
    assert not docblocks.matches("a\nd\n", "a\nb\nd\n")


# -- links, tables and pictures ---------------------------------------------------------


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path):
    text = docblocks.FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not target.startswith("https://"):
            assert (path.parent / target).exists(), target


def test_every_page_is_linked_from_the_readme():
    readme = PAGES[0].read_text(encoding="utf-8")
    assert [name(path) for path in PAGES[1:] if f"({name(path)})" not in readme] == []


def test_the_tests_command_is_the_one_that_is_run():
    readme = PAGES[0].read_text(encoding="utf-8")
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'pip install ".[prove,test]" && python -m pytest\n' in readme
    for package in re.findall(r"apt-get install -y ([\w -]+) &&", readme):
        assert package in steps
    assert 'install --quiet ".[prove,test]"\n' in steps
    assert "\npython -m pytest" in steps


def test_the_counts_in_the_readme_are_right():
    readme = PAGES[0].read_text(encoding="utf-8")
    assert f"the {len(index())} chips it knows" in readme
    assert len(list((ROOT / "examples").glob("*.py"))) == 17
    assert "seventeen short scripts" in readme


def operation_row(kind: Operation) -> str:
    return f"| `{kind.name}` | {_cell(kind.convention)} | {_cell(kind.source)} |"


def dtype_row(dtype: DType) -> str:
    bits = dtype.bits
    return f"| `{dtype.name}` | {bits} | {_cell(dtype.source)} |"


def _cell(text: str) -> str:
    return re.sub(r"([*_|<])", r"\\\1", text)


def operation_table() -> str:
    kinds = {operations[each].name: operations[each] for each in operations}
    rows = [operation_row(kind) for kind in kinds.values()]
    return "\n".join(["| operation | what is counted | source |", "| --- | --- | --- |", *rows])


def dtype_table() -> str:
    found = {dtypes[each].name: dtypes[each] for each in dtypes}
    rows = [dtype_row(dtype) for dtype in found.values()]
    return "\n".join(["| dtype | bits | source |", "| --- | --- | --- |", *rows])


# made when the tests are collected, before any of them registers something
TABLES = {"operations": operation_table(), "dtypes": dtype_table()}


@pytest.mark.parametrize("table", TABLES)
def test_the_tables_of_conventions_are_those_of_the_registry(table, update_golden):
    path = ROOT / "docs" / "conventions.md"
    text = path.read_text(encoding="utf-8")
    mark = f"<!-- {table} -->"
    before, shown, after = text.split(f"{mark}\n")
    if update_golden:
        path.write_text(f"{before}{mark}\n{TABLES[table]}\n{mark}\n{after}", encoding="utf-8")
    else:
        assert shown == f"{TABLES[table]}\n"


def test_the_rooms_of_the_design_are_those_of_the_layers():
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    assert re.findall(r"^  (\w+)(?:\.py|/) ", text, re.MULTILINE) == test_layers.ORDER


# -- docstrings -------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module):
    found = doctest.testmod(import_module(module), optionflags=docblocks.OPTIONS)
    assert found.failed == 0


@pytest.mark.parametrize("public", symcost.__all__)
def test_every_public_name_has_an_example(public):
    item = getattr(symcost, public)
    if inspect.isclass(item) or inspect.isfunction(item):
        assert ">>>" in (inspect.getdoc(item) or "")
