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
from symcost.pages.brackets import holds_list
from symcost.pages.opaque import INDEX, INNER, opaque, plain_name, slug, sums_put_in
from symcost.pages.scan import BRACED

_GROUP = rf"\{{({BRACED})\}}"
_WORD = (
    r"\\(?:text|textrm|textbf|textit|textnormal|textsf|texttt|mathrm|mathbf|mathit|mathsf|mathtt"
    r"|operatorname|mbox|hbox|rm)\*?"
)
_NAME = rf"(?:\\[A-Za-z]+|[A-Za-z]){INDEX}"
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
    r"([\d.,]*\d(?:e\d+)?)\s*((?:[kKMGTPE]i?)?(?:B|[Bb]ytes?|bits?|FLOPs?|bps|s|ms|us)(?:/s)?)?"
    r"\s*(?:\([^()]*\))?"
)
_BEHIND = re.compile(r"[\d.}](?:\s|~|\\[,;:! ])*$")  # a number, whose unit may follow
_SCALES = {"K": 3, "M": 6, "B": 9, "T": 12, "th": 3, "mi": 6, "bi": 9, "tr": 12, "qu": 15}

_COUNTERS = "个張张卡层層块條条项項位次倍组組份步개배"
_OPERAND = rf"((?<![\w}}])\w+{INDEX}|\({INNER}\))"
_PLAIN_INDEX = re.compile(
    r"\s*(?:\w+|\\(?:text\w*|math\w+|operatorname)\s*\{[\w ]+\}|\\[A-Za-z]+)\s*"
)
_SAID = {"+": "plus", ":": "to", "<": "below", ">": "above", "/": "over", "*": "all"}

Replacement: TypeAlias = "str | Callable[[re.Match[str]], str]"


def _joined(match: re.Match[str]) -> str:
    r"""A name with a word above it, ``M_{\text{opt}}^{\text{Adam}}``, as one name."""
    plain = plain_name(match["name"])
    groups = match.groupdict()
    above = slug(groups.get("word") or groups.get("bare") or "")
    return rf"\mathrm{{{'_'.join([*plain.split('_'), above])}}}"


def _unwrapped(match: re.Match[str]) -> str:
    r"""``\mathsf{2n^2}`` is a formula in another type; ``\mathrm{hbm}`` is a word."""
    inner = match[1].replace("\\_", "_")
    return f" {inner} " if re.search(r"[\^\\+*=(){}]|^\s*\d", inner) else rf"\text{{{inner}}}"


def _subscript(match: re.Match[str]) -> str:
    """An index that is no plain word, ``_{i - 1}``, ``_{W_{in}}``, as one."""
    if _PLAIN_INDEX.fullmatch(match[1]):
        return match[0]
    words = re.sub(r"\\(?:text\w*|math\w+|operatorname)(?![A-Za-z])|[{}]", "", match[1])
    words = re.sub(r"-(?=\d|[A-Za-z]\b)", "_minus_", words)
    for sign, said in _SAID.items():
        words = words.replace(sign, f"_{said}_")
    return rf"_{{\text{{{slug(words)}}}}}"


def _dotted(match: re.Match[str]) -> str:
    """Points between factors, ``24.n.d^2``, in LaTeX."""
    if match[1] or not re.search(r"\\|_\{", match.string):
        return match[0]
    return rf"{match[2]} \cdot {match[3]} \cdot " if match[3] else r" \cdot "


def _scaled(match: re.Match[str]) -> str:
    rate = rf"\text{{values{match[3]}}}" if match[3] else ""
    return f"{match[1]} \\cdot 10^{{{_SCALES[match[2][:2]]}}} {rate}"


def _counted(match: re.Match[str]) -> str:
    """What is counted behind a number, ``8 buffers``, ``10 failures/day``, as plain values."""
    parts = [words.split()[0] for words in re.split(r"/|\bper\b", match[2]) if words.strip()]
    hours = parts[0].rsplit("-", 1)[-1]  # GPU-hours
    if len(parts) == 1 and is_measure(f"1 {hours}"):
        parts = [hours]
    known = [is_measure(f"1 {word}") or (word.isalpha() and not word.islower()) for word in parts]
    shown = (word if unit else "values" for word, unit in zip(parts, known, strict=True))
    return (
        match[0]
        if all(known) and "-" not in match[2]
        else rf"{match[1]}\text{{{'/'.join(shown)}}} "
    )


