r"""The grammar of a claim: its cases, conditions, sides and signs, over the tokens of the scanner.

    claim    = case {(";" | "otherwise") case} ["as" stated]
    case     = relation {("or" | "and") relation} ["if" relation {"and" relation}]
    relation = [side] {sign side}
    stated   = name "grows" | a relation with << or -> | name "=" number

A sign is typed (``>=``), a command of LaTeX, or words: "at least", "about", "is below". A word
that is a name of the claim is no word of the grammar.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from symcost.errors import NotationError, SymcostError
from symcost.notation.formulas import scan
from symcost.notation.limits import check_text
from symcost.notation.relations import split_at
from symcost.notation.tokens import Token

MAX_SIDES = 40  # of one chain
LONGEST = 6  # words of a phrase
SHORT = 40  # characters of "8x faster"
COMPARED = {
    ">=": "at least;no less than;not less than;no fewer than;not fewer than;no smaller than",
    "<=": "at most;no more than;not more than;no larger than;not larger than;no greater than;up to",
    ">": "more than;greater than;larger than;bigger than;higher than;above;over;exceeds;beyond",
    "<": "less than;fewer than;smaller than;lower than;below;under",
}
ROUGHLY = (
    "about;approx;approx .;approximately;roughly;around;circa;ca;ca .;nearly;almost;some"
    ";a little over;a little under;a bit over;a bit under"
)
_VERBS = ("is", "are", "must be", "should be", "has to be", "needs to be")
_WORDS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(ROUGHLY.split(";"), ("ABOUT", "≈")),
    **{said: ("THAN", sign) for sign, listed in COMPARED.items() for said in listed.split(";")},
    **{"if": ("IF", "if"), "when": ("IF", "if"), "or": ("OR", "or"), "and": ("AND", "and")},
    **dict.fromkeys(("otherwise", "else"), ("CASE", "otherwise")),
    **{word: ("AS", word) for word in ("as", "at", "for", "for large", "with", "where")},
    **dict.fromkeys(("smallest integer", "largest integer", "no integer"), ("REMARK", "")),
}
_SIGNS = {
    **dict.fromkeys(("= >", "=>", "⇒", "⇔"), ("REL", "=>")),
    ";": ("CASE", ";"),
    **{"≈ =": ("REL", "≈"), "≃": ("REL", "≈"), "≡": ("REL", "="), "= ≈": ("REL", "≈")},
    **{f"{sign} ≈": ("REL", sign) for sign in COMPARED},
}
_FIRST = {phrase.split()[0] for phrase in (*_WORDS, *_VERBS, *_SIGNS)}
_GROWS = frozenset({"grows", "grow", "increases", "increase", "gets large", "becomes large"})
_MANY = frozenset({"faster", "slower", "more", "less", "larger", "smaller"})
_LETTERS = ("WORD", "RUN", "TEXT")


class Piece(NamedTuple):
    """A part of a claim with its tokens, those of the grammar made of signs and words."""

    text: str
    tokens: Sequence[Token]
    start: int
    end: int

    @property
    def said(self) -> str:
        """The part as it stands there."""
        return self.text[self.start : self.end].strip()

    def split(self, *kinds: str) -> tuple[list[Piece], list[Token]]:
        """The parts between tokens of these kinds, and those tokens."""
        items, found = split_at(self.tokens, frozenset(kinds))
        starts = [self.start, *(sign.end for sign in found)]
        ends = [*(sign.start for sign in found), self.end]
        pieces = (
            Piece(self.text, item, start, end)
            for item, start, end in zip(items, starts, ends, strict=True)
        )
        return list(pieces), found


def read_pieces(text: str, names: Collection[str] = ()) -> Piece:
    """The whole of a text, with the tokens of the grammar in it.

    >>> [t.kind for t in read_pieces("B is at least 3 if D > 4").tokens]
    ['WORD', 'REL', 'NUMBER', 'IF', 'WORD', 'REL', 'NUMBER']
    """
    plain = (
        check_text(text, "a claim").replace("$", " ").replace("&", " ")
    )  # signs of layout, or of a price
    tokens = scan(plain)
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        token, at = _next(tokens, at, made, names)
        made.append(token)
    return Piece(plain, made, 0, len(plain))


def _next(
    tokens: Sequence[Token], at: int, made: list[Token], names: Collection[str]
) -> tuple[Token, int]:
    """The longest phrase that starts here as one token, otherwise the token as it is."""
    words = [_word(token) for token in tokens[at : at + LONGEST]]
    if words[0].split(" ")[0].lower() not in _FIRST:
        return tokens[at], at + 1
    for count in range(len(words), 0, -1):
        said = " ".join(words[:count])
        end = at + count
        kind, value = _SIGNS.get(said) or _of_words(said, names) or ("", "")
        if kind in ("THAN", "ABOUT"):
            is_sign = _compares(kind, tokens, end, made, count)
            kind = "REL" if is_sign else ""
        if kind in ("IF", "OR", "AND", "AS", "REMARK") and not (made and end < len(tokens)):
            kind = ""
        if kind:
            start = tokens[at].start
            joined = _SIGNS.get(f"{made[-1].value} {value}") if made else None
            if joined and made[-1].kind == kind:  # = about, < ~
                value, start = joined[1], made.pop().start
            return Token(kind, value, start, tokens[end - 1].end), end
    return tokens[at], at + 1


def _word(token: Token) -> str:
    return token.value.replace("_", " ") if token.kind in _LETTERS else token.value


def _of_words(said: str, names: Collection[str]) -> tuple[str, str] | None:
    if any(word in names for word in said.split()):
        return None
    verb = next((each for each in _VERBS if said.startswith(f"{each} ")), None)
    bare = said if verb is None else said.removeprefix(f"{verb} ")
    found = _WORDS.get(bare) or _WORDS.get(bare.lower() if not verb else "")
    return found if verb is None or (found and found[0] == "THAN") else None


def _compares(kind: str, tokens: Sequence[Token], end: int, made: list[Token], count: int) -> bool:
    """Whether words stand where a sign may: "about" starts a side, "over" precedes a number."""
    if end == len(tokens):
        return False
    after = tokens[end]
    if kind == "ABOUT":
        return after.kind != "REL" and (not made or made[-1].kind == "REL")
    return count > 1 or after.kind not in _LETTERS or _WORDS.get(_word(after), ("",))[0] == "ABOUT"


def split_sides(text: str, names: Collection[str] = ()) -> tuple[list[str], list[str]]:
    """The texts between relation signs, and the signs.

    >>> split_sides("a = b ≈ c"), split_sides("at least 20 %")
    ((['a', 'b', 'c'], ['=', '≈']), (['', '20 %'], ['>=']))

    Raises:
        NotationError: a side is empty, or a sign states an assumption.
    """
    return sides_of(read_pieces(text, names))


def sides_of(piece: Piece) -> tuple[list[str], list[str]]:
    """The same of a piece; only the first side may be empty, before an inequality."""
    pieces, found = piece.split("REL")
    stated = [piece.text[sign.start : sign.end] for sign in found if sign.value in ("<<", ">>")]
    if stated:
        problem = f"{stated[0]} states an assumption, not a claim"
        raise NotationError(problem, repair="pass it as assume")
    parts = [each.said for each in pieces]
    parts[-1] = parts[-1].rstrip(".,;")
    values = ["≈" if sign.value == "->" else sign.value for sign in found]
    if values[:1] == ["≈"] and not parts[0]:  # \approx 295
        parts, values = parts[1:], values[1:]
    is_bound = len(parts) == 2 and values[0] in COMPARED  # at least 296
    if not all(parts[is_bound:]):
        raise NotationError("a side of the claim is empty", repair="write two sides").at(
            piece.text, 0
        )
    if len(parts) > MAX_SIDES:
        raise NotationError(f"a chain of {len(parts)} sides is too long")
    return parts, values


class Stated(NamedTuple):
    """A claim without what is stated behind it: an order of growth, or values."""

    claim: str
    assume: str = ""
    where: str = ""


def stated(text: str) -> Stated:
    """What is stated behind a claim, "as n grows", "at x = 22.3", "when B << D, F".

    >>> stated("2 as n grows").assume, stated("x^2 = 4 at x = 2").where
    ('n -> oo', 'x = 2')
    """
    try:
        pieces, words = read_pieces(text).split("AS", "IF", "CASE")
    except SymcostError:
        return Stated(text)  # what is wrong with it is said where it is read
    if len(pieces) != 2 or not pieces[0].said or not pieces[1].tokens:
        return Stated(text)
    (claim, last), (word,) = pieces, words
    name, *others = map(_word, last.tokens)
    if " ".join(others) in _GROWS or (not others and word.value == "for large"):
        return Stated(claim.said, f"{name} -> oo")
    found = {token.value for token in last.tokens if token.kind == "REL"}
    if found and found <= {"<<", ">>", "->"}:
        return Stated(claim.said, last.said)
    if found == {"="} and word.kind == "AS":
        return Stated(claim.said, "", last.said)
    return Stated(text)


def beside(text: str) -> tuple[str, str] | None:
    """A formula and the number in brackets behind it, ``19780/67 (295.2)``.

    >>> beside("19780/67 (295.2)"), beside("2*(3)")
    (('19780/67', '295.2'), None)
    """
    tokens = scan(text) if text.endswith(")") else []
    if [token.kind for token in tokens[-3:]] != ["LPAR", "NUMBER", "RPAR"] or len(tokens) < 4:
        return None
    front, number = text[: tokens[-3].start], text[tokens[-3].end : tokens[-1].start]
    return (front.rstrip(), number) if front[-1:].isspace() else None


def times(text: str) -> str | None:
    """The number of ``8x`` or ``8x faster``.

    >>> times("8x faster"), times("8*x")
    ('8', None)
    """
    tokens = scan(text) if len(text) < SHORT else []
    if len(tokens) not in (2, 3) or tokens[0].kind != "NUMBER":
        return None
    sign, *word = tokens[1:]
    is_times = sign.value == "x" or (sign.kind == "STAR" and "×" in text)
    return tokens[0].value if is_times and all(w.value in _MANY for w in word) else None
