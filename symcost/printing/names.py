"""Names of symbols in type: ``W_hbm`` as plain text, LaTeX and MathML, by one table of its own."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from html import escape

# LaTeX knows no command for the capitals that look like Latin ones, nor for omicron.
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
_VARIANTS = {
    "ϵ": "epsilon",
    "ϑ": "theta",
    "ϖ": "pi",
    "ϱ": "rho",
    "ς": "sigma",
    "ϕ": "phi",
    "µ": "mu",
}
_GREEK_WORDS = {**{letter: word for word, letter in _GREEK.items()}, **_VARIANTS}
_ACCENTS = {"tilde": "~", "hat": "^", "bar": "¯"}  # after a single letter: Dtilde
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "•": r"$\cdot$", "→": r"$\to$", "≪": r"$\ll$", "≫": r"$\gg$", "≈": r"$\approx$",
    "×": r"$\times$", "∞": r"$\infty$", "≤": r"$\leq$", "≥": r"$\geq$", "·": r"$\cdot$",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
_ACCENTED = re.compile(rf"([A-Za-z])({'|'.join(_ACCENTS)})\Z")
_NUMBERED = re.compile(r"([^\W\d_]+)(\d+)\Z")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a name is made of: its letter or word, an accent, and its subscripts."""

    base: str
    accent: str = ""
    subscripts: tuple[str, ...] = ()

    @property
    def is_letter(self) -> bool:
        """Whether it is set as one italic letter, so that ``2 B D`` reads as a product."""
        return len(self.base) == 1 or self.base in _GREEK


@lru_cache(maxsize=4096)
def parts(name: str) -> Parts:
    """Take a name apart.

    >>> parts("W_hbm").subscripts, parts("gpu0").subscripts, parts("Dtilde").accent
    (('hbm',), ('0',), 'tilde')
    """
    base, *subscripts = name.split("_")
    subscripts = [subscript for subscript in subscripts if subscript]
    numbered = _NUMBERED.match(base)
    if numbered:
        base = numbered[1]
        subscripts.insert(0, numbered[2])
    accented = _ACCENTED.match(base)
    if accented:
        return Parts(accented[1], accented[2], tuple(subscripts))
    return Parts(base, "", tuple(subscripts))


@lru_cache(maxsize=4096)
def name_latex(name: str) -> str:
    r"""A symbol's name as LaTeX.

    >>> print(name_latex("W_hbm"), name_latex("d_model"), name_latex("beta"), name_latex("HBM"))
    W_{\text{hbm}} d_{\text{model}} \beta \mathrm{HBM}
    >>> print(name_latex("W1"), name_latex("M_X"), name_latex("Dtilde"))
    W_{1} M_{X} \tilde{D}
    """
    split = parts(name)
    base = _letter_latex(split.base) or _word_latex(split.base)
    shown = rf"\{split.accent}{{{base}}}" if split.accent else base
    subscript = ",".join(_subscript_latex(each) for each in split.subscripts)
    return f"{shown}_{{{subscript}}}" if subscript else shown


@lru_cache(maxsize=4096)
def name_mathml(name: str) -> str:
    """A symbol's name as MathML.

    >>> name_mathml("T_math")
    '<msub><mi>T</mi><mtext>math</mtext></msub>'
    """
    split = parts(name)
    shown = f"<mi>{escape(_GREEK.get(split.base, split.base))}</mi>"
    if split.accent:
        shown = f'<mover accent="true">{shown}<mo>{_ACCENTS[split.accent]}</mo></mover>'
    if not split.subscripts:
        return shown
    inner = "<mo>,</mo>".join(_subscript_mathml(each) for each in split.subscripts)
    subscript = inner if len(split.subscripts) == 1 else f"<mrow>{inner}</mrow>"
    return f"<msub>{shown}{subscript}</msub>"


def label_latex(label: str) -> str:
    r"""The left side of an equation: a symbol's name, or words.

    >>> print(label_latex("T_math"), label_latex("bytes over hbm"))
    T_{\text{math}} \text{bytes over hbm}
    """
    if re.fullmatch(r"[^\W\d_](_\w+)?", label):
        return name_latex(label)
    return rf"\text{{{latex_escape(label)}}}"


def label_mathml(label: str) -> str:
    """The left side of an equation: a symbol's name, or words.

    >>> label_mathml("bytes over hbm")
    '<mtext>bytes over hbm</mtext>'
    """
    if re.fullmatch(r"[^\W\d_](_\w+)?", label):
        return name_mathml(label)
    return f"<mtext>{escape(label)}</mtext>"


def latex_escape(text: str) -> str:
    r"""Plain text made safe inside ``\text{...}``, whatever characters it holds.

    >>> print(latex_escape("100% of W_1, --at"))
    100\% of W\_1, -{}-at
    """
    return "".join(map(_escaped, text)).replace("--", "-{}-")  # which would be set as a dash


def _escaped(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _GREEK_WORDS:
        return rf"$\{_GREEK_WORDS[character]}$"
    if " " <= character <= "~":
        return character
    if character.isspace():  # an empty line would end the paragraph, and with it the formula
        return " "
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if not plain and is_wide(character):
        return character
    return plain or f"U+{ord(character):04X}"  # pdflatex has no glyph for most of Unicode


def is_wide(character: str) -> bool:
    """Whether it is a letter of East Asia, for which LaTeX needs a package and a font.

    >>> is_wide("字"), is_wide("ж")
    (True, False)
    """
    return character.isalpha() and unicodedata.east_asian_width(character) == "W"


def _letter_latex(base: str) -> str:
    word = _GREEK_WORDS.get(base, base)
    if word in _GREEK:
        return f"\\{word}"
    return base if len(base) == 1 and base.isascii() else ""


def _word_latex(word: str) -> str:
    return rf"\mathrm{{{word}}}" if word.isascii() else rf"\text{{{latex_escape(word)}}}"


def _subscript_latex(subscript: str) -> str:
    if subscript.isascii() and subscript.isdigit():
        return subscript
    return _letter_latex(subscript) or rf"\text{{{latex_escape(subscript)}}}"


def _subscript_mathml(subscript: str) -> str:
    if subscript.isdigit():
        return f"<mn>{subscript}</mn>"
    letter = _GREEK.get(subscript, subscript)
    return f"<mi>{letter}</mi>" if len(letter) == 1 else f"<mtext>{escape(letter)}</mtext>"
