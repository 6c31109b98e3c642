"""TOML files of users: read within limits, with one clear error for whatever is wrong."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from pathlib import Path

from symcost.errors import InvalidValueError, NotationError, OutputError

LIMIT = 50_000  # bytes; the longest chip file of ours has 4,000
LINE = 1_000  # characters; the time that tomllib takes grows with the square of a dotted key
PATH = 4_096  # characters


def parsed_toml(path: Path) -> dict[str, object]:
    """The tables of a file; numbers with a point or an exponent come as Decimal, so exact.

    Raises:
        OutputError: there is no such file, or it cannot be read.
        NotationError: it is too long, no text or no TOML; the place is given.
    """
    import tomllib

    text = _text(path)
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LINE:
            raise NotationError(f"{path}: line {number} has more than {LINE:,} characters")
    try:
        return tomllib.loads(text, parse_float=_decimal)
    except tomllib.TOMLDecodeError as problem:
        raise _syntax_error(path, text, str(problem)) from None
    except RecursionError:
        raise NotationError(f"{path}: brackets are nested too deeply") from None
    except ValueError:  # an integer of thousands of digits
        raise InvalidValueError(f"{path}: a number has too many digits") from None


def _text(path: Path) -> str:
    if len(str(path)) > PATH:
        raise OutputError(f"a path of {len(str(path)):,} characters is too long")
    try:
        if not path.is_file():
            what = f"{str(path)!r} is no plain file" if path.exists() else f"no file {str(path)!r}"
            raise OutputError(what, repair="give the path of a chip's TOML")
        with path.open("rb") as file:
            content = file.read(LIMIT + 1)
        if len(content) > LIMIT:
            raise NotationError(f"{path}: more than {LIMIT:,} bytes are too many for a chip file")
        return content.decode()
    except UnicodeDecodeError:
        raise NotationError(f"{path}: the file is no UTF-8 text") from None
    except OSError as problem:
        if isinstance(problem, OutputError):
            raise
        raise OutputError(f"{path} cannot be read: {problem.strerror}") from None


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond all bounds
        return Decimal("inf")


def _syntax_error(path: Path, text: str, message: str) -> NotationError:
    error = NotationError(f"{path}: no valid TOML", repair=message[:1].lower() + message[1:])
    place = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if place is None:
        return error
    error.repair = error.repair.removesuffix(place[0])
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: int(place[1]) - 1])) + int(place[2]) - 1
    return error.at(text, start)
