"""Chip files of users: what is read, and the one message for each thing that is wrong."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import symcost.hardware.catalogue as catalogue
from symcost.errors import (
    DuplicateNameError,
    InvalidValueError,
    NotationError,
    OutputError,
    SymcostError,
    UnknownNameError,
)
from symcost.hardware import (
    chip,
    chip_names,
    load_chip,
)
from symcost.registry import Registry

GOOD = """
title = "My chip"
aliases = ["mine"]

[matmul]
bf16 = { value = 1.5e12, source = "data sheet, 2024" }

[memory]
bandwidth = { value = 3e9, source = "memory" }
capacity = { value = 1_000, source = ["a", "b"], note = "all of it" }

[links.ring]
scope = "per chip"
one_way = { value = 250e6, source = "measured" }
latency = { value = 1.5e-6, source = "measured" }
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "my_chip.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "loaded", Registry("chip"))


def test_a_chip_of_ones_own(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    made = load_chip(path)
    assert made == chip(str(path)) == chip(path)
    assert (made.name, made.title, made.resolved_from) == ("my_chip", "My chip", "")
    assert made.critical_intensity("bf16") == 500
    assert made.bandwidth("ring") == 250 * 10**6
    assert made.links["ring"].more["latency"].value == Fraction(15, 10**7)
    assert made.capacity() == 1000
    assert made.bandwidth_figure().from_memory
    assert "my_chip" not in chip_names()


@pytest.mark.usefixtures("own_registry")
def test_registering(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    load_chip(path, register=True)
    assert chip("My Chip").title == "My chip"
    assert chip("mine").resolved_from == "mine"
    assert chip_names()[-1] == "my_chip"
    with pytest.raises(DuplicateNameError):
        load_chip(path, register=True)
    load_chip(path, register=True, replace=True)
    taken = written(tmp_path, GOOD.replace("mine", "h100"))
    with pytest.raises(DuplicateNameError) as caught:
        load_chip(taken, register=True)
    assert str(caught.value) == (
        "the chip 'h100' exists already, as 'h100-sxm'; pass replace=True to replace it"
    )


EXAMPLE = '{ value = 989e12, source = "data sheet" }'
NO_SIZE = "which is no size or rate; a figure is positive, finite and in base units"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", NotationError, f"the file gives no figure; write a peak under [matmul]: {EXAMPLE}"),
        (
            "[matmul]\nbf16 = 989e12",
            NotationError,
            f"[matmul] bf16 is no figure with a source; write {EXAMPLE}",
        ),
        (
            "[matmul]\nbf16 = { value = 989e12 }",
            NotationError,
            '[matmul] bf16 has no source; say where it is from, or write source = "memory"',
        ),
        (
            "[matmul]\nbf16 = { source = 'x' }",
            NotationError,
            f"[matmul] bf16 has no value; write {EXAMPLE}",
        ),
        (
            "[matmul]\nbf16 = { value = 1e12, source = 3 }",
            NotationError,
            f"the source of [matmul] bf16 is no text; write {EXAMPLE}",
        ),
        (
            "[memory]\nbandwidth = { value = 0, source = 'x' }",
            InvalidValueError,
            f"[memory] bandwidth is 0, {NO_SIZE}",
        ),
        (
            "[matmul]\nbf16 = { value = -1e12, source = 'x' }",
            InvalidValueError,
            f"[matmul] bf16 is -1E+12, {NO_SIZE}",
        ),
        (
            "[matmul]\nbf16 = { value = nan, source = 'x' }",
            InvalidValueError,
            f"[matmul] bf16 is NaN, {NO_SIZE}",
        ),
        (
            "[matmul]\nbf16 = { value = 1e999999999, source = 'x' }",
            InvalidValueError,
            f"[matmul] bf16 is 1E+999999999, {NO_SIZE}",
        ),
        (
            "[matmul]\nbf16 = { value = '1e12', source = 'x' }",
            InvalidValueError,
            "[matmul] bf16 is no number; "
            "write it in base units (FLOP/s, bytes/s, bytes, seconds), as 989e12",
        ),
        (
            "[matmul]\nbf16 = { value = true, source = 'x' }",
            InvalidValueError,
            "[matmul] bf16 is no number; "
            "write it in base units (FLOP/s, bytes/s, bytes, seconds), as 989e12",
        ),
        (
            "[matmul]\nbf17 = { value = 1e12, source = 'x' }",
            UnknownNameError,
            "unknown dtype 'bf17' in [matmul]; did you mean bf16?",
        ),
        (
            "[vector]\nbfloat16 = { value = 1e12, source = 'x' }",
            UnknownNameError,
            "'bfloat16' in [vector] goes by another name; write bf16",
        ),
        (
            "[matmul]\nbf16 = { value = 1e12, source = 'x', unit = 'TFLOP/s' }",
            UnknownNameError,
            "unknown key 'unit' in [matmul] bf16; a figure has value, source and note",
        ),
        (
            "[tensor]\nbf16 = { value = 1e12, source = 'x' }",
            UnknownNameError,
            "unknown key 'tensor'; known: title, vendor, year, aliases, not_supported, notes, "
            "matmul, vector, memory, cache, links, printed_ridge",
        ),
        (
            "[memory]\nbandwith = { value = 1e12, source = 'x' }",
            UnknownNameError,
            "unknown key 'bandwith' in [memory]; known: kind, bandwidth, capacity",
        ),
        (
            "[cache]\nl2 = { value = 1e6, source = 'x' }",
            UnknownNameError,
            "unknown key 'l2' in [cache]; "
            "a key ends in _bytes, _bandwidth or _count, as in l2_bytes",
        ),
        (
            "[links.NVLink]\none_way = { value = 1e9, source = 'x' }",
            UnknownNameError,
            "'NVLink' is no name for a link; "
            "a channel is a word in lower case, as nvlink; hbm is the memory",
        ),
        (
            "[links.nvlink]\nscope = 'x'",
            NotationError,
            f"[links.nvlink] has no one_way; write one_way = {EXAMPLE}",
        ),
        (
            "[links]\nnvlink = 3",
            NotationError,
            "links.nvlink is no table; write [links.nvlink] and its keys below",
        ),
        (
            "[links.nvlink]\ncount = 1.5\none_way = { value = 1e9, source = 'x' }",
            InvalidValueError,
            "[links.nvlink] count is no whole number",
        ),
        ("matmul = 3", NotationError, "matmul is no table; write [matmul] and its keys below"),
        ("title = 3", NotationError, 'title is no text; write title = "..."'),
        (
            "aliases = 'x'",
            NotationError,
            'aliases is no list of texts; write aliases = ["...", "..."]',
        ),
        (
            "not_supported = ['bf17']",
            UnknownNameError,
            "unknown dtype 'bf17' in not_supported; did you mean bf16?",
        ),
        (
            "year = 2024",
            NotationError,
            'year is no figure with a source; write { value = 2023, source = "data sheet" }',
        ),
        (
            "[matmul\n",
            NotationError,
            "no valid TOML\n  [matmul\n         ^\nexpected ']' at the end of a table declaration",
        ),
        (b"\xff\x00\x01", NotationError, "the file is no UTF-8 text"),
        ("x = [" + "\n[" * 20_000, NotationError, "brackets are nested too deeply"),
        ("a." * 20_000 + "a = 1", NotationError, "line 1 has more than 1,000 characters"),
        (
            "#\n" * 10**6,
            NotationError,
            "more than 50,000 bytes are too many for a chip file",
        ),
    ],
)
def test_files_that_are_refused(
    tmp_path: Path, text: str | bytes, error: type[SymcostError], message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(error) as caught:
        load_chip(path)
    assert str(caught.value) == f"{path}: {message}"


def test_an_integer_of_thousands_of_digits(tmp_path: Path) -> None:
    lines = ["[matmul]", "bf16 = { source = 'x', value = " + "9" * 900 + " }"]
    with pytest.raises(InvalidValueError) as caught:
        load_chip(written(tmp_path, "\n".join(lines)))
    assert "is too large, which is no size or rate" in str(caught.value)


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    repair = "give the path of a chip's TOML"
    for path, problem in [
        ("nowhere.toml", "no file 'nowhere.toml'"),
        (str(tmp_path), f"{str(tmp_path)!r} is no plain file"),
        ("\0.toml", "no file '\\x00.toml'"),
    ]:
        with pytest.raises(OutputError) as caught:
            chip(path)
        assert str(caught.value) == f"{problem}; {repair}"
    with pytest.raises(OutputError, match="a path of 1,000,005 characters is too long"):
        chip("x" * 10**6 + ".toml")
