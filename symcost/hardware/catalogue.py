"""The catalogue: chips by forgiving name, from the built-in files, user files or given figures."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache

from symcost.errors import DuplicateNameError, UnknownNameError
from symcost.hardware.given import given_chip, is_given
from symcost.hardware.listing import DATA, index
from symcost.hardware.model import Chip
from symcost.hardware.names import find_name, names
from symcost.registry import Registry, normal_form

loaded: Registry[Chip] = Registry("chip")  # user's chips


def chip(name: str | os.PathLike[str] | Chip) -> Chip:
    """The chip of this name, of a file, or of given figures.

    >>> chip("H100 PCIe").critical_intensity("bf16")
    378
    >>> chip("h100"), chip("h100").resolved_from
    (Chip(h100-sxm: H100 SXM5 80GB), 'h100')
    >>> chip("C=3.94e14, W=8.1e11").peak("int8")
    394000000000000

    Args:
        name: a name or alias (case and punctuation do not matter), the path of a TOML file
            (ending in ``.toml`` or with a separator), or figures, ``"C=3.94e14, W=8.1e11"``
            (FLOP/s, bytes/s), where ``"C, W"`` stays symbolic; a chip is returned as it is.

    Returns:
        The chip; ``resolved_from`` is the alias that was asked for.

    Raises:
        UnknownNameError: no chip, or several, go by the name; the message lists the near ones.
        NotationError, InvalidValueError, OutputError: figures or a file that cannot be read.
    """
    if isinstance(name, Chip):
        return name
    if not isinstance(name, str | os.PathLike):
        raise UnknownNameError(f"{name!r} is no chip's name", repair="give a name or a path")
    text = os.fspath(name)
    if isinstance(name, str) and is_given(text):
        return given_chip(text)
    if not isinstance(name, str) or _is_path(text):
        return load_chip(text)
    if "=" in text:
        return given_chip(text)
    own = loaded.get(text)
    if own is not None:
        return _resolved(own, text)
    return _resolved(_builtin(find_name(text)), text)


def load_chip(
    path: str | os.PathLike[str], *, register: bool = False, replace: bool = False
) -> Chip:
    """Read a chip of your own from a TOML file: base units, and a source for every figure.

    The file looks like those in ``symcost/hardware/data/chips``; the least it needs is a peak::

        [matmul]
        bf16 = { value = 989e12, source = "data sheet, 2023" }

        [memory]
        bandwidth = { value = 3.35e12, source = "data sheet, 2023" }

    >>> load_chip("nowhere.toml")
    Traceback (most recent call last):
    symcost.errors.OutputError: no file 'nowhere.toml'; give the path of a chip's TOML

    Args:
        path: the file; its name without ``.toml`` is the name of the chip.
        register: whether ``chip`` shall find it by its name and aliases from now on.
        replace: whether it may take the name of another chip.

    Returns:
        The chip.

    Raises:
        OutputError: the file cannot be read.
        NotationError, InvalidValueError, UnknownNameError: what is wrong, by table and key.
        DuplicateNameError: ``register`` and a name is taken.
    """
    from pathlib import Path

    from symcost.hardware.reader import read_chip

    made = read_chip(Path(path))
    if register:
        _register(made, replace)
    return made


def chip_names() -> list[str]:
    """The names of all chips, by vendor and year; registered ones last.

    >>> len(chip_names()) >= 41, "h100-sxm" in chip_names()
    (True, True)
    """
    return list(dict.fromkeys([*index(), *(loaded[name].name for name in loaded)]))


@lru_cache(maxsize=64)
def _builtin(name: str) -> Chip:
    from pathlib import Path

    from symcost.hardware.reader import read_chip

    return read_chip(Path(DATA, "chips", f"{name}.toml"))


def _is_path(text: str) -> bool:
    return text.lower().endswith(".toml") or "/" in text or os.sep in text


def _resolved(known: Chip, asked: str) -> Chip:
    if normal_form(asked).endswith(normal_form(known.name)):  # the name, or vendor and name
        return known
    return replace(known, resolved_from=asked.strip())


def _register(made: Chip, replace: bool) -> None:
    for name in (made.name, *made.aliases):
        if name in names() and not replace:
            raise DuplicateNameError(
                f"the chip {name!r} exists already, as {names()[name]!r}",
                repair="pass replace=True to replace it",
            )
    loaded.add(made.name, made, aliases=made.aliases, replace=replace)
