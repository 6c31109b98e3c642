"""The Python of the README as a module, for a type checker: ``python tests/readme_types.py FILE``.

Run from the root of the checkout. Examples at a prompt become plain statements; what they print
and the ``# ->`` values are left to the tests that run them.
"""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```python\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def statements(block: str) -> str:
    """A block as a script, whether it was written with a prompt or without."""
    return doctest.script_from_examples(block) if block.startswith(">>>") else block


def module(page: str) -> str:
    """All blocks of a page, in order."""
    return "\n".join(statements(match["text"]) for match in BLOCK.finditer(page))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(module(Path("README.md").read_text("utf-8")), "utf-8")
