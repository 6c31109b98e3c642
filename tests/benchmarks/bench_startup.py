"""The command line as whole processes, against importing the libraries that it stands on."""

from __future__ import annotations

from collections.abc import Iterator

from harness import Row, process_ratio

SYMPY = ("-c", "import sympy")
BOTH = ("-c", "import sympy, networkx")
MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
DERIVE = ("derive", MATMUL, "--on", "h100-sxm", "--assume", "B << D, F", "--solve", "B")
LIGHT = {
    "--help": ("--help",),
    "--version": ("--version",),
    "chips": ("chips",),
    "chips h100-sxm": ("chips", "h100-sxm"),
    "usage error: no program": ("derive",),
    "usage error: no such verb": ("bake",),
}


def rows() -> Iterator[Row]:
    """Every measurement with its bound."""
    took = process_ratio(("-m", "symcost", *DERIVE), BOTH)
    yield Row("symcost derive / import sympy, networkx", took, 1.3)
    for name, arguments in LIGHT.items():
        took = process_ratio(("-m", "symcost", *arguments), SYMPY)
        yield Row(f"symcost {name} / import sympy", took, 0.25)
