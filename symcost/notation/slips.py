"""A call of a public function with something of another kind: one message that names it.

Only where a call fails in another way than by a :class:`SymcostError` are its arguments compared
with the annotations; a call that succeeds costs nothing, and a fault of ours stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from types import FunctionType
from typing import ParamSpec, TypeVar

from symcost.errors import InvalidValueError, SymcostError

P = ParamSpec("P")
T = TypeVar("T")

_PROTOCOLS: dict[str, type] = {"Mapping": Mapping, "Iterable": Iterable, "Sequence": Iterable}
_ANYTHING = {"Any", "object"}
_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "Iterable": "a list",
    "Mapping": "a dict",
    "PathLike": "a path",
    "Number": "a number",
    "Expr": "an expression",
    "Symbol": "a symbol",
}
_ALSO = {
    "int": {"integer", "Integer"},
    "float": {"int", "integer", "floating", "Fraction"},
    "Number": {"int", "float", "integer", "floating", "Fraction"},
}


def guarded(function: Callable[P, T]) -> Callable[P, T]:
    """The function, whose calls with arguments of the wrong kind fail with one SymcostError.

    >>> def half(text: str) -> str:
    ...     return text[: len(text) // 2]
    >>> guarded(half)(3)
    Traceback (most recent call last):
    symcost.errors.InvalidValueError: half takes a text as text, not int
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            bare = error.__cause__ if isinstance(error, SymcostError) else error
            if bare is None or isinstance(bare, SymcostError):
                raise
            slip = _slip(function, args, kwargs)  # of a call within this one, too
            if slip is None:
                raise
            raise slip from bare

    return call


def guarding(kind: type[T]) -> type[T]:
    """A class whose constructor and public methods are :func:`guarded`.

    >>> @guarding
    ... class Half:
    ...     def __init__(self, text: str) -> None:
    ...         self.text = text[: len(text) // 2]
    ...     def times(self, count: int) -> str:
    ...         return count * self.text
    >>> Half(3)
    Traceback (most recent call last):
    symcost.errors.InvalidValueError: Half takes a text as text, not int
    >>> Half("abba").times("2")
    Traceback (most recent call last):
    symcost.errors.InvalidValueError: times takes a whole number as count, not str
    """
    for name, each in list(vars(kind).items()):
        if isinstance(each, FunctionType) and (name == "__init__" or not name.startswith("_")):
            setattr(kind, name, guarded(each))
    return kind


def _slip(
    function: Callable[..., object], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> SymcostError | None:
    """What to say of the first argument that is not of its annotated kind."""
    import inspect

    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return None  # too many, too few, unknown: Python says so by name
    names = getattr(inspect.unwrap(function), "__globals__", {})
    called = function.__name__
    if called == "__init__":
        called = type(args[0]).__name__
    elif called == "__new__":
        called = getattr(args[0], "__name__", called)
    for name, value in given.items():
        parameter = signature.parameters[name]
        if parameter.annotation is parameter.empty:  # self
            continue
        kinds = tuple(_kinds(str(parameter.annotation), names))
        several: tuple[object, ...] = (
            value if parameter.kind is parameter.VAR_POSITIONAL else (value,)
        )
        for each in several:
            if any(_fits(each, kind, names) for kind in kinds):
                continue
            heads = [_head(kind) for kind in kinds if kind != "None"]
            wanted = " or ".join(dict.fromkeys(_WORDS.get(head, head) for head in heads))
            got = "None" if each is None else type(each).__name__
            return InvalidValueError(f"{called} takes {wanted} as {name}, not {got}")
    return None


def _kinds(annotation: str, names: Mapping[str, object]) -> Iterator[str]:
    """The alternatives of an annotation, aliases resolved: ``str | Iterable[str]``."""
    depth, part = 0, ""
    for character in f"{annotation}|":
        depth += (character == "[") - (character == "]")
        if character != "|" or depth:
            part += character
            continue
        kind, part = part.strip().strip("'\""), ""
        alias = names.get(kind)
        text = alias if isinstance(alias, str) else re.sub(r"[\w.]+\.(?=\w)", "", str(alias))
        if alias is not None and not isinstance(alias, type) and text != kind:
            yield from _kinds(text, names)
        else:
            yield kind


def _head(kind: str) -> str:
    return kind.partition("[")[0].rpartition(".")[2]


def _fits(value: object, kind: str, names: Mapping[str, object]) -> bool:
    """Whether a value is of a kind, and the parts of a container are of theirs."""
    head, inner = _head(kind), kind.partition("[")[2]
    if head in _ANYTHING:
        return True
    if head == "Callable":
        return callable(value)
    protocol = _PROTOCOLS.get(head)
    if protocol is None:
        classes = {each.__name__ for each in type(value).__mro__}
        return (head == "None" and value is None) or bool(classes & {head, *_ALSO.get(head, ())})
    if not isinstance(value, protocol) or (isinstance(value, str) and head != "Iterable"):
        return False
    if not inner or head == "Mapping" or not isinstance(value, Iterable):
        return True
    kinds = tuple(_kinds(inner.rpartition("]")[0], names))
    return all(any(_fits(each, part, names) for part in kinds) for each in value)
