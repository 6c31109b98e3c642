"""Standard output as it is found: in any encoding, closed, full, or gone."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from contextlib import suppress

from symcost.errors import OutputError

_READABLE = {
    "→": "->", "≈": "~", "µ": "u", "≤": "<=", "≥": ">=", "≠": "!=", "≪": "<<", "≫": ">>",
    "×": "x", "·": "*", "•": "*", "∞": "oo", "…": "...", "–": "-", "—": "-", "√": "sqrt",
    "“": '"', "”": '"', "’": "'",
}  # fmt: skip


def say(text: str) -> None:
    """Print a text, whatever the encoding of standard output.

    Raises:
        OutputError: it is closed or full.
        BrokenPipeError: nobody reads it any more.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed", repair="name a file with -o")
    try:
        sys.stdout.write(_for(text, sys.stdout.encoding) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        raise OutputError(f"cannot write to standard output: {error.strerror}") from None


def complain(text: str) -> None:
    """Say on standard error what went wrong; the exit code says it where nobody can hear."""
    if sys.stderr is not None:  # print would turn to standard output
        with suppress(OSError):
            print(text, file=sys.stderr)


def silence() -> None:
    """Let what is still to be written go nowhere, so that the end of the process is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _for(text: str, encoding: str | None) -> str:
    """The text with a readable stand-in for what an encoding cannot hold."""
    known = encoding or "utf-8"
    return text.encode(known, "symcost-readable").decode(known)


def readable(character: str) -> str:
    """What stands for a character in plain ASCII.

    >>> readable("→"), readable("é"), readable("α"), readable("字")
    ('->', 'e', 'alpha', '?')
    """
    if character in _READABLE:
        return _READABLE[character]
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    words = unicodedata.name(character, "").split()
    greek = words[3] if words[:1] == ["GREEK"] and words[2:3] == ["LETTER"] else ""
    shown = greek.lower() if words[1:2] == ["SMALL"] else greek.capitalize()
    return plain or shown or "?"


def _readable_error(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(readable, error.object[error.start : error.end])), error.end


codecs.register_error("symcost-readable", _readable_error)
