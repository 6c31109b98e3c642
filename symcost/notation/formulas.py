"""Reading a formula, plain or LaTeX: text to plain syntax once, then to an exact expression.

How a word splits and where a unit stands: see :mod:`symcost.notation.words`.

How a division reads: a product written without blanks is one thing, so ``a/2BD`` is
``a/(2*B*D)``; a blank ends it, so ``1/2 BD`` is ``(1/2)*B*D``; with ``*`` the order is from
left to right, so ``a/b*c`` is ``(a/b)*c``; a number and its unit are one, so ``V/450 GB/s`` is
``V/(450 GB/s)``. A note tells how a division before a product was read. In LaTeX only blanks
that are typeset count (``\\,``, ``\\;``, ``\\quad``, ``~``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from sympy import Expr, Symbol

from symcost.notation.dimensions import check_sums
from symcost.notation.exact import evaluate
from symcost.notation.limits import check_text, part_of
from symcost.notation.parser import T, parse
from symcost.notation.plain_tokens import scan_plain
from symcost.notation.relations import Statement, keys_of, pieces, split_at, statements
from symcost.notation.syntax import Node, Syntax, divisors, is_latex, names_of
from symcost.notation.tokens import Token, failure, typed
from symcost.notation.words import Words, division_notes
from symcost.symbols import dim, rate

RELATION_EXAMPLE = 'write two sides, for example "B*D > 300"'


@dataclass(frozen=True, slots=True)
class Parsed:
    """A formula as plain syntax; what its names stand for is decided later."""

    syntax: Syntax
    text: str
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that occur."""
        return tuple(names_of(self.syntax))

    def value(self, symbol: Callable[[str], Symbol] = dim) -> Expr:
        """The exact expression, each name as the symbol it stands for.

        Raises:
            InvalidValueError: it has no finite real value, or numbers out of bounds.
        """
        return evaluate(self.syntax, symbol, self.text)

    def divisors(self, symbol: Callable[[str], Symbol] = dim) -> tuple[Expr, ...]:
        """The sums that it divides by as it is written, also those that cancel."""
        sums = (each for each in divisors(self.syntax) if isinstance(each, Node))
        return tuple(evaluate(each, symbol, self.text) for each in sums if names_of(each))


@dataclass(frozen=True, slots=True)
class ParsedChain:
    """Sides with a relation sign between each two; one side and no sign for a formula."""

    sides: tuple[Parsed, ...]
    ops: tuple[str, ...]
    text: str
    notes: tuple[str, ...] = ()


def read(text: str, declared: Collection[str] = (), *, bare: bool = False) -> Parsed:
    """Parse one formula, plain text or LaTeX, to plain syntax.

    >>> read("2BDF/C").names
    ('B', 'D', 'F', 'C')

    Args:
        text: the formula; one with a backslash or a dollar sign is read as LaTeX.
        declared: names that are one symbol wherever they stand as a whole word.
        bare: whether an amount alone is expected, so that ``70B`` is 70 billion.

    Raises:
        NotationError: the text is no formula.
    """
    words = Words(check_text(text), declared, bare=bare)
    tokens = words.read(scan(text))
    syntax = parse(tokens, text, 0, len(text))
    check_sums(syntax, text)
    return Parsed(syntax, text, notes_of(words, tokens))


def read_sides(text: str, declared: Collection[str] = ()) -> ParsedChain:
    """Parse formulas with ``=``, ``≈``, ``<``, ``<=``, ``>``, ``>=`` between them.

    Raises:
        NotationError: a side is no formula, or a sign states an assumption (``<<``, ``->``).
    """
    words = Words(check_text(text), declared, bare=True)
    tokens = words.read(scan(text))
    items, signs = split_at(tokens, frozenset({"REL", "COMMA"}))
    for sign in signs:
        if sign.kind == "COMMA":
            problem = "a comma separates no relations"
            raise failure(problem, text, sign.start, sign.end, "write ; between the two")
        if sign.value in ("<<", ">>", "->"):
            problem = f"{typed(sign, text)} states an assumption, not a relation of formulas"
            raise failure(problem, text, sign.start, sign.end, "use <, <=, >, >= or =")
    starts = [0, *(sign.end for sign in signs)]
    ends = [*(sign.start for sign in signs), len(text)]
    sides = tuple(
        Parsed(parse(item, text, start, end), text)
        for item, start, end in zip(items, starts, ends, strict=True)
    )
    for side in sides:
        check_sums(side.syntax, text)
    return ParsedChain(sides, tuple(sign.value for sign in signs), text, notes_of(words, tokens))


def symbols_of(rates: Collection[str]) -> Callable[[str], Symbol]:
    """The symbol of each name: a rate for those listed, a dimension for every other."""
    return lambda name: rate(name) if name in rates else dim(name)


def scan(text: str, latex: bool | None = None) -> list[Token]:
    """The tokens of a plain or LaTeX text, its words not told apart yet."""
    if is_latex(text) if latex is None else latex:
        from symcost.notation.latex_tokens import scan_latex  # seldom needed, 2 ms

        return scan_latex(text)
    return scan_plain(text)


def each_statement(
    text: str,
    what: str,
    example: str,
    make: Callable[[Statement, str, int], T],
    declared: Collection[str] = (),
    *,
    single: bool = True,
) -> list[T]:
    """What is made of each statement of a text, which sees the piece it stands in and its offset.

    Raises:
        NotationError: no statement, or what is made of one is refused; the place is in the text.
    """
    made: list[T] = []
    for words, tokens, offset in _told(text, what, declared, single):
        piece = words.text
        with part_of(text, offset):
            notes = notes_of(words, tokens)
            stated = statements(tokens, piece, example)
            made += [make(each._replace(notes=notes), piece, offset) for each in stated]
    return made


def _told(
    text: str, what: str, declared: Collection[str], single: bool
) -> Iterator[tuple[Words, list[Token], int]]:
    """The pieces of a text, each with its words told apart; a name set in one is one in all."""
    latex = is_latex(check_text(text, what))
    scanned = []
    for piece, offset in pieces(text):
        with part_of(text, offset):
            tokens = scan(piece, latex)
            scanned.append((piece, offset, tokens, keys_of(tokens, bare=single)))
    known = {*declared, *(key for *_, keys in scanned for key in keys)}
    for piece, offset, tokens, own in scanned:
        words = Words(piece, known, bare=True, own=own)
        with part_of(text, offset):
            told = words.read(tokens)
        yield words, told, offset


def names_told(
    text: str, declared: Collection[str] = (), *, bare: bool = False, lists: bool = False
) -> list[str]:
    """The names of a text that is not parsed yet; ``lists`` where it lists statements.

    >>> names_told("D = 4*F", bare=True, lists=True)
    ['D', 'F']
    """
    if lists:
        told = [tokens for _, tokens, _ in _told(text, "a statement", declared, bare)]
    else:
        told = [Words(check_text(text), declared, bare=bare).read(scan(text))]
    return [token.value for tokens in told for token in tokens if token.kind == "NAME"]


def parsed(item: Sequence[Token], piece: str, notes: tuple[str, ...] = ()) -> Parsed:
    """One side of a statement."""
    return Parsed(parse(item, piece, item[0].start, item[-1].end), piece, notes)


def notes_of(words: Words, tokens: list[Token]) -> tuple[str, ...]:
    """How the words and the divisions were read."""
    return tuple(dict.fromkeys([*words.notes, *division_notes(tokens, words.text, words.blank)]))
