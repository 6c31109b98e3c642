"""The code blocks of a page of the docs: found, run, and compared with what the page prints.

What a block is for stands in its first line: ``console`` runs commands, ``python`` is a doctest
or a script with ``# ->`` values, ``symcost`` holds programs, ``assumptions`` and ``formulas``
lines that are read, ``toml FILE`` and ``text FILE`` a file that the page uses. Anything else
is refused, so nothing on a page goes unchecked.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readers import read_assumptions, read_formula
from symcost.cli import main
from symcost.model.programs import parse

FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL = re.compile(
    r'^(pip install (\.|"\.\[[\w,]+\]")|apt-get update|apt-get install -y [\w -]+)$'
)
LANGUAGES = ("console", "python", "symcost", "assumptions", "formulas", "toml", "text")
OPTIONS = doctest.ELLIPSIS


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its line, its language, the word after it, its text."""

    line: int
    language: str
    argument: str
    text: str


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    fences = re.findall(r"^\s*(?:```|~~~)", page, re.MULTILINE)
    assert len(fences) == 2 * len(FENCE.findall(page)), "a fence that is indented or not closed"
    found = []
    for match in FENCE.finditer(page):
        language, _, argument = match["info"].strip().partition(" ")
        line = page.count("\n", 0, match.start()) + 1
        found.append(Block(line, language, argument.strip(), match["text"]))
    return found


@dataclass
class Page:
    """Runs the blocks of one page in order; they share names and a folder."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    code: int = 0

    def run(self, block: Block) -> str:
        """Run a block and return what it should have looked like; equal when all is well."""
        assert block.language in LANGUAGES, f"a block of an unknown language {block.language!r}"
        runner: Callable[[Block], str] = getattr(self, f"_{block.language}")
        with contextlib.chdir(self.folder):
            return runner(block)

    # -- the languages ------------------------------------------------------------------

    def _console(self, block: Block) -> str:
        written = []
        for command, shown in commands(block.text):
            printed = self._shell(command.replace("\\\n", " "))
            kept = shown if matches(shown, printed) else printed
            written.append(f"$ {command}\n{kept}")
        return "".join(written)

    def _python(self, block: Block) -> str:
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(block.text, {}, "page", "page", block.line)
            test.globs = self.names
            report = io.StringIO()
            runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
            runner.run(test, out=report.write, clear_globs=False)
            return block.text if not report.getvalue() else report.getvalue()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            shown = script(block.text, self.names)
        assert not printed.getvalue(), "a script without >>> has values, it does not print"
        return shown

    def _symcost(self, block: Block) -> str:
        for program in re.split(r"\n\s*\n", block.text.strip()):
            graph = parse(program)
            assert repr(parse(repr(graph))) == repr(graph)
        return block.text

    def _assumptions(self, block: Block) -> str:
        for line in block.text.splitlines():
            assert read_assumptions(line.partition("#")[0].strip())
        return block.text

    def _formulas(self, block: Block) -> str:
        lines = []
        for line in block.text.splitlines():
            typed, gap, _ = re.split(r"(\s{2,})", line, maxsplit=1)
            lines.append(f"{typed}{gap}{read_formula(typed).expr}\n")
        return "".join(lines)

    def _file(self, block: Block) -> str:
        assert block.argument, "a file needs a name"
        Path(block.argument).write_text(block.text, encoding="utf-8")
        return block.text

    _toml = _text = _file

    # -- commands -----------------------------------------------------------------------

    def _shell(self, command: str) -> str:
        """The output of a command line: ``symcost …``, ``cat FILE``, ``echo $?``."""
        parts = [part.strip() for part in command.split("&&")]
        if all(INSTALL.match(part) or part == "python -m pytest" for part in parts):
            return ""  # what the tests themselves are run by
        last = [part for part in parts if not INSTALL.match(part)]
        assert len(last) == 1, f"cannot run {command!r}"
        if last[0] == "echo $?":
            return f"{self.code}\n"
        words = shlex.split(last[0])
        if words[0] == "cat":
            return Path(words[1]).read_text(encoding="utf-8")
        assert words[0] == "symcost", f"cannot run {command!r}"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            self.code = _main(words[1:])
        return printed.getvalue()


def _main(arguments: list[str]) -> int:
    try:
        return main(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        found = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n", part)
        assert found is not None
        yield found[1], part[found.end() :]


def matches(shown: str, printed: str) -> bool:
    """Whether an output is the one shown, where a line ``...`` stands for any lines."""
    pattern = re.escape(shown)
    pattern = re.sub(r"(?m)^\s*\\\.\\\.\\\.\\?\n", r"(?:.*\\n)*", pattern)
    return re.fullmatch(pattern, printed) is not None


def script(text: str, names: dict[str, Any]) -> str:
    """Run a script; each ``expression  # -> value`` gets the value that it really has."""
    lines = text.splitlines()
    names.setdefault("__name__", "page")
    for node in ast.parse(text).body:
        head, arrow, _ = lines[(node.end_lineno or 0) - 1].partition("  # -> ")
        code: Any = ast.Module([node], []) if not arrow else None
        if code is not None:
            exec(compile(code, "page", "exec"), names)
        else:
            assert isinstance(node, ast.Expr), f"line {node.lineno} has no value"
            value = eval(compile(ast.Expression(node.value), "page", "eval"), names)
            lines[(node.end_lineno or 0) - 1] = f"{head}{arrow}{value!r}"
    return "\n".join(lines) + "\n"
