"""Reading what a user names, and writing so that nothing written before is lost."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from symcost.errors import OutputError

MAX_BYTES = 1_000_000  # of a file or of standard input


def read_input(argument: str) -> str:
    """Text itself, the content of the file it names, or standard input for ``-``.

    >>> read_input("bf16[N]")
    'bf16[N]'

    Raises:
        OutputError: the file cannot be read, is no text, or is too large.
    """
    if argument == "-":
        return _decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    path = _as_file(argument)
    if path is None:
        return argument
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise OutputError(f"cannot read {path}: {error.strerror}") from None
    return _decoded(content, str(path))


def write_text(path: str, text: str) -> None:
    """Write a text file whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str, content: bytes) -> None:
    """Write a file under a temporary name beside it, then rename it.

    Raises:
        OutputError: the folder does not exist or cannot be written.
    """
    import tempfile

    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent or ".", prefix=f".{target.name}.")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise OutputError(f"cannot write {path}: {error.strerror}") from None


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _as_file(argument: str) -> Path | None:
    if len(argument) > 1000 or "\n" in argument or "\0" in argument:
        return None
    try:
        path = Path(argument)
        return path if path.is_file() else None
    except (OSError, ValueError):
        return None


def _decoded(content: bytes, name: str) -> str:
    if len(content) > MAX_BYTES:
        raise OutputError(f"{name} holds more than {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OutputError(f"{name} is no UTF-8 text (byte {error.start})") from None
