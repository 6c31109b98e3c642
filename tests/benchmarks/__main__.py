"""The table of ratios: ``python tests/benchmarks``, or with words that the titles must hold.

``python tests/benchmarks startup graph`` runs two of the parts. Exit code 1: a bound is missed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from harness import Row, show

PARTS = ("startup", "reading", "graph", "function", "analysis", "loopy")


def rows(parts: list[str]) -> Iterator[Row]:
    """The rows of the parts, each measured when it is asked for."""
    for part in parts:
        yield from import_module(f"bench_{part}").rows()


if __name__ == "__main__":
    sys.exit(0 if show(rows(sys.argv[1:] or list(PARTS))) else 1)
