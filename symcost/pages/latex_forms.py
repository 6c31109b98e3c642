r"""What authors write in formulas, in the forms that the reader knows.

``7\text{e}9``, ``990,000``, ``|X|``, ``\approxeq``, ``M^{\text{Adam}}``, ``8\,\mu s`` and the like
become ``7e9``, ``990000``, a name, ``\approx``, a name, ``8 \text{us}``. What states no amount at
all (a shape, a matrix, a derivative) is told from what could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_WORD = (
    r"\\(?:text|textrm|textbf|textit|textnormal|textsf|mathrm|mathbf|mathit|mathsf|operatorname"
    r"|mbox|hbox|rm)\*?"
)
_INDEX = r"(?:_(?:\w|\{[^{}]*\}|\{\\\w+\{[^{}]*\}\}|\\\w+\{[^{}]*\}))?"
_NAME = rf"(?:\\[A-Za-z]+|[A-Za-z]){_INDEX}"
_END = r"(?![A-Za-z])"
_SIZES = (
    "tiny|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|displaystyle|textstyle"
    "|scriptstyle|limits|nolimits|nonumber|notag|strut|mathstrut|hfill|smallskip|medskip|bigskip"
    "|space|thinspace|medspace|thickspace|enspace|noindent|centering|boldmath|bf|it"
)
_BLANKS = "hspace|vspace|phantom|hphantom|vphantom|label|tag|color"
_WRAPPERS = (
    "boxed|cancel|bm|boldsymbol|mathop|mathbin|mathrel|ensuremath|mathnormal|mathcal|mathbb|mathscr"
)

Replacement: TypeAlias = "str | Callable[[re.Match[str]], str]"


def slug(words: str) -> str:
    """Words as one name: ``No. GPUs (all)`` is ``No_GPUs_all``."""
    return re.sub(r"[^\w]+", "_", words.replace("\\", "")).strip("_") or "x"


def _joined(match: re.Match[str]) -> str:
    r"""A name with a word above it, ``M_{\text{opt}}^{\text{Adam}}``, as one name."""
    plain = re.sub(r"\\(?:text\w*|math\w*|operatorname|rm)\b|[{}\\\s]", "", match["name"])
    return rf"\mathrm{{{'_'.join([*plain.split('_'), slug(match['word'])])}}}"


def _size(match: re.Match[str]) -> str:
    return rf"\mathrm{{{slug(match[1])}_size}}"


def _whole(match: re.Match[str]) -> str:
    return match[0].replace(",", "")


# what is written, and what it becomes; the order matters
_WRITTEN: tuple[tuple[str, Replacement], ...] = (
    # layout that is no part of the formula
    (rf"\\(?:{_SIZES}){_END}", " "),
    (rf"\\(?:{_BLANKS})\*?\{{[^{{}}]*\}}", " "),
    (rf"\\(?:textcolor|colorbox)\{{[^{{}}]*\}}{_GROUP}", r"\1"),
    (rf"\\(?:underset|overset|stackrel)\s*{_GROUP}\s*{_GROUP}", r"\2"),
    (rf"\\(?:{_WRAPPERS})\s*{_GROUP}", r"\1"),
    (r"\\(?:mathbf|mathit|boldsymbol|mathcal)\s+(?=[A-Za-z])", ""),
    (rf"\\(?:big|Big|bigg|Bigg)[lrm]?{_END}", " "),
    # relations
    (rf"\\(?:approxeq|cong|thickapprox|doteq){_END}|≅|≒", r"\\approx "),
    (rf"\\(?:triangleq|coloneqq|equiv|eqdef){_END}|:=|\\colon\s*=|≜|≡", "="),
    (rf"\\(?:Long|long)?[Ll]eftrightarrow{_END}|⇔|⟺", r"\\iff "),
    (rf"\\(?:Longrightarrow|implies|therefore){_END}|⟹|∴", r"\\Rightarrow "),
    (rf"\\(?:long)?rightarrow{_END}", r"\\to "),
    (rf"^\s*(?:\\(?:iff|Rightarrow|to){_END}|[⇒⇔])", ""),
    (rf"\\(?:lvert|rvert|vert|mid){_END}|\\left\s*\||\\right\s*\|", "|"),
    # numbers
    (
        r"(\d)\s*\\(?:text|mathrm)\s*\{\s*[eE]\s*([+-]?\d*)\s*\}\s*(?:\{([+-]?\d+)\}|([+-]?\d*))",
        r"\1e\2\3\4 ",
    ),
    (r"(\d)(?:\{,\}|\\,|,\\!)(?=\d{3}(?!\d))", r"\1,"),
    (r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d])", _whole),
    (r"(\d)[_ ](?=\d{3}(?!\d))", r"\1"),
    # units
    (rf"(?:\\mu|µ|μ)\s*(?:{_WORD}\s*\{{\s*s(?:ec)?\s*\}}|s(?![A-Za-z_^]))", r"\\text{us}"),
    (rf"{_WORD}\s*\{{\s*(?:\\mu|\$\\mu\$|µ|μ)\s*(\w*)\s*\}}", r"\\text{u\1}"),
    # names
    (rf"\|\s*({_NAME})\s*\|", _size),
    (
        rf"(?P<name>{_WORD}\s*\{{[^{{}}]*\}}{_INDEX}|{_NAME})"
        rf"\s*\^\s*\{{?\s*{_WORD}\s*\{{(?P<word>[^{{}}]*)\}}\s*\}}?",
        _joined,
    ),
    (rf"(?P<name>{_NAME})\s*\^\s*\{{\s*\((?P<word>\w{{1,12}})\)\s*\}}", _joined),
    (rf"_\s*\{{?\\(max|min|star|ast){_END}\}}?", r"_\\mathrm{\1}"),
    (
        r"\\?(?<![A-Za-z_])([A-Za-z]+)\s*\^\s*\{?(?:\*|\\star|\\ast|\\prime|†|\\dagger)\}?"
        r"(?![A-Za-z])",
        r"\\mathrm{\1_star}",
    ),
    (r"([A-Za-z])_\{?1/2\}", r"\\mathrm{\1_half}"),
    (rf"\\Delta\s*([A-Za-z]){_END}", r"\\mathrm{Delta_\1}"),
    (
        r"\\(hat|bar|tilde|overline|widetilde|widehat|dot|vec)\s*\{?([A-Za-z])\}?",
        r"\\mathrm{\2_\1}",
    ),
    (r"(?<![A-Za-z\\])([A-Za-z])'(?!')", r"\\mathrm{\1_prime}"),
    # "3 times"
    (r"(?:\\times|×)\s*(?=$|[=≈<>,;]|\\approx|\\quad)", " "),
    (r"(?<=\d)\s*[xX]\s*$", " "),
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
_SCIENTIFIC = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*[×x*·]\s*10\s*\^\s*[{(]?(-?\d+)[})]?")
_FORMS = tuple((re.compile(pattern), replacement) for pattern, replacement in _WRITTEN)

_SIGNS = (
    "in|notin|propto|subset|subseteq|mapsto|neq?|mathbb|nabla|partial|arg|argmax|argmin|top"
    "|intercal|odot|otimes|oplus|bigoplus|cup|cap|bigcup|forall|exists|wedge|vee|neg|langle|vdots"
    r"|begin\s*\{(?:array|[a-zA-Z]*matrix|tabular|tikz)|mathcal\s*\{?N"
    r"|operatorname\*?\{(?:arg|softmax|Softmax|ReLU|Attention|diag)"
)
_LAYERS = (
    "softmax|Softmax|Attention|Attn|LayerNorm|RMSNorm|ReLU|GELU|GeLU|SiLU|FFN|Concat|concat"
    "|MultiHead|MLP|head|sigmoid|Swish|tanh"
)
_DIFFERENTIAL = r"\{\\?(?:d|mathrm\{d\})\s*\\?[A-Za-z]"
_NO_AMOUNT = re.compile(
    rf"\\(?:{_SIGNS})(?![a-zA-Z])|[∈∝≠∂∇]|\\\||\^\s*\{{?\s*\\?(?:top|T)\s*\}}?(?![A-Za-z])"
    rf"|\\frac\s*{_DIFFERENTIAL}*\}}\s*{_DIFFERENTIAL}+\}}"
    rf"|\\(?:text|mathrm|textbf)\s*\{{\s*(?:{_LAYERS})\w*\s*\}}(?:_\{{?[^{{}}()]*\}}?)?"
    r"\s*(?:\\left)?\("
)
_ORDER = re.compile(
    r"(?<![A-Za-z\\])O\s*(?:\\left)?\(|\\(?:Theta|Omega|mathcal\s*\{?O\}?)\s*(?:\\left)?\("
)
_SUM = re.compile(
    r"\\sum(?:\\limits)?\s*_\s*\{\s*(?P<index>[A-Za-z])\s*=\s*(?P<first>[\w+-]+)\s*\}\s*\^\s*"
    r"(?:\{(?P<last>[^{}]*)\}|(?P<short>\w))"
)
_TERM_END = re.compile(
    r"\\(?:left|right|approx|leq?|geq?|text\{and)(?![A-Za-z])|[{}()\[\]]|[=≈<>+]|-"
)


def known_forms(text: str) -> str:
    r"""A formula of a page in the forms that the reader knows.

    >>> known_forms(r"7\text{e}9 \approxeq |X|"), known_forms(r"M^{\text{Adam}} = 990,000")
    ('7e9  \\approx  \\mathrm{X_size}', '\\mathrm{M_Adam} = 990000')
    """
    for pattern, replacement in _FORMS:
        text = pattern.sub(replacement, text)
    return _sums(text)


def plain_forms(text: str) -> str:
    """A formula in code quotes: ``4.2×10¹¹ ÷ 4.59×10¹⁴`` is ``4.2e11 / 4.59e14``.

    >>> plain_forms("4.2×10¹¹ ÷ 4.59×10^14 ≈ 1ms")
    '4.2e11 / 4.59e14 ≈ 1ms'
    """
    text = _RAISED.sub(lambda m: "^" + m[0].translate(_SUPERSCRIPTS), text)
    return _SCIENTIFIC.sub(r"\1e\2", text).replace("÷", "/")


def states_no_amount(text: str) -> bool:
    r"""Whether a formula is about shapes, matrices, derivatives or orders, not amounts.

    >>> [states_no_amount(t) for t in (r"X \in \mathbb{R}^n", "T = 2n")]
    [True, False]
    """
    return bool(_NO_AMOUNT.search(text))


def states_order(text: str) -> bool:
    r"""Whether a formula says how fast something grows, ``O(n)``, which no number contradicts.

    >>> states_order(r"T = \\Theta(n^2)"), states_order("T = 2(n)")
    (True, False)
    """
    return bool(_ORDER.search(text))


def _sums(text: str) -> str:
    r"""Sums of equal terms as products: ``\sum_{l=1}^{L} 12 D^2`` is ``(L) (12 D^2)``."""
    for _ in range(6):
        match = _SUM.search(text)
        if match is None:
            break
        last = match["last"] or match["short"]
        end = _term_end(text, match.end())
        term = text[match.end() : end]
        index = re.compile(
            rf"(?<![A-Za-z\\]){match['index']}(?![A-Za-z])|_\{{?{match['index']}\}}?"
        )
        if index.search(term):
            break
        count = f"({last})" if match["first"] == "1" else f"({last} - {match['first']} + 1)"
        text = f"{text[: match.start()]} {count} \\cdot ({term}) {text[end:]}"
    return text


def _term_end(text: str, at: int) -> int:
    """Where the term of a sum ends: at a sign of its own level, or the bracket around it."""
    depth = 0
    for match in _TERM_END.finditer(text, at):
        sign = match[0]
        if sign in "{([":
            depth += 1
        elif sign in "})]":
            depth -= 1
            if depth < 0:
                return match.start()
        elif (
            not depth
            and not sign.startswith((r"\left", r"\right"))
            and text[at : match.start()].strip()
        ):
            return match.start()
    return len(text)
