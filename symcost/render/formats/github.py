"""Findings as workflow commands of GitHub, which set them beside the lines of a pull request.

Source: GitHub's documentation of workflow commands (``::error file=,line=::``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symcost.documents.blocks import Document
from symcost.render.formats.text import block_lines
from symcost.render.registry import renderer

_LEVELS = {"error": "error", "warning": "warning"}


@renderer("github")
def github(document: Document, *, whole: bool = False) -> str:
    """One command for each finding, and the first line of the document as a notice."""
    first = next((line for s in document.lines for b in s.blocks for line in block_lines(b)), "")
    commands = [_command(each) for each in found(document)]
    return "\n".join([*commands, f"::notice::{_escaped(first)}"])


def found(document: Document) -> Iterator[Mapping[str, object]]:
    """The findings among the facts of a document; there may be none."""
    listed = document.facts().get("findings", ())
    yield from listed if isinstance(listed, list | tuple) else ()


def _command(finding: Mapping[str, object]) -> str:
    level = _LEVELS.get(str(finding["level"]), "notice")
    place = (
        f"file={_escaped(finding['file'], ',:')},line={finding['line']}" if finding["file"] else ""
    )
    title = f"title={_escaped(finding['kind'], ',:')}"
    return f"::{level} {','.join(filter(None, [place, title]))}::{_escaped(finding['text'])}"


def _escaped(text: object, also: str = "") -> str:
    """Text with the characters that would end a command as percent codes."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + also else c for c in str(text))
