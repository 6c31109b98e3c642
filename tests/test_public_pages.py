"""One small page for each kind of thing that public pages have, and what is right to say."""

from __future__ import annotations

import time

import pytest

from symcost.pages import check_document

# name, what a careful reader says (0 follows, 1 wrong, 3 cannot be decided), the page
PAGES = [
    (
        "numbers-inserted",
        {0},
        r"""
Ring of 8 devices, latency 1 us, 100 MB at 50 GB/s.

$$T = 2(P-1)a + \frac{2(P-1)}{P} \cdot \frac{n}{W}$$

$$T = 14 \times 10^{-6} + \frac{14}{8} \times \frac{10^8}{5 \times 10^{10}} = 3.51 \text{ ms}$$
""",
    ),
    (
        "cjk-name",
        {0},
        r"""
$$\text{访存时间} = \frac{2DF}{W}$$

$$\text{总时间} = \text{访存时间} + \frac{2BDF}{C} = \frac{2DF}{W} + \frac{2BDF}{C}$$
""",
    ),
    (
        "continuation-display",
        {0},
        r"""
The bytes of the cache:

$$M = 2 \times 32 \times 4096 \times 2$$

$$= 524288 \text{ bytes}$$
""",
    ),
    (
        "text-superscript",
        {0},
        r"""
$$M_{\text{opt}} = M_1 + M_2$$

$$M_{\text{opt}}^{\text{Adam}} = 8N$$

$$M_{\text{opt}}^{\text{SGD}} = 4N$$
""",
    ),
    (
        "text-e-exponent",
        {0},
        r"""
$$T = \frac{2 \cdot 7\text{e}9}{2\text{e}12} = 7\text{ms}$$
""",
    ),
    (
        "escaped-brackets",
        {0},
        r"""
A product Out\[B, D<sub>Y</sub>\] = In\[B, F\] $\cdot$ W\[F, D<sub>Y</sub>\] takes

$$F_1 = 2BDF$$
""",
    ),
    (
        "bars-size",
        {0},
        r"""
$$T = \frac{2V}{|X| W}$$

$$T_{all} = |X| \cdot T = \frac{2V}{W}$$
""",
    ),
    (
        "thousands-comma",
        {0},
        r"""
$$I = \frac{990,000}{3,300} = 300$$
""",
    ),
    (
        "big-o",
        {0},
        r"""
With $b = 3n$:

$$b = O(n)$$

$$\Theta(N d b) = \Theta(N d n)$$
""",
    ),
    (
        "same-name-list",
        {0},
        r"""
1. The projections take
   $$\text{FLOPs} = 6TD^2$$
2. The scores take
   $$\text{FLOPs} = 2T^2D$$
3. Together
   $$\text{FLOPs} = 6TD^2 + 2T^2D$$
""",
    ),
    (
        "equation-to-solve",
        {0},
        r"""
When are the two equal? When

$$24TD^2 = 12T^2D$$

so that

$$T = 2D$$
""",
    ),
    (
        "words-against-number",
        {0, 3},
        r"""
The accelerator does `2e14` FLOPs/s.

$$T = \frac{2BDF}{\text{Accelerator FLOPs/s}} = \frac{BDF}{10^{14}}$$
""",
    ),
    (
        "unit-letter-in-text",
        {0},
        r"""
The page has a batch $B = 4$.

$$n = 2 \times 10^{-6} \times 5 \times 10^{10} = 10^5 \text{ B} = 100 \text{ KB}$$
""",
    ),
    (
        "unicode-micro",
        {0},
        r"""
- $a = 2$ μs

$$510 a = 510 \times 2 \times 10^{-6} = 1.02 \text{ ms}$$
""",
    ),
    (
        "side-by-side",
        {0},
        r"""
$$\begin{align*} T_1 = \frac{2BD}{W} && T_2 = \frac{2DF}{V} && T_3 = \frac{2BDF}{C} \end{align*}$$
""",
    ),
    (
        "two-cases",
        {0},
        r"""
With overlap

$$T = \max(T_1, T_2)$$

instead of

$$T = T_1 + T_2$$
""",
    ),
    (
        "trailing-times",
        {0},
        r"""
$$S = \frac{120 \text{ ms}}{40 \text{ ms}} = 3\times$$
""",
    ),
    (
        "approx-near-one",
        {0},
        r"""
For $P = 64$, $N = 7 \times 10^9$:

$$
V = 2 \times \frac{P-1}{P} \times N \times 2
\approx 2 \times 7 \times 10^9 \times 2 = 2.8 \times 10^{10}
$$
""",
    ),
    (
        "one-digit",
        {0},
        r"""
$$4 \cdot 64 \cdot 8192 = 2,097,152 \text{ bytes} \approx 0.002 \text{ GB}$$
""",
    ),
    (
        "prose-assumption",
        {0},
        r"""
$$\begin{equation} B > \frac{2 \times 10^{14}}{8 \times 10^{11}} = 250 \end{equation}$$

In most of our runs we have $$B < 1024$$ anyway.
""",
    ),
    (
        "product-name",
        {0},
        r"""
Let $N = XYZ$ and $X = \sqrt{N/8}$.

$$T = 2B(\frac{D}{X} + \frac{8D}{YZ}) = \frac{\sqrt{128}BD}{\sqrt{N}}$$
""",
    ),
    (
        "function-of-n",
        {0},
        r"""
$$P(n) = \frac{W(n)}{T(n)} \qquad I(n) = \frac{W(n)}{Q(n)}$$

$$\frac{Q}{T} = \frac{W/T}{W/Q} = \frac{P}{I}$$
""",
    ),
    (
        "unit-behind-symbols",
        {0},
        r"""
$$M = Z \times 10^9 \times 2 ~ \text{Bytes} = 2 \times Z ~ \text{GBytes}$$
""",
    ),
    (
        "approxeq-tiny",
        {0},
        r"""
$$\tiny \frac{2BDF}{2BD + 2DF + 2BF} \approxeq \frac{2BDF}{2DF} = B$$
""",
    ),
    (
        "punctuation-in-text",
        {0},
        r"""
$$\text{Total}_{\text{all}} = \text{Model Memory}
  + \frac{\text{Optimizer Memory}}{(\text{No. GPUs})}$$
""",
    ),
    (
        "array-table",
        {3},
        r"""
$$\begin{array}{cc} \text{Op} & \text{FLOPs} \\ \hline AB & 2NPM \\ Ax & 2NP \end{array}$$
""",
    ),
    (
        "dollars-in-prose",
        {0},
        r"""
Such a cluster costs $$$ a month, and 2-3x more = late. Others cost $$ only.

$$T = F/C$$
""",
    ),
    (
        "shortcode-display",
        {1},
        r"""
The cache has

{% katex(block=true) %} M = 4 \cdot 32 \cdot 4096 = 530000 {% end %}

bytes.
""",
    ),
    (
        "derivative-slow",
        {0, 3},
        r"""
$$\frac{df}{dx} = \exp(g(x)) \cdot \frac{dg}{dx}$$
""",
    ),
    (
        "power-slow",
        {1},
        r"""
$$K = 48000 \frac{8192}{C}$$

$$Y = A^K$$

$$Y = 2 A^K$$
""",
    ),
    (
        "macro",
        {0},
        r"""
\newcommand{\AI}{\mathrm{AI}}
\begin{equation} \AI = \frac{2BDF}{2DF} \end{equation}
\begin{equation} \AI = B \end{equation}
""",
    ),
    (
        "sum-over-index",
        {0},
        r"""
$$M = \sum_{l=1}^{L} 12 D^2 = 12 L D^2$$
""",
    ),
    (
        "real-mistake-lost-factor",
        {1},
        r"""
For $n = 80$ layers:

$$t = 2 \cdot 4 \cdot n \cdot 8\mu\text{s} = 4 \cdot 80 \cdot 8\mu\text{s} = 2560\mu\text{s}$$
""",
    ),
    (
        "real-mistake-prefix",
        {1},
        r"""
$$52\text{e}12 \cdot 2 = 104\text{e}12 \text{ bytes} \approx 104\text{ GB}$$
""",
    ),
    (
        "code-span-formula",
        {1},
        r"""
The weights take `2 * 70e9 = 140 GB` and the time is `140e9 / 3.35e12 = 52 ms`.
""",
    ),
    (
        "kb-binary",
        {0},
        r"""
$$V = 8 \times 4 \times 2048 = 65536 \text{ bytes} = 64 \text{ KB}$$
""",
    ),
    (
        "us-unit",
        {0},
        r"""
A sequence of length $s$ on $u$ devices, with $n = 80$:

$$t = 4 \cdot n \cdot 8\text{us} = 4 \cdot 80 \cdot 8\text{us} = 2560\text{us} \approx 3\text{ms}$$
""",
    ),
    (
        "names-nothing-defines",
        {0, 3},
        r"""
$$C \approx \tau T = 6PD$$
""",
    ),
]