def _word(match: re.Match[str]) -> str:
    """Words of a formula: escaped underscores, names of units as the reader knows them."""
    words = match[1].replace("\\_", "_").replace("μ", "u").replace("µ", "u").strip()
    words = re.sub(rf"\s*/\s*{_CJK}+", "", re.sub(r"\$?\\mu\$?\s*", "u", words))
    for chinese, unit in _CHINESE.items():
        words = unit if words == chinese else words
    words = re.sub(r"(?<=[kKMGTPE])(?:[Ff]lops?|F(?=/s))", "FLOPs", words)
    found = _NUMBERED.fullmatch(words)
    if found is not None:
        return f"{found[1]} \\text{{{found[2]}}}" if found[2] else f"{found[1]} "
    if re.fullmatch(r"\([^()]*\)", words):
        return ""
    before = match.string[max(0, match.start() - 20) : match.start()]
    if re.search(r"[^\w ,-]", words):
        first = words.split()[0]
        if not _BEHIND.search(before):
            words = slug(words)
        elif is_measure(f"1 {first}") and re.search(r"[^\w ,()/-]", words):
            words = first  # "days at 100 % utilization"
    return rf"\text{{{words}}}"


# what is written, and what it becomes; the order matters
_WRITTEN: tuple[tuple[str, Replacement], ...] = (
    # layout that is no part of the formula
    (rf"\\(?:{_SIZES}){_END}|\\#", " "),
    (rf"\\(?:{_BLANKS})\*?\{{[^{{}}]*\}}|\\checkmark|\\qed{_END}", " "),
    (rf"\\(?:textcolor|colorbox)\s*\{{[^{{}}]*\}}\s*{_GROUP}", r"\1"),
    (rf"\\(?:underset|overset|stackrel)\s*{_GROUP}\s*{_GROUP}", r"\2"),
    (rf"\\(?:{_WRAPPERS})\s*{_GROUP}", r"\1"),
    (r"\\(?:mathbf|mathit|boldsymbol|mathcal|mathsf|mathrm)\s+(?=\w)", ""),
    (rf"\\(?:big|Big|bigg|Bigg)[lrm]?{_END}", " "),
    (rf"\{{({BRACED})\\over{_END}({BRACED})\}}", r"\\frac{{\1}}{{\2}}"),
    (rf"^\s*{_GROUP}\s*$", r"\1"),
    (
        r"(?:\\left\s*)?\\lfloor((?:(?!\\r?floor|\\r?ceil).)*?)(?:\\right\s*)?\\rceil",
        r"\\text{round}(\1)",
    ),
    (rf"^\s*{_WORD}\s*\{{[^{{}}]*\}}\s*:(?!=)", ""),
    (rf"(?:=\s*\??|\\approx{_END}|\\(?:R|r)ightarrow{_END}|⇒)(?:\s|\\[ ,;:!]|\\$)*$", ""),
    (r"(?<![\\_^A-Za-z])\{\s*\}", " "),
    (r"\{\s*([-+=]|\\times|\\cdot)\s*\}", r"\1 "),
    (r"\\\$\s*(?=[\d.])", ""),  # an amount of money
    # relations
    (rf"\\(?:approxeq|cong|thickapprox|doteq){_END}|≅|≒", r"\\approx "),
    (rf"\\(?:triangleq|coloneqq|equiv|eqdef){_END}|:=|\\colon\s*=|≜|≡", "="),
    (rf"\\(?:Long|long)?[Ll]eftrightarrow{_END}|⇔|⟺", r"\\iff "),
    (rf"\\(?:Longrightarrow|implies|therefore){_END}|⟹|∴", r"\\Rightarrow "),
    (rf"\\(?:long)?rightarrow{_END}", r"\\to "),
    (rf"\\lesssim{_END}", r"\\le "),
    (rf"^\s*(?:\\(?:iff|Rightarrow|to){_END}|[⇒⇔])", ""),
    (rf"\\(?:lvert|rvert|vert|mid){_END}|\\left\s*\||\\right\s*\|", "|"),
    # words
    (r"(?<![\\{\w])([A-Za-z]+(?:\\_[A-Za-z]+)+)", r"\\text{\1}"),
    (r"(?<=\w)\\_(?=\w)", "_"),
    (r"(?<![\\{\w])([A-Za-z]{2,}(?:~[A-Za-z]{2,})+)", lambda m: rf"\text{{{slug(m[1])}}}"),
    (rf"\\math(?:sf|rm|it|bf|tt)\s*{_GROUP}", lambda m: _unwrapped(m)),
    (rf"\\math(?:sf|rm|it|bf|tt)\s*{_GROUP}", lambda m: _unwrapped(m)),
    (rf"{_WORD}\s*\{{([^{{}}]*)\}}", _word),
    (
        rf"(?<=\d)\s*(?:(?:{_CJK})+\s*/\s*(?:{_CJK})+|[{_COUNTERS}](?!(?:{_CJK}){{4}})(?:{_CJK})*)",
        " ",
    ),
    (
        rf"(\\(?:text\w*|mathrm|operatorname)\*?\s*\{{[^{{}}]*\}})|((?:{_CJK})+)",
        lambda m: m[1] or rf"\mathrm{{{m[2]}}}",
    ),
    (rf"\\ell{_END}", r"\\mathrm{ell}"),
    (r"(\\text\s*\{[^{}]*\})|(\d)\.(\d+)\.(?=[A-Za-z\\])", _dotted),
    (r"(\\text\s*\{[^{}]*\})|(?<=[A-Za-z\d})])()\.()(?=[A-Za-z\\(])", _dotted),
    (r"(?<![\\A-Za-z])([A-Za-z])\s+(?=10\s*\^)", r"\1 \\cdot "),
    *[(rf"{_OPERAND}\s*\\b?mod{_END}\s*{_OPERAND}", r"(\1 - \2 \\lfloor \1/\2 \\rfloor)")] * 2,
    (rf"(?<!\\sum)(?<!prod)(?<!\\int)(?<!\\max)(?<!\\min)(?<!its)_\s*{_GROUP}", _subscript),
    (r"(?<=[A-Za-z}])\s*\((?:input|output|weights?|total|each|[a-z]+ed|bytes|FLOPs)\)", " "),
    # numbers
    (r"(\d)\s*\\text\s*\{\s*[eE]\s*([+-]?\d*)\s*\}\s*(?:\{([+-]?\d+)\}|([+-]?\d*))", r"\1e\2\3\4 "),
    (r"(\d)(?:\{,\}|\\,|,\\!)(?=\d{3}(?!\d))", r"\1,"),
    (r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d])", lambda m: m[0].replace(",", "")),
    (r"(\d)[_ ](?=\d{3}(?!\d))", r"\1"),
    (
        r"(?<![\w.^])(\d+(?:\.\d+)?)\s*(?:\\times|\\cdot|×|·|\*)\s*10\s*\^\s*"
        r"(?:\{\s*([+-]?\d{1,2})\s*\}|(\d)(?!\d))(?!\s*\^)",
        r"\1e\2\3 ",
    ),
    (
        rf"(\d)\s*(?:\\text\{{\s*)?([KMBT])\s*(?:\}}\s*\\text\{{\s*|\\text\{{)?\s*(?:{_COUNTED})(/\w+)?\s*\}}?",
        _scaled,
    ),
    (
        rf"(\d)\s*\\text\{{\s*(thousand|million|billion|trillion|quadrillion)\s*(?:{_COUNTED})?(/\w+)?\s*\}}",
        _scaled,
    ),
    (r"\\text\s*\{e\}\s*\^\s*\{?(3|6|9|12|15)\}?(?!\d)", r" \\cdot 10^{\1} "),
    (r"\\num\s*\{([^{}]*)\}", r"\1 "),
    # units
    (
        r"(?:\\text\s*\{\s*([A-Za-z]+)\s*\}\s*)?\\text\s*\{\s*(?:(\w+)\s+)?(\w+)\s*\}"
        r"\s*\^\s*\{\s*-\s*1\s*\}",
        lambda m: rf"\text{{{m[1] or m[2] or 'value'}/{m[3]}}}",
    ),
    (
        r"(?<=[\d.)}])((?:\s|~|\\[,;:! ])*)\\text\s*\{\s*([A-Za-z][A-Za-z /-]*)\}"
        r"(?=[\s.,;]*(?:$|[=≈<>+)]|\\approx|\\times))",
        _counted,
    ),
    (r"(?:\\mu|µ|μ)\s*(?:\\text\s*\{\s*s(?:ec)?\s*\}|s(?![A-Za-z_^]))", r"\\text{us}"),
    # names
    (rf"(?<!max)\|\s*({_NAME})\s*\|", lambda m: rf"\mathrm{{{slug(m[1])}_size}}"),
    (
        rf"(?P<name>\\text\s*\{{[^{{}}]*\}}{INDEX}|{_NAME})\s*\^\s*"
        r"(?:\{\s*\\text\s*\{(?P<word>[^{}]*)\}\s*\}|\\text\s*\{(?P<bare>[^{}]*)\})",
        _joined,
    ),
    (
        rf"(?P<name>(?!e\s*\^){_NAME})\s*\^\s*"
        r"\{\s*(?P<word>\([^(){}]{1,16}\)|[A-Za-z]{2,}[\w ,-]*|\d{3,})\}",
        _joined,
    ),
    (r"_\s*\{\s*\\(max|min|star|ast)\s*\}", r"_\\mathrm{\1}"),
    (rf"_\s*\\(max|min|star|ast){_END}", r"_\\mathrm{\1}"),
    (
        rf"(?<![A-Za-z_\\])({_NAME})\s*\^\s*"
        r"(?:\{\s*(?:\*|\\(?:star|ast|prime|dagger)|†)\s*\}|\*|†|\\(?:star|ast|prime|dagger)(?![A-Za-z]))",
        lambda m: rf"\mathrm{{{plain_name(m[1])}_star}}",
    ),
    (r"([A-Za-z])_\{?1/2\}", r"\\mathrm{\1_half}"),
    (rf"\\Delta\s*([A-Za-z]){_END}", r"\\mathrm{Delta_\1}"),
    (
        r"\\(hat|bar|tilde|overline|widetilde|widehat|dot|vec)\s*"
        r"(?:\{((?:[^{}]|\{[\w\\]*\})*)\}|(\\?[A-Za-z]))",
        lambda m: rf"\mathrm{{{slug(plain_name(m[2] or m[3] or ''))}_{m[1]}}}",
    ),
    (
        rf"(?P<name>(?:\\(?:text|mathrm)\{{\w+\}}|{_NAME}){INDEX})'",
        lambda m: rf"\mathrm{{{plain_name(m[1])}_prime}}",
    ),
    # "3 times"
    (r"(?:\\times|×)\s*(?=$|[=≈<>,;]|\\approx|\\quad)", " "),
    (r"(?<=\d)\s*[xX]\s*$", " "),
)
_FORMS = tuple((re.compile(pattern), replacement) for pattern, replacement in _WRITTEN)

