"""Published mistakes as data: reading them, checking them, counting what was found.

``python tests/corpus_cases.py`` writes the counts into docs/checker.md.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOLDER = HERE / "corpus"
PAGE = HERE.parent / "docs" / "checker.md"
ARGUMENTS = ("of", "against", "quantity", "chip", "assume", "symbol", "where", "count")
START, END = "<!-- counts: start -->", "<!-- counts: end -->"
FRESH = "<!-- fresh: start -->", "<!-- fresh: end -->"


@dataclass(frozen=True, eq=False)  # itself its key: each is checked once
class Claimed:
    """One claim of a case: wrong or right, with the kind of mistake if it is wrong."""

    case: str
    file: str
    claim: str
    is_right: bool
    kind: str
    arguments: dict[str, Any]

    @property
    def id(self) -> str:
        return f"{self.case}: {self.claim}"


def cases(pattern: str = "mistakes_*.toml") -> list[dict[str, Any]]:
    found = []
    for path in sorted(FOLDER.glob(pattern)):
        for case in tomllib.loads(path.read_text())["case"]:
            found.append({**case, "file": path.stem})
    return found


@cache
def claims() -> list[Claimed]:
    return [
        Claimed(
            case["id"],
            case["file"],
            claim,
            is_right,
            case["kind"],
            {name: case[name] for name in ARGUMENTS if name in case},
        )
        for case in cases()
        for is_right, listed in ((False, case["wrong"]), (True, case["right"]))
        for claim in listed
    ]


@cache
def outcome(claimed: Claimed) -> str:
    """``missed``, ``found`` (wrong, kind not among the candidates), ``named`` or ``first``."""
    from symcost.checker import check

    report = check(claimed.claim, **claimed.arguments)
    kinds = [each.kind for each in report.diagnosis]
    if report.holds or report.verdict == "undecided":
        return "missed"
    if claimed.kind not in kinds:
        return "found"
    return "first" if kinds[0] == claimed.kind else "named"


def counts(wrong: list[Claimed]) -> Counter[str]:
    return Counter(outcome(each) for each in wrong)


TITLES = {
    "mistakes_book": "errata of a book",
    "mistakes_tools": "tools, courses, pull requests",
}


def table() -> str:
    """The counts by file, as a Markdown table."""
    head = "| published mistakes | claims | found wrong | kind named | named first | missed |"
    lines = [head, "| --- | --- | --- | --- | --- | --- |"]
    total: Counter[str] = Counter()
    for file, title in TITLES.items():
        found = counts([c for c in claims() if c.file == file and not c.is_right])
        lines.append(_row(title, found))
        total += found
    return "\n".join([*lines, _row("all", total)])


def _row(title: str, found: Counter[str]) -> str:
    number = sum(found.values())
    named = found["named"] + found["first"]
    cells = (number, number - found["missed"], named, found["first"], found["missed"])
    return f"| {title} | {' | '.join(map(str, cells))} |"


def fresh_table() -> str:
    """The counts of fresh wrong versions, as a Markdown table."""
    from fresh_mistakes import counts as of_fresh

    head = table().splitlines()[:2]
    found = of_fresh([c for c in claims() if c.is_right])
    return "\n".join([*head, _row("made by rule", found)]).replace("published mistakes", "fresh")


def written(page: str, marks: tuple[str, str], text: str) -> str:
    """The page with the table between its marks renewed."""
    before, _, rest = page.partition(marks[0])
    _, _, after = rest.partition(marks[1])
    return f"{before}{marks[0]}\n\n{text}\n\n{marks[1]}{after}"


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    PAGE.write_text(written(PAGE.read_text(), (START, END), table()))
    PAGE.write_text(written(PAGE.read_text(), FRESH, fresh_table()))
