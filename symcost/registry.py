"""One kind of registry for dtypes, operations and chips, and one kind of read-only table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import Generic, NoReturn, TypeVar

from symcost.errors import DuplicateNameError, UnknownNameError

K = TypeVar("K")
T = TypeVar("T")


class Table(dict[K, T], Generic[K, T]):
    """A read-only dict, which a mapping proxy is as well but cannot be pickled or copied.

    >>> Table({"bf16": 1})["bf16"]
    1
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this table is immutable; make a dict of it to change it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[object, ...]:
        return Table, (dict(self),)


class ReadOnly:
    """A frozen dataclass whose dicts are read-only, too.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Point(ReadOnly):
    ...     at: dict[str, int]
    >>> Point({"x": 3}).at["x"] = 4
    Traceback (most recent call last):
    TypeError: this table is immutable; make a dict of it to change it
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:  # type: ignore[attr-defined]
            if type(value := getattr(self, name)) is dict:
                object.__setattr__(self, name, Table(value))


class Immutable:
    """An object whose attributes are set once, when it is made or when they are first asked for.

    >>> class Point(Immutable):
    ...     __slots__ = ("x",)
    >>> Point().x = 3
    Traceback (most recent call last):
    AttributeError: a Point is immutable; cannot set 'x'
    """

    __slots__ = ()

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; cannot delete {name!r}")


def normal_form(name: str) -> str:
    """The form under which names are compared: lower case, no punctuation or blanks.

    >>> normal_form("H100-SXM"), normal_form("float8_e4m3fn")
    ('h100sxm', 'float8e4m3fn')
    """
    return re.sub(r"[^a-z0-9]", "", name.lower())


class Registry(Generic[T]):
    """A table of named things that normalises first, then checks, then stores.

    >>> colours = Registry[str]("colour")
    >>> colours.add("Deep-Blue", "#00f")
    >>> colours["deep blue"]
    '#00f'
    """

    def __init__(self, kind: str, normal: Callable[[str], str] = normal_form) -> None:
        self.kind = kind
        self._normal = normal
        self._items: dict[str, T] = {}
        self._names: dict[str, str] = {}  # normal form -> the name as it was given
        self._main: dict[str, str] = {}  # normal form -> that of the name whose alias it is
        self.version = 0  # counts the changes, for what is remembered of the items

    def add(
        self, name: str, item: T, *, aliases: str | Iterable[str] = (), replace: bool = False
    ) -> None:
        """Store ``item`` under ``name`` and its aliases; a taken name is refused.

        With ``replace`` it takes the place of the item of that name, under all its aliases.
        """
        names = [name, *([aliases] if isinstance(aliases, str) else aliases)]
        keys = [self._key(each) for each in names]
        for key, each in zip(keys, names, strict=True):
            if key in self._items and not replace:
                raise DuplicateNameError(
                    f"the {self.kind} {each!r} exists already, as {self._names[key]!r}",
                    repair="pass replace=True to replace it",
                )
        self.version += 1
        for key, each in zip(keys, names, strict=True):
            self._names.setdefault(key, each)
            self._main[key] = keys[0]
        self._items.update(dict.fromkeys((k for k, m in self._main.items() if m == keys[0]), item))

    def _key(self, name: str) -> str:
        key = self._normal(name) if isinstance(name, str) else ""
        if not key:
            raise UnknownNameError(f"{name!r} is no name for a {self.kind}")
        return key

    def remove(self, name: str) -> None:
        """Forget what is stored under a name."""
        key = self._normal(name)
        del self._items[key], self._names[key]

    def get(self, name: object) -> T | None:
        return self._items.get(self._normal(name)) if isinstance(name, str) else None

    def __getitem__(self, name: str) -> T:
        item = self.get(name)
        if item is None:
            near = self.suggestion(str(name))
            raise UnknownNameError(f"unknown {self.kind} {name!r}", repair=near)
        return item

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._normal(name) in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.values())

    def __len__(self) -> int:
        return len(self._items)

    def suggestion(self, name: str) -> str:
        """What to type instead: the near names, or all of them when none is near."""
        near = get_close_matches(self._normal(name), self._items, n=3, cutoff=0.6)
        if near:
            return "did you mean " + " or ".join(self._names[key] for key in near) + "?"
        return f"known: {', '.join(sorted(self._names.values()))}"
