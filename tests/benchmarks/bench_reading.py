"""Reading: programs of many lines, and how the time grows with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count

from harness import Row, growth

import symcost as sc

FRESH = count()  # new names each time, so that nothing is found again
LINES = 10_000


def rows() -> Iterator[Row]:
    """Every measurement with its bound."""
    for what, program, bound in (("relu", relus, 2), ("matmul", matmuls, 4)):
        times = [seconds(program, lines) for lines in (LINES // 4, LINES)]
        yield Row(f"{LINES} {what} lines read, seconds of the processor", times[1], bound)
        yield Row(f"growth of reading {what} lines", growth((LINES // 4, LINES), times), 1.1)


def relus(lines: int) -> str:
    """A chain of elementwise operations."""
    return _program(lines, lambda i: f"T{i + 1} = relu(T{i})")


def matmuls(lines: int) -> str:
    """A chain of products, each with a weight of its own."""
    return _program(lines, lambda i: f"T{i + 1} = T{i} @ W{i}: bf16[D{i}, D{i + 1}]")


def _program(lines: int, line: Callable[[int], str]) -> str:
    text = "\n".join(["T0: bf16[B, D0]", *map(line, range(lines))])
    return text.replace("D", f"D{next(FRESH)}_")


def seconds(program: Callable[[int], str], lines: int) -> float:
    """Processor time, the least of three, since the machine may be busy."""
    return min(_once(program(lines)) for _ in range(3))


def _once(program: str) -> float:
    begin = time.process_time()
    sc.parse(program)
    return time.process_time() - begin
