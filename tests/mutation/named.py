"""Faults that once no test noticed: each must be noticed. ``python tests/mutation --named``."""

from __future__ import annotations

from pathlib import Path

from mutants import Mutant

# file, the text as it is, the text with the fault
FAULTS = [
    ("algebra/consequences.py", "return best.value > 0", "return best.value >= 0"),
    ("algebra/signs.py", "any(not corner for", "all(not corner for"),
    ("model/fusion.py", "([whole] if whole else amounts.values())", "amounts.values()"),
    ("printing/linebreak.py", "extra <= room - _INDENT", "extra <= room"),
    ("printing/linebreak.py", "room - PLUS - _INDENT, parts", "room - PLUS, parts"),
    ("notation/unit_table.py", '"week": 604800', '"week": 640800'),
    ("notation/unit_table.py", '"Ti": 40', '"Ti": 50'),
    ("analysis/limit.py", "abs(error) > OUTSIDE", "error > OUTSIDE"),
    ("algebra/dominance.py", "(a for a in named if is_dim_atom(a))", "(a for a in named)"),
    ("algebra/dominance.py", "(power > 0 and is_dim_atom(atom))", "(power > 0)"),
    ("checker/rounding.py", "abs(gap) * 2 <= printed.place", "abs(gap) * 2 < printed.place"),
    ("checker/rounding.py", "abs(gap) * 2 <= printed.step", "abs(gap) * 2 < printed.step"),
]


def named(root: Path) -> list[Mutant]:
    """The faults as mutants; one whose text is gone from its file is an error."""
    found = []
    for place, before, after in FAULTS:
        file = Path("symcost") / place
        text = (root / file).read_text()
        assert text.count(before) == 1, f"{file} does not hold {before!r} once"
        start = len(text[: text.index(before)].encode())
        line = text.count("\n", 0, text.index(before)) + 1
        end = start + len(before.encode())
        found.append(Mutant(file, line, "named", before, after, start, end))
    return found
