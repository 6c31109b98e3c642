"""``python -m symcost`` is the command line."""

import sys

from symcost.cli import main

if __name__ == "__main__":
    sys.exit(main())
