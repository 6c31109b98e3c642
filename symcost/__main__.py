"""``symcost`` and ``python -m symcost``: the command line, which an interrupt ends in one line."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        from symcost.cli import main as run

        return run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("symcost: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
