"""Names of the built-in chips: case, punctuation and the vendor in front do not matter."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache

from symcost.errors import UnknownNameError
from symcost.hardware.listing import index
from symcost.registry import Registry, normal_form

LONGEST = 100  # characters of a name
SHOWN = 12  # candidates in a message


@lru_cache(maxsize=1)
def names() -> Registry[str]:
    """Names, aliases and titles of the built-in chips, each to its name."""
    table: Registry[str] = Registry("chip")
    for name, entry in index().items():
        for each in (name, *entry["aliases"]):
            table.add(each, name)
    for name, entry in index().items():
        if entry["title"] not in table:
            table.add(entry["title"], name)
    return table


def find_name(asked: str) -> str:
    """The name of the built-in chip that is asked for by name, alias or title.

    >>> find_name("NVIDIA H100"), find_name("trillium")
    ('h100-sxm', 'tpu-v6e')

    Raises:
        UnknownNameError: none, or several; the message lists the near ones.
    """
    if len(asked) > LONGEST:
        raise UnknownNameError(f"a name of {len(asked):,} characters is no chip's")
    name = names().get(asked) or names().get(_without_vendor(asked))
    if name is not None:
        return name
    raise _unknown(asked)


def _without_vendor(asked: str) -> str:
    vendors = {entry["vendor"].lower() for entry in index().values()}
    first, _, rest = asked.strip().partition(" ")
    return rest if first.lower() in vendors else asked


def _unknown(asked: str) -> UnknownNameError:
    if not normal_form(asked):
        return UnknownNameError("no chip was named", repair="symcost chips lists them")
    fits = _fitting(asked)
    if len(fits) > 1:
        more = ", ..." if len(fits) > SHOWN else ""
        listed = ", ".join(fits[:SHOWN]) + more
        return UnknownNameError(f"{asked!r} fits several chips", repair=f"name one: {listed}")
    near = fits or get_close_matches(normal_form(asked), map(normal_form, names()), n=3)
    known = dict.fromkeys(names()[each] for each in near)
    repair = f"did you mean {' or '.join(known)}?" if known else "symcost chips lists them"
    return UnknownNameError(f"unknown chip {asked!r}", repair=repair)


def _fitting(asked: str) -> list[str]:
    """The chips in whose name, title and vendor every word occurs."""
    words = re.findall(r"[a-z0-9]{2,}", asked.lower())
    return [
        name
        for name, entry in index().items()
        if words
        and all(word in normal_form(f"{entry['vendor']} {name} {entry['title']}") for word in words)
    ]