_SIGNS = (
    "in|notin|propto|xrightarrow|Vert|subset|subseteq|mapsto|leftarrow|neq?|mathbb|nabla|partial|arg|argmax|argmin|top|gets"
    "|intercal|circ|odot|otimes|oplus|bigoplus|cup|cap|bigcup|forall|exists|wedge|vee|neg|langle|vdots"
    r"|begin\s*\{(?:array|[a-zA-Z]*matrix|tabular|tikz)|mathcal\s*\{?N|gtrless|sin|cos"
    r"|operatorname\*?\{(?:arg|softmax|Softmax|ReLU|Attention|diag)"
)
_LAYERS = (
    "softmax|Softmax|Attention|Attn|LayerNorm|RMSNorm|ReLU|GELU|GeLU|SiLU|FFN|Concat|concat"
    "|MultiHead|MLP|head|sigmoid|Swish|tanh|Var"
)
_DIFFERENTIAL = r"\{\\?(?:d|mathrm\{d\})\s*\\?[A-Za-z]"
_NO_AMOUNT = re.compile(
    r"\\frac\s*\{d([a-z])\}\s*\{\1\}|\[[^\[\]=]*:[^\[\]=]*\]|_\{\s*\d+\s*\\times\s*\d+\s*\}|\]\s*_|\w\[\w+\]\[|\\mathrel\s*\{"
    r"|(?:\\to|→)\s*\(?\s*[A-Za-z]\w*\s*\{?\s*(?:\\times|×)\s*\}?\s*[A-Za-z]\w*\s*\)?\s*$"
    r"|\\(?:cdot|max|min)\s*_(?!\{\\text)|\)\s*_\s*[\{\w]|_\s*\{[^{}]*,[^{}]*\}\s*(?:[\^\\=]|$)"
    r"|\\cdots\s*\||,\s*\\[lc]?dots(?![A-Za-z])"
    rf"|\\(?:{_SIGNS})(?![a-zA-Z])|[∈∝≠∂∇⟨]|\\\||\^\s*\{{?\s*\\?(?:top|T)\s*\}}?(?![A-Za-z])"
    rf"|\\frac\s*{_DIFFERENTIAL}*\}}\s*{_DIFFERENTIAL}+\}}"
    rf"|(?:\\(?:text|mathrm|textbf)\s*\{{\s*|(?<![\w\\]))(?:{_LAYERS})\w*\s*\}}?(?:_\{{?[^{{}}()]*\}}?)?"
    r"\s*(?:\\left)?\("
)
_ORDER = re.compile(
    r"(?<![A-Za-z\\])O\s*(?:\\left)?\(|\\(?:Theta|Omega|mathcal\s*\{?O\}?)\s*(?:\\left)?\("
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_ATTACHED = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s?((?:[kKMGTP]?(?:Hz|Bytes?)|[kKMGTP]i?B|[mun]s|[kKMGTP]?(?:FLOPs?|bps))(?:/s)?)(?![A-Za-z])"
)
_COUNT = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)(?:\s|\\[ ,;])?"
    r"(?:\s?\\text\{\s*(?P<word>[kKMBT])\s*\}|(?P<letter>[kKMBT])(?![A-Za-z_{^]))"
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
    return opaque(sums_put_in(text))


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
    return bool(_NO_AMOUNT.search(text)) or holds_list(text)


def states_order(text: str) -> bool:
    r"""Whether a formula says how fast something grows, ``O(n)``, which no number contradicts.

    >>> states_order(r"T = \\Theta(n^2)"), states_order("T = 2(n)")
    (True, False)
    """
    return bool(_ORDER.search(text))
