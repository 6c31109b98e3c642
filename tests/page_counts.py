"""A table of docs/checker.md about public pages: ``python tests/page_counts.py NAME FOLDER TRUE``.

The pages are not part of the project. NAME is that of the table, ``pages`` or ``unseen``; FOLDER
holds the pages; TRUE is how many of the formulas that are said not to follow are wrong by hand.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from pathlib import Path

from symcost.pages import check_document

DOCS = Path(__file__).parent.parent / "docs" / "checker.md"
REASONS = {
    "a sum over an index": r"\\sum|'\\\\sum'",
    "a bracket or sign of another notation": r"closes nothing|has no meaning|never closed",
    "a command that is not known": "unknown command",
    "a function that is applied, or a list": "is a function|a comma stands",
    "words": "word",
}


def table(folder: Path, true: int) -> str:
    """The counts over all pages of a folder, and why formulas were not read."""
    pages = sorted(path for path in folder.rglob("*") if path.is_file())
    states: Counter[str] = Counter()
    why: Counter[str] = Counter()
    wrong, slowest = 0, 0.0
    for path in pages:
        started = time.thread_time()
        report = check_document(path)
        slowest = max(slowest, time.thread_time() - started)
        states.update(each.state for each in report.formulas)
        wrong += len(report.gaps)
        for each in report.unread:
            text = f"{each.note} {each.claim}"
            found = (name for name, pattern in REASONS.items() if re.search(pattern, text))
            why[next(found, "other")] += 1
    amounts = sum(n for state, n in states.items() if state != "no amount")
    read = amounts - states["not read"]
    rows = [
        ("pages", len(pages)),
        ("formulas that state an amount", amounts),
        ("read", f"{read} ({100 * read / amounts:.1f} %)"),
        ("compared", states["compared"]),
        ("definitions", states["defined"]),
        ("undecided", states["undecided"]),
        ("said not to follow", wrong),
        ("of these wrong, by hand", f"{true} ({100 * true / max(wrong, 1):.0f} %)"),
        ("slowest page", f"under {int(slowest) + 1} s"),
        *((f"not read: {name}", count) for name, count in why.most_common()),
    ]
    return "\n".join(
        ["| on public pages | |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in rows)]
    )


if __name__ == "__main__":
    name, folder, true = sys.argv[1:]
    written = table(Path(folder), int(true))
    text = DOCS.read_text(encoding="utf-8")
    marks = [f"<!-- {name}: {end} -->" for end in ("start", "end")]
    start, end = map(text.index, marks)
    DOCS.write_text(f"{text[:start]}{marks[0]}\n\n{written}\n\n{text[end:]}", encoding="utf-8")
