"""Reading what a user names, and writing so that nothing written before is lost."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from symcost.errors import OutputError

MAX_BYTES = 1_000_000  # of a file or of standard input
_FILE_NAME = re.compile(r"(?:~|\.{0,2})/\S*|(?:[\w.-]+/)*[A-Za-z_][\w-]*\.[a-z]{1,5}")
_DESCRIPTOR = re.compile(r"-|/(?:dev|proc/self)/fd/([0-9]{1,4})|/dev/std(out|err)")


def read_input(argument: str) -> str:
    """Text itself, the content of the file it names, or standard input for ``-``.

    >>> read_input("bf16[N]")
    'bf16[N]'

    Raises:
        OutputError: the file cannot be read, is no text, or is too large.
    """
    if argument != "-" and not _names_a_file(argument):
        return argument
    return read_file(argument)


def read_file(name: str) -> str:
    """The content of a file, or of standard input for ``-``.

    Raises:
        OutputError: there is no such file, or it cannot be read, is no text, or is too large.
    """
    if name == "-":
        if sys.stdin is None:
            raise OutputError("standard input is closed", repair="give the name of a file")
        return _decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    try:
        with Path(name).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _failed("read", name, error) from None
    return _decoded(content, name)


def write_text(path: str, text: str) -> None:
    """Write a text file whole or not at all."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: str, content: bytes) -> None:
    """Write a file whole, where that can be: under a temporary name, which is then renamed.

    A link is followed. What renaming would change (another owner, hard links, a device, a pipe)
    is written in place; permissions stay as they are.

    Raises:
        OutputError: the folder does not exist, or the file cannot be written.
    """
    try:
        if descriptor := _DESCRIPTOR.fullmatch(path):
            return _into(int(descriptor[1] or 1 + (descriptor[2] == "err")), content)
        target = os.path.realpath(path)
        known = _status(target)
        if known is not None and _is_read_only(known):
            raise OutputError(f"cannot write {path}: it is read-only", repair="name another file")
        if known is None or _may_be_replaced(known, target):
            _replace(target, content, known)
        else:
            _overwrite(target, content)
    except (OSError, ValueError) as error:
        raise error if isinstance(error, OutputError) else _failed("write", path, error) from None


def _into(descriptor: int, content: bytes) -> None:
    """Write to what is open already: what stands behind its name may not be opened anew."""
    if sys.stdout is not None:  # what was said before comes first
        sys.stdout.flush()
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _status(target: str) -> os.stat_result | None:
    try:
        return os.stat(target)
    except FileNotFoundError:
        return None


def _is_read_only(known: os.stat_result) -> bool:
    return stat.S_ISREG(known.st_mode) and not known.st_mode & 0o222


def _may_be_replaced(known: os.stat_result, target: str) -> bool:
    """Whether a new file in its place would differ from it in nothing but its content."""
    ours = not hasattr(os, "geteuid") or known.st_uid == os.geteuid()
    group = not hasattr(os, "getegid") or known.st_gid == os.getegid()
    folder = os.access(os.path.dirname(target), os.W_OK)
    return stat.S_ISREG(known.st_mode) and known.st_nlink == 1 and ours and group and folder


def _overwrite(target: str, content: bytes) -> None:
    """Write what is there already; a device or a pipe is not cut to length."""
    with open(target, "wb", buffering=0) as file:
        view = memoryview(content)
        while view:
            view = view[file.write(view) or 0 :]


def _replace(target: str, content: bytes, known: os.stat_result | None) -> None:
    import tempfile

    with _undisturbed():
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".symcost.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(temporary, stat.S_IMODE(known.st_mode) if known else _new_mode())
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _new_mode() -> int:
    """The permissions of a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals wait until the temporary file is gone."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals
        return
    heard: list[int] = []
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
    waiting = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, lambda n, _: heard.append(n)) for number in waiting}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in heard:
            signal.raise_signal(number)


def _failed(what: str, path: str, error: OSError | ValueError) -> OutputError:
    why = getattr(error, "strerror", None) or "this is no file name"
    return OutputError(f"cannot {what} {path or 'a file without a name'}: {why}")


def _names_a_file(argument: str) -> bool:
    """Whether there is such a file or pipe, or the text can be nothing else than its name."""
    if len(argument) > 1000 or "\n" in argument or "\0" in argument:
        return False
    try:
        path = Path(argument)
        return (path.exists() and not path.is_dir()) or bool(_FILE_NAME.fullmatch(argument))
    except (OSError, ValueError):
        return False


def _decoded(content: bytes, name: str) -> str:
    if len(content) > MAX_BYTES:
        raise OutputError(f"{name} holds more than {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OutputError(f"{name} is no UTF-8 text (byte {error.start})") from None
