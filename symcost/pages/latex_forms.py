r"""What authors write in formulas, in the forms that the reader knows.

``7\text{e}9``, ``990,000``, ``|X|``, ``\approxeq``, ``M^{\text{Adam}}``, ``8\,\mu s`` and the like
become ``7e9``, ``990000``, a name, ``\approx``, a name, ``8 \text{us}``. What states no amount at
all (a shape, a matrix, a derivative) is told from what could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from symcost.notation.units import is_measure

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

_CJK = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_COUNTED = "parameters|params|parameter|param|tokens|token|weights|samples"
_CHINESE = {"秒": "s", "毫秒": "ms", "微秒": "us", "天": "days", "小时": "hours", "年": "years"}
_CHINESE |= {"字节": "bytes", "个": "values", "张": "values", "卡": "values", "倍": "values"}
_NUMBERED = re.compile(
    r"([\d.,]*\d)\s*((?:[kKMGTPE]i?)?(?:B|bytes?|FLOPs?|bps|s|ms|us)(?:/s)?)?\s*(?:\([^()]*\))?"
)
_BEHIND = re.compile(r"[\d.}](?:\s|~|\\[,;:! ])*$")  # a number, whose unit may follow
_SCALES = {"K": 3, "M": 6, "B": 9, "T": 12, "th": 3, "mi": 6, "bi": 9, "tr": 12, "qu": 15}

Replacement: TypeAlias = "str | Callable[[re.Match[str]], str]"


def slug(words: str) -> str:
    """Words as one name: ``No. GPUs (all)`` is ``No_GPUs_all``."""
    return re.sub(r"[^\w]+", "_", words.replace("\\", "")).strip("_") or "x"


def _joined(match: re.Match[str]) -> str:
    r"""A name with a word above it, ``M_{\text{opt}}^{\text{Adam}}``, as one name."""
    plain = re.sub(r"\\(?:text\w*|math\w*|operatorname|rm)\b|[{}\\\s]", "", match["name"])
    groups = match.groupdict()
    above = slug(groups.get("word") or groups.get("bare") or "")
    return rf"\mathrm{{{'_'.join([*plain.split('_'), above])}}}"


def _unwrapped(match: re.Match[str]) -> str:
    r"""``\mathsf{2n^2}`` is a formula in another type; ``\mathrm{hbm}`` is a word."""
    inner = match[1].replace("\\_", "_")
    return f" {inner} " if re.search(r"[\^\\+*=(){}]|^\s*\d", inner) else rf"\text{{{inner}}}"


def _subscript(match: re.Match[str]) -> str:
    return rf"_{{\text{{{slug(match[1])}}}}}"


def _size(match: re.Match[str]) -> str:
    return rf"\mathrm{{{slug(match[1])}_size}}"


def _whole(match: re.Match[str]) -> str:
    return match[0].replace(",", "")


def _scaled(match: re.Match[str]) -> str:
    return f"{match[1]} \\cdot 10^{{{_SCALES[match[2][:2]]}}} "


def _in_text(match: re.Match[str]) -> str:
    return match[1] or rf"\mathrm{{{match[2]}}}"


def _counted(match: re.Match[str]) -> str:
    """What is counted behind a number, ``8 buffers``, ``10 failures/day``, as plain values."""
    parts = [words.split()[0] for words in re.split(r"/|\bper\b", match[2]) if words.strip()]
    known = [is_measure(f"1 {word}") or not word.islower() for word in parts]
    shown = (word if unit else "values" for word, unit in zip(parts, known, strict=True))
    return match[0] if all(known) else rf"{match[1]}\text{{{'/'.join(shown)}}} "


def _word(match: re.Match[str]) -> str:
    """Words of a formula: escaped underscores, names of units as the reader knows them."""
    words = match[1].replace("\\_", "_").replace("μ", "u").replace("µ", "u").strip()
    words = re.sub(rf"\s*/\s*{_CJK}+", "", re.sub(r"\$?\\mu\$?\s*", "u", words))
    for chinese, unit in _CHINESE.items():
        words = unit if words == chinese else words
    words = re.sub(r"(?<=[kKMGTPE])[Ff]lops?", "FLOPs", words)
    found = _NUMBERED.fullmatch(words)
    if found is not None:
        return f"{found[1]} \\text{{{found[2]}}}" if found[2] else f"{found[1]} "
    if re.fullmatch(r"\([^()]*\)", words):
        return ""
    before = match.string[max(0, match.start() - 20) : match.start()]
    if re.search(r"[^\w ,-]", words) and not _BEHIND.search(before):
        words = slug(words)
    return rf"\text{{{words}}}"


# what is written, and what it becomes; the order matters
_WRITTEN: tuple[tuple[str, Replacement], ...] = (
    # layout that is no part of the formula
    (rf"\\(?:{_SIZES}){_END}", " "),
    (rf"\\(?:{_BLANKS})\*?\{{[^{{}}]*\}}|\\checkmark|\\qed{_END}", " "),
    (rf"\\(?:textcolor|colorbox)\s*\{{[^{{}}]*\}}\s*{_GROUP}", r"\1"),
    (rf"\\(?:underset|overset|stackrel)\s*{_GROUP}\s*{_GROUP}", r"\2"),
    (rf"\\(?:{_WRAPPERS})\s*{_GROUP}", r"\1"),
    (r"\\(?:mathbf|mathit|boldsymbol|mathcal|mathsf|mathrm)\s+(?=\w)", ""),
    (rf"\\(?:big|Big|bigg|Bigg)[lrm]?{_END}", " "),
    (rf"^\s*{_GROUP}\s*$", r"\1"),
    (rf"^\s*{_WORD}\s*\{{[^{{}}]*\}}\s*:(?!=)", ""),
    (rf"(?:=|\\approx{_END}|\\(?:R|r)ightarrow{_END}|⇒)\s*$", ""),
    # relations
    (rf"\\(?:approxeq|cong|thickapprox|doteq){_END}|≅|≒", r"\\approx "),
    (rf"\\(?:triangleq|coloneqq|equiv|eqdef){_END}|:=|\\colon\s*=|≜|≡", "="),
    (rf"\\(?:Long|long)?[Ll]eftrightarrow{_END}|⇔|⟺", r"\\iff "),
    (rf"\\(?:Longrightarrow|implies|therefore){_END}|⟹|∴", r"\\Rightarrow "),
    (rf"\\(?:long)?rightarrow{_END}", r"\\to "),
    (rf"^\s*(?:\\(?:iff|Rightarrow|to){_END}|[⇒⇔])", ""),
    (rf"\\(?:lvert|rvert|vert|mid){_END}|\\left\s*\||\\right\s*\|", "|"),
    # words
    (r"(?<![\\{\w])([A-Za-z]+(?:\\_[A-Za-z]+)+)", r"\\text{\1}"),
    (r"(?<![\\{\w])([A-Za-z]{2,}(?:~[A-Za-z]{2,})+)", lambda m: rf"\text{{{slug(m[1])}}}"),
    (rf"\\math(?:sf|rm|it|bf|tt)\s*{_GROUP}", lambda m: _unwrapped(m)),
    (rf"\\math(?:sf|rm|it|bf|tt)\s*{_GROUP}", lambda m: _unwrapped(m)),
    (rf"{_WORD}\s*\{{([^{{}}]*)\}}", _word),
    (rf"(\\(?:text\w*|mathrm|operatorname)\*?\s*\{{[^{{}}]*\}})|((?:{_CJK})+)", _in_text),
    (r"_\s*\{\s*([A-Za-z][A-Za-z0-9]*(?:(?:\\_|-|\s)\w+)+)\s*\}", _subscript),
    (r"(?<=[A-Za-z}])\s*\((?:input|output|weights?|total|each|[a-z]+ed|bytes|FLOPs)\)", " "),
    # numbers
    (
        r"(\d)\s*\\text\s*\{\s*[eE]\s*([+-]?\d*)\s*\}\s*(?:\{([+-]?\d+)\}|([+-]?\d*))",
        r"\1e\2\3\4 ",
    ),
    (r"(\d)(?:\{,\}|\\,|,\\!)(?=\d{3}(?!\d))", r"\1,"),
    (r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d])", _whole),
    (r"(\d)[_ ](?=\d{3}(?!\d))", r"\1"),
    (
        r"(?<![\w.^])(\d+(?:\.\d+)?)\s*(?:\\times|\\cdot|×|·|\*)\s*10\s*\^\s*"
        r"(?:\{\s*([+-]?\d{1,2})\s*\}|(\d)(?!\d))(?!\s*\^)",
        r"\1e\2\3 ",
    ),
    (
        rf"(\d)\s*(?:\\text\{{\s*)?([KMBT])\s*(?:\}}\s*\\text\{{\s*|\\text\{{)?\s*(?:{_COUNTED})\s*\}}?",
        _scaled,
    ),
    (
        rf"(\d)\s*\\text\{{\s*(thousand|million|billion|trillion|quadrillion)\s*(?:{_COUNTED})?\s*\}}",
        _scaled,
    ),
    (r"\\num\s*\{([^{}]*)\}", r"\1 "),
    # units
    (
        r"(?:\\text\s*\{\s*([A-Za-z]+)\s*\}\s*)?\\text\s*\{\s*(?:(\w+)\s+)?(\w+)\s*\}"
        r"\s*\^\s*\{\s*-\s*1\s*\}",
        lambda m: rf"\text{{{m[1] or m[2] or 'value'}/{m[3]}}}",
    ),
    (
        r"(?<=[\d.)}])((?:\s|~|\\[,;:! ])*)\\text\s*\{\s*([A-Za-z][A-Za-z /]*)\}"
        r"(?=[\s.,;]*(?:$|[=≈<>+]|\\approx|\\times))",
        _counted,
    ),
    (r"(?:\\mu|µ|μ)\s*(?:\\text\s*\{\s*s(?:ec)?\s*\}|s(?![A-Za-z_^]))", r"\\text{us}"),
    # names
    (rf"\|\s*({_NAME})\s*\|", _size),
    (
        rf"(?P<name>\\text\s*\{{[^{{}}]*\}}{_INDEX}|{_NAME})\s*\^\s*"
        r"(?:\{\s*\\text\s*\{(?P<word>[^{}]*)\}\s*\}|\\text\s*\{(?P<bare>[^{}]*)\})",
        _joined,
    ),
    (
        rf"(?P<name>(?!e\s*\^){_NAME})\s*\^\s*"
        r"\{\s*(?P<word>\(\w{1,12}\)|[A-Za-z]{2,}[\w ,-]*)\}",
        _joined,
    ),
    (r"_\s*\{\s*\\(max|min|star|ast)\s*\}", r"_\\mathrm{\1}"),
    (rf"_\s*\\(max|min|star|ast){_END}", r"_\\mathrm{\1}"),
    (
        r"\\?(?<![A-Za-z_])([A-Za-z]+)\s*\^\s*(?:\{\s*(?:\*|\\star|\\ast|\\prime|†|\\dagger)\s*\}"
        r"|\*|\\star(?![A-Za-z])|\\ast(?![A-Za-z])|\\prime(?![A-Za-z])|†|\\dagger(?![A-Za-z]))",
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
_FORMS = tuple((re.compile(pattern), replacement) for pattern, replacement in _WRITTEN)

_SIGNS = (
    "in|notin|propto|subset|subseteq|mapsto|neq?|mathbb|nabla|partial|arg|argmax|argmin|top|gets"
    "|intercal|odot|otimes|oplus|bigoplus|cup|cap|bigcup|forall|exists|wedge|vee|neg|langle|vdots"
    r"|begin\s*\{(?:array|[a-zA-Z]*matrix|tabular|tikz)|mathcal\s*\{?N|gtrless|sin|cos"
    r"|operatorname\*?\{(?:arg|softmax|Softmax|ReLU|Attention|diag)"
)
_LAYERS = (
    "softmax|Softmax|Attention|Attn|LayerNorm|RMSNorm|ReLU|GELU|GeLU|SiLU|FFN|Concat|concat"
    "|MultiHead|MLP|head|sigmoid|Swish|tanh|Var"
)
_DIFFERENTIAL = r"\{\\?(?:d|mathrm\{d\})\s*\\?[A-Za-z]"
_NO_AMOUNT = re.compile(
    r"\\(?:cdot|max|min)\s*_(?!\{\\text)|\)\s*_\s*[\{\w]|_\s*\{[^{}]*,[^{}]*\}\s*(?:[\^\\=]|$)"
    r"|(?<![a-z\\])[A-Za-z]\}?(?:_\w|_\{[^{}]*\})?\s*\[[^\[\]]*[,|][^\[\]]*\]|\\cdots\s*\|"
    rf"|\\(?:{_SIGNS})(?![a-zA-Z])|[∈∝≠∂∇]|\\\||\^\s*\{{?\s*\\?(?:top|T)\s*\}}?(?![A-Za-z])"
    rf"|\\frac\s*{_DIFFERENTIAL}*\}}\s*{_DIFFERENTIAL}+\}}"
    rf"|(?:\\(?:text|mathrm|textbf)\s*\{{\s*|(?<![\w\\]))(?:{_LAYERS})\w*\s*\}}?(?:_\{{?[^{{}}()]*\}}?)?"
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
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_ATTACHED = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s?((?:[kKMGTP]i?B|[mun]s|[kKMGTP]?(?:FLOPs?|bps))(?:/s)?)(?![A-Za-z])"
)
_COUNT = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s?(?:\\text\{\s*(?P<word>[kKMBT])\s*\}|(?P<letter>[kKMBT])(?![A-Za-z_{^]))"
)
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
_SCIENTIFIC = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*[×x*·]\s*10\s*\^\s*[{(]?(-?\d+)[})]?")


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


def as_amounts(text: str, kilo: int = 1000) -> str:
    r"""A formula with units right behind numbers as units, and with counts such as ``37B``.

    >>> as_amounts("6 * 37B * 14.8T = 16ms"), as_amounts("128K/128", 1024)
    ('6 * 37e9 * 14.8e12 = 16\\text{ms}', '128*1024/128')
    """
    text = _ATTACHED.sub(r"\1\\text{\2}", text)
    symbols = set(re.sub(r"\\text\{[^{}]*\}|\\[A-Za-z]+", " ", _COUNT.sub(" ", text)))
    count = {"k": f"*{kilo}", "K": f"*{kilo}", "M": "e6", "B": "e9", "T": "e12"}
    if kilo == 1000:
        count |= {"k": "e3", "K": "e3"}

    def scaled(match: re.Match[str]) -> str:
        letter = match["word"] or match["letter"]
        return match[0] if match["letter"] in symbols else match[1] + count[letter]

    return _COUNT.sub(scaled, text)


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