@pytest.mark.parametrize(("name", "codes", "page"), PAGES, ids=[each[0] for each in PAGES])
def test_a_page_of_each_kind(name, codes, page):
    started = time.process_time()
    report = check_document(page)
    assert report.exit_code in codes, repr(report)
    assert time.process_time() - started < 10


def page(name: str) -> str:
    return next(text for known, _, text in PAGES if known == name)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("continuation-display", "524288", "524287"),
        ("equation-to-solve", "T = 2D", "T = 3D"),
        ("text-superscript", "M_1 + M_2$$", "M_1 + M_2 = 2M_1 + M_2$$"),
        ("text-e-exponent", "= 7", "= 8"),
        ("bars-size", r"\frac{2V}{W}", r"\frac{3V}{W}"),
        ("thousands-comma", "= 300", "= 310"),
        ("unit-letter-in-text", "= 100", "= 110"),
        ("unicode-micro", "1.02", "1.12"),
        ("side-by-side", "{C} ", "{C} = 2BDF "),
        ("trailing-times", "= 3", "= 4"),
        ("approx-near-one", r"\approx 2 \times 7", r"\approx 2 \times 8"),
        ("one-digit", "0.002", "0.003"),
        ("product-name", "128", "32"),
        ("function-of-n", "{P}{I}", "{I}{P}"),
        ("unit-behind-symbols", r"= 2 \times Z", r"= 4 \times Z"),
        ("approxeq-tiny", "= B", "= 2B"),
        ("dollars-in-prose", "F/C", "F/C = 2F/C"),
        ("macro", "= B", "= 2B"),
        ("sum-over-index", "= 12 L D^2", "= 6 L D^2"),
        ("code-span-formula", "140 GB", "160 GB"),
        ("kb-binary", "= 64", "= 60"),
        ("us-unit", "2560", "2660"),
        ("cjk-name", r"\frac{2DF}{W} + \frac{2BDF}{C}", r"\frac{2DF}{W} + \frac{4BDF}{C}"),
        ("numbers-inserted", "3.51", "4.51"),
    ],
)
def test_a_mistake_on_such_a_page_is_found(name, old, new):
    wrong = new.join(page(name).rsplit(old, 1))
    assert wrong != page(name)
    assert check_document(wrong).exit_code == 1, repr(check_document(wrong))


def test_what_is_found_is_what_is_there():
    assert len(check_document(page("escaped-brackets")).formulas) == 1
    assert len(check_document(page("dollars-in-prose")).formulas) == 1
    assert len(check_document(page("side-by-side")).formulas) == 3
    assert "KiB" in repr(check_document(page("kb-binary")))
    assert "41.79" in repr(check_document(page("code-span-formula")))
    assert "nothing was checked" in repr(check_document(page("array-table")))
    report = check_document(page("real-mistake-lost-factor"))
    assert str(report.gaps[0].links[0].ratio) == "1/2"
    report = check_document(page("numbers-inserted"))
    assert "the arithmetic holds; the insertion could not be checked" in repr(report)
