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
        from symcost.files.streams import complain  # an interrupt while it loads is heard, too

        complain("symcost: interrupted")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
