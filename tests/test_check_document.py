"""Whole pages: formulas are found with their lines, followed in order, and linted."""

from __future__ import annotations

import pytest

from symcost.errors import SymcostError
from symcost.pages import check_document
from symcost.pages.document import MAX_EXPLAINED
from symcost.pages.passages import passages
from symcost.pages.sources import read_source

PAGE = r"""# A roofline

The chip does $C = 9.89e14$ FLOP/s.

$$C = 9.89e14$$
$$W = 3.35 \times 10^{12}$$

\begin{align}
I &= \frac{2BDF}{2BD + 2DF + 2BF} \label{eq:intensity} \\
  &= \frac{BDF}{BD + DF + BF} \\
  &\approx B
\end{align}

With $B \ll D, F$ this is compute-bound when
$$\frac{BDF}{BD + DF + BF} > \frac{C}{W} \Rightarrow B > 295$$

```python
x = "$$ C = 3 $$"
```

\[ T = \frac{10^{12}}{C} = 1.01\,\text{ms} \]
"""


def test_displayed_formulas_are_found_with_their_lines():
    found = passages(read_source(PAGE))
    displays = [each for each in found if each.kind == "display"]
    assert [each.line for each in displays] == [5, 6, 9, 15, 21]
    assert displays[2].text.count("=") == 2
    inline = [each.text for each in found if each.kind == "inline"]
    assert inline == ["C = 9.89e14", r"B \ll D, F"]


def test_a_page_that_follows():
    report = check_document(PAGE)
    assert report.holds
    assert report.exit_code == 0
    assert [link.verdict for link in report.links] == [
        "exact",
        "exact",
        "limit",
        "limit",
        "rounded",
    ]
    assert report.lints == ()


@pytest.mark.parametrize(
    ("right", "wrong", "line", "kind"),
    [
        (r"1.01\,\text{ms}", r"1.01\,\text{us}", 21, "unit-prefix"),
        ("B > 295", "B < 295", 15, "flipped-inequality"),
        ("B > 295", "B > 590", 15, "sparse-for-dense-peak"),
        (r"\approx B", r"\approx 2B", 9, "factor-2"),
        (r"\frac{BDF}{BD + DF + BF} \\", r"\frac{BDF}{BD + DF} \\", 9, "missing-term"),
    ],
)
def test_the_first_gap_is_marked_with_its_line(right, wrong, line, kind):
    report = check_document(PAGE.replace(right, wrong))
    assert report.first_gap.line == line
    assert kind in [each.kind for each in report.first_gap.diagnosis]
    assert report.exit_code == 1
    assert f"line {line}: does not follow" in repr(report)


def test_a_name_that_is_set_again_must_agree():
    report = check_document("$$T = 2BDF/C$$\n\n$$T = BDF/C$$")
    assert report.first_gap.line == 3


def test_one_constant_with_two_values():
    report = check_document("$$W = 8.1e11$$\n$$W = 8.2e11$$")
    assert [each.kind for each in report.lints] == ["two-values"]
    near = check_document("$$1.97e14/8.1e11 = 243$$\n$$1.97e14/8.2e11 = 240$$")
    assert near.holds
    assert [(each.kind, each.lines) for each in near.lints] == [("two-values", (1, 2))]
    assert check_document("$$C = 9.89e14$$\nand $C = 9.9e14$").lints == ()


def test_one_letter_for_two_things():
    page = "With `N` heads.\n\nLater $N$ is the number of parameters."
    assert [(each.kind, each.lines) for each in check_document(page).lints] == [
        ("two-meanings", (1, 3))
    ]


def test_a_rule_without_its_assumption():
    page = r"$$I = \frac{BDF}{BD + DF + BF} \approx B$$"
    assert [each.kind for each in check_document(page).lints] == ["no-assumption"]
    assert check_document(page + "\nfor $B \\ll D, F$").lints == ()


@pytest.mark.parametrize(
    ("link", "code"),
    [
        (r"\frac{2BDF}{2DF} = B", 0),
        (r"\frac{2BDF}{2DF} = 2B", 1),
        (r"\frac{4SKGH}{4SKH} = 3 G", 1),
        (r"2BDF/(2DF) = 3B", 1),
        (r"\text{FLOPs/s} = 3", 0),
    ],
)
def test_what_cancels_to_one_symbol_is_no_name(link, code):
    assert check_document(f"$$ {link} $$").exit_code == code


@pytest.mark.parametrize(
    "stated",
    [
        "# The intensity under B << D, F",
        r"# The intensity under $B \ll D, F$",
        "Where $B$ is much smaller than $D$ and $F$:",
        "# For D, F ≫ B",
        "Take `B << D, F`.",
    ],
)
def test_a_limit_that_the_page_states(stated):
    report = check_document(f"{stated}\n\n" + r"$$I = \frac{BDF}{BD + DF + BF} \approx B$$")
    (limit,) = report.links
    assert (limit.verdict, report.lints) == ("limit", ())
    assert "nobody stated" not in repr(report)
    assert limit.assume in ("B << D, F", "D, F >> B")


@pytest.mark.parametrize(
    ("page", "code"),
    [
        ("$B \\ll F$: $$ 2BD + 2DF = 2DF $$", 0),
        ("B << F, so $$ 2BD + 2DF = 2DF $$", 0),
        ("$$ 2BD + 2DF = 2DF $$ Later $B \\ll F$.", 1),
        ("# One\n$B \\ll F$\n# Another\n$$ 2BD + 2DF = 2DF $$", 1),
        ("$B \\ll F$: $$ 2BD + 2DF = 2BD $$", 1),
        ("$B \\ll F$, $F \\ll B$: $$ 2BD + 2DF = 2DF $$", 1),
    ],
)
def test_a_stated_order_counts_in_its_section_from_there_on(page, code):
    assert check_document(page).exit_code == code


def test_many_wrong_equations_are_all_compared_whatever_the_machine():
    page = "\n\n".join(f"$$ x_{{{n}}} y + {n} z = 3 x_{{{n}}} y + {n} z $$" for n in range(1, 300))
    report = check_document(page)
    assert (report.count("compared"), len(report.gaps)) == (299, 299)
    assert sum(bool(gap.diagnosis) for gap in report.gaps) == MAX_EXPLAINED


def test_what_a_page_may_take_is_bounded(monkeypatch):
    monkeypatch.setattr("symcost.pages.document.MAX_FORMULAS", 3)
    monkeypatch.setattr("symcost.pages.compare.LINK_WORK", 300_000)
    report = check_document("$$ a = 1 $$ $$ 2 + 2 = 4 $$ $$ 3 + 3 = 7 $$ $$ c = 3 $$ $$ d < 4 $$")
    states = ["defined", "undecided", "undecided", "undecided", "undecided"]
    assert [each.state for each in report.formulas] == states
    assert repr(report).count("took all the work that a page is given") == 2


def test_a_formula_that_takes_too_much_work_is_undecided(monkeypatch):
    monkeypatch.setattr("symcost.pages.document.WORK", 3)
    report = check_document("$$ 3a + 5b = 3a + b $$ $$ a = 1 $$")
    assert [each.state for each in report.formulas] == ["undecided", "defined"]
    assert "more work than one formula is given" in repr(report)


def test_what_cannot_be_read_is_listed():
    report = check_document("$$\\int_0^1 f(x) dx$$\n$$a = 1$$")
    assert [each.line for each in report.skipped] == [1]
    assert len(report.links) == 1
    assert report.exit_code == 0  # it states no relation


@pytest.mark.parametrize("formula", [r"\sum_i b_i = a", r"n! = n \cdot 2", r"T = \oint x"])
def test_a_relation_that_cannot_be_read_is_undecided(formula):
    report = check_document(f"$$a = 1$$\n$$ {formula} $$")
    assert (report.exit_code, report.holds, report.first_gap.line) == (3, False, 2)
    assert "line 2: not read: " in repr(report)
    assert report.to_dict()["skipped"][0]["reason"]


@pytest.mark.parametrize("formula", [r"X \in \mathbb{R}^n", r"T \propto N^2"])
def test_what_states_no_amount_does_not_count(formula):
    assert check_document(f"$$ {formula} $$").exit_code == 3  # nothing was checked
    assert check_document(f"$$ a = 1 $$ $$ {formula} $$").exit_code == 0


def test_a_file(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    assert check_document(path).holds


@pytest.mark.parametrize("page", ["", "no formula", "$$", "$$$$", "\\begin{align}", "$$ = $$"])
def test_pages_without_formulas(page):
    assert check_document(page).links == ()


def test_a_page_that_is_too_long():
    with pytest.raises(SymcostError, match="too long"):
        check_document("$$a$$" * 300_000)
    assert check_document("$$" * 20_000).exit_code == 3


@pytest.mark.parametrize(
    ("page", "code"),
    [
        # a word in brackets behind a symbol says which one is meant
        (r"$$ 2(BD(input) + DD(weight) + BD(output)) = 2(2BD + D^2) $$", 0),
        (r"$$ 2(BD(input) + DD(weight) + BD(output)) = 2(3BD + D^2) $$", 1),
        # a condition in a box, and what two names add up to
        (r"$$ a(F + G) = T \qquad\hbox{with $F + G = 1$} $$ $$ F + pG = p - (p - 1)F $$", 0),
        (r"$$ a(F + G) = T \qquad\hbox{with $F + G = 1$} $$ $$ F + pG = p - (p + 1)F $$", 1),
        # a list of formulas in a column
        (r"$$\begin{array}{l} a=2,\quad b=3\\ c=a+b\\ c=5 \end{array}$$", 0),
        (r"$$\begin{array}{l} a=2,\quad b=3\\ c=a+b\\ c=6 \end{array}$$", 1),
        # what stands in \text is a unit, a count, or words
        (r"$$ 2 \cdot 4 \text{ bytes/cycle} \times 10^9 \text{ cycle/s} = 8 \text{ GB/s} $$", 0),
        (r"$$ 54 \text{ days} \times 10 \text{ failures/day} = 540 \text{ failures} $$", 0),
        (r"$$ \left\lceil\frac{1000}{128}\right\rceil = 7 \text{ buffers} $$", 1),
        (r"$$ Activations~per~layer = 2a $$ $$ a = 3 $$ $$ Activations~per~layer = 7 $$", 1),
        # "this is" leads on; what is put in is looked up, exponents are no numbers put in
        ("$$ I = BDF/(BD + DF + BF) $$\nUnder $B \\ll D, F$ this is\n$$ I \\approx B $$", 0),
        ("$$ I = BDF/(BD + DF + BF) $$\nUnder $B \\ll D, F$ this is\n$$ I \\approx 2B $$", 1),
        ("Let $F = 4D$.\n$$ P = 2DF = 8D^2 $$", 0),
        ("Let $F = 4D$.\n$$ P = 2DF = 4D^2 $$", 1),
        # a display that begins with a sign may go on from words
        ("$$ n + (n - 1) ≈ 2n $$\nThe product takes\n$$ ≈ (2n) m p = 2mnp $$", 0),
        ("$$ n + (n - 1) ≈ 2n $$\nThe product takes\n$$ ≈ (2n) m p = 3mnp $$", 1),
        ("$$ T = (8 - 1 + 64)(10 + 20) $$ $$ = 71 \\times 30 \\text{ ms} $$", 0),
        ("$$ T = (8 - 1 + 64)(10 + 20) $$ $$ = 61 \\times 30 \\text{ ms} $$", 1),
        (r"$$ T = \frac{2.19 \times 10^6}{3600 \times 24} = 25.4 \text{ days} $$", 0),
        (r"$$ T = \frac{2.19 \times 10^6}{3600 \times 24} = 26.4 \text{ days} $$", 1),
        # ≈ leaves out terms of smaller order, no others
        (r"$$ \frac{n^2}{(n - 1)^2} \approx 1 + 2/n $$", 0),
        (r"$$ \frac{n^2}{(n - 1)^2} \approx 1 + 3/n $$", 1),
        (r"$$ P/(1 + 4c/w) \approx P(1 - 4c/w) $$", 0),
        (r"$$ a(1 + \epsilon_1)(1 + \epsilon_2) \approx a(1 + \epsilon_1 + \epsilon_2) $$", 0),
        (r"$$ a(1 + \epsilon_1)(1 + \epsilon_2) \approx a(1 + \epsilon_1 - \epsilon_2) $$", 1),
        # names of several letters in code quotes; a part of a sentence in quotes is no formula
        ("`KY = KX = 3`, `KY * KX = 3 * 3`", 0),
        ("`KY = KX = 3`, `KY * KX = 10`", 1),
        ("The factor `a = 2` is exactly `= 1.0` here.", 0),
        # what authors write: points as products, mod, indices, counts in Chinese, nested braces
        (r"$$ 2.4.d_{model}^2 + 2.4.d_{model}^2 = 16.d_{model}^2 $$", 0),
        (r"$$ 2.4.d_{model}^2 + 2.4.d_{model}^2 = 18.d_{model}^2 $$", 1),
        (r"$$ 58 层 \times 256 专家/层 = 14848 个 $$", 0),
        (r"$$ 58 层 \times 256 专家/层 = 14948 个 $$", 1),
        (r"$$ a = 50 \bmod 16 = 2 $$", 0),
        (r"$$ a = 50 \bmod 16 = 3 $$", 1),
        (r"$$ T_{i+1} = 2 T_{W_{in}}' + \ell_x $$ $$ 2T_{i+1} = 4 T_{W_{in}}' + 2\ell_x $$", 0),
        (r"$$ T_{i+1} = 2 T_{W_{in}}' + \ell_x $$ So $$ T_{i+1} = 4 T_{W_{in}}' + \ell_x $$", 1),
        (r"$$ s = \underbrace{\frac{B_{\text{AFD}}}{B_{\text{v}_{1}}}}_{\text{batch}} $$", 0),
        (r"$$ T = 2 Z 10^9 + \frac{\text{256 (AVX width)}}{\text{32 bit (a float)}} $$", 0),
        # sums and functions that are not worked out are the same where they are written alike
        (r"$$ T = \sum_i t_i + n $$ $$ 2T = 2\sum_i t_i + 2n $$", 0),
        (r"$$ T = 2 \text{cost}(n, p) $$ $$ 2T = 4 \text{cost}(n, p) $$", 0),
        (r"$$ T = 2 \text{cost}(n, p) $$ $$ 2T = 3 \text{cost}(n, q) $$", 3),
        (r"$$ l = \sum_i t_i $$ $$ P = a/l $$ $$ P = 2a/l $$", 3),
        (r"$$ s = \max|x|/127 $$ $$ x_q = \lfloor x/s \rceil $$ $$ m = (1{-}b) g $$", 0),
        (
            r"$$ q = \mathrm{clip}\!\left(\mathrm{round}\!\left(\frac{x}{s}\right),"
            r"\,-127,\,127\right) $$",
            0,
        ),
        # the number that a formula gives here goes on, not that of another chip
        (
            "$\\pi = 1.97e14$, $\\beta = 8.1e11$, $I_c = \\pi/\\beta = 243$.\n# H100\n"
            r"$$ I_c = \frac{\pi}{\beta} = \frac{10^{15}}{3.35 \times 10^{12}} = 298 $$"
            r"$$ B > I_c \implies B > 298 $$",
            0,
        ),
        # "when" asks for an equation, not for the rest of a chain
        (r"When $B$ is small: $$ I \approx \frac{2BDF}{DF} = 2B $$", 0),
        (r"When $B$ is small: $$ I \approx \frac{2BDF}{DF} = 3B $$", 1),
        # no amounts: shapes, slices, differentials
        (r"$$ T = 2 $$ $$ (M{\times}N)(N{\times}K) \to M{\times}K $$", 0),
        (r"$$ T = 2 $$ $$ \mathrm{n} \mathrel{+}= 1 $$", 0),
        (r"$$ T = 2 $$ $$ X \to (B, S, H) $$ $$ y = x[H:2H] $$ $$ \frac{dy}{y} = a dx $$", 0),
        # an index above, and an amount of money
        ("$$ y_t = W s_t + b $$ $$ y_t^n = W s_t^n + b $$", 0),
        ("At $R = \\$4.00$/hr:\n$$ C = R T = 4T $$", 0),
        # words in a display that stands in a line of text; the number sign before what is counted
        (r"Memory: $$ \text{Memory per batch} = 2 B $$and $$ 2a + b = 3a + b $$", 1),
        (r"$$ M = a + \frac{b}{\#\text{GPUs}} $$ $$ 2M = 2a + \frac{b}{\#\text{GPUs}} $$", 1),
        # letters that only stand side by side are one name, as are words of the text
        (
            r"QKV: $$ AI = \frac{2BD^2}{4BD} = \frac{D}{2} $$ MLP: $$ AI = \frac{2BF}{4B} = F/2 $$",
            0,
        ),
        ("With TP = 8:\n$$ V_T = \\frac{16 B}{TP} $$ $$ = \\frac{16 B}{8} $$", 0),
        ("The BD is low, $B$, $D$.\n$$ T = 2BD $$ $$ 2T = 4 D B $$", 0),
        # a matrix in the text sets no size; a size with an index may be that of another case
        (r"First $S = QK^T$. $$ A = 4 S D $$ $$ A = 4 D Q K^2 $$", 3),
        (r"$$ A = 4 S D $$ When decoding, $S_i$ come in. $$ A + B = 4 S_i D + B $$", 3),
        (r"$$ A = 4 S D $$ $$ 2A = 8 F D $$", 1),
        # lists are no amounts, the values of functions are; equations behind commas
        (r"$$ T = 2 $$ $$ y = \Bigl[u_1,\dots,u_h\Bigr] W $$ $$ K = \{a, b\} $$", 0),
        (r"$$ T = \max(2, 3) = 3 $$ $$ q = \frac{990,000}{3} = 330{,}000 $$", 0),
        (r"$$ a = 2,b = 3a $$ $$ b = 7 $$", 1),
        # words that do not lead on turn to another case
        (r"$$ e = \frac{B}{B + b} $$ When $B > b$: $$ e \approx 1 - \frac{b}{2B} $$", 0),
        ("Hits (TP, FP).\n$$ F_1 = 2P $$ $$ P = TP/(TP + FP) $$ $$ 2P = 2TP/(TP + FP) $$", 0),
        (r"Recall, the share: $$ TPR = Recall = \frac{TP}{TP + FN} $$", 0),
        (
            r"$$ {chunkSize \over transferSize} = {Z \over L} $$ $$ {2 n \over 4} = {n \over 3} $$",
            1,
        ),
        # a display in a block quote; units and counts as authors name them
        ("> $$\n> a = \\frac{16\\,896 \\text{ GF/s}}{2}\n> = 8448 \\text{ GF/s}\n> $$", 0),
        ("> $$\n> a = \\frac{16\\,896 \\text{ GF/s}}{2}\n> = 8444 \\text{ GF/s}\n> $$", 1),
        (r"$$ 0.45 \times 989e12 \times 3600 = 1.60 \times 10^{18} \text{ FLOPs/GPU-hour} $$", 0),
        (r"$$ \frac{\$55{,}000}{\$4} = 13{,}750 \text{ GPU-hours} $$", 0),
        (r"$$ \frac{1.36 \times 10^6}{2} = 0.68\text{M tokens/s} $$", 0),
        (r"$$ W = (16 - 50 \bmod 16) \bmod 16 = 14 $$", 0),
        (r"$$ W = (16 - 50 \bmod 16) \bmod 16 = 15 $$", 1),
        # a name that was a sum and is a number now; accents over Greek letters
        (r"$$ P = \sum_i p_i $$ Here: $$ P = 8 \times 4 \times 8 = 256 $$", 0),
        (r"$$ P = \sum_i p_i $$ Here: $$ P = 8 \times 4 \times 8 = 266 $$", 1),
        (r"$$ \bar{\alpha}_2 = 0.9999 \times 0.9998 = 0.9997 $$ $$ M_{opt}^{no\_Z} = 3 $$", 0),
        (r"$$ I_x^* = 2 $$ $$ I_x^* + 1 = 4 $$", 1),
        (r"$$ \hat{} = 2 $$ $$ 2 + 2 = 4 $$", 0),
        # ranges of an index and what arrows name are no amounts
        (r"$$ h = 1, \dots, H $$ $$ X \xrightarrow{\text{fill}} K $$ $$ 2 + 2 = 5 $$", 1),
        # what an amount of money is counted per; all of an earlier case; a name that the text sets
        (
            r"$$ T = \frac{\$5 \times 10^6}{\$0.0009} = 5.56 \times 10^9 \text{ million tokens} $$",
            3,
        ),
        ("$$ a = 2 b $$ $$ c = 3 b $$\n# New\n$$ a = 4 b $$ $$ c = 5 b $$ $$ a c = 6 b^2 $$", 0),
        ("$$ a = 2 b $$ $$ c = 3 b $$\n# New\n$$ a = 4 b $$ $$ c = 5 b $$ $$ a c = 7 b^2 $$", 1),
        ("Often $F = 4D$.\n$$ P = 2DF $$ $$ 2P = 4DF = 16 D^2 $$", 0),
        # a B in \text is a byte, also where no B is a symbol
        (r"$$ n = 100 \times 10^{3} \text{ B} = 100 \text{ KB} $$", 0),
        (r"$$ n = 100 \times 10^{3} \text{ B} = 100 \text{ MB} $$", 1),
    ],
)
def test_kinds_of_pages_that_nobody_had_seen(page, code):
    assert check_document(page).exit_code == code, repr(check_document(page))


V5E = "With $C = 1.97e14$ and $W = 8.2e11$:\n"


@pytest.mark.parametrize(
    "page",
    [
        V5E + r"$$ \frac{C}{W} = 240 $$",
        V5E + r"$$ \frac{C}{W} = 240 \text{ FLOPs/byte} $$",
        "With $W = 3.35$ TB/s and $M = 140$\nGB: $$ M/W = 41.8 \\text{ ms} $$",
        "The model has $M = 70$B parameters. $$ 2M = 140 \\text{ GB} $$",
        "| $W$ | bandwidth | 3.35 TB/s |\n\n$$ 140e9/W = 41.8 \\text{ ms} $$",
        "With $W$ = 3.35 TB/s, $$ 140e9/W = 41.8 \\text{ ms} $$",
        "Let $F_v = 2BshV$. Here $B$, $s$, $h$, $V$ are sizes. $$ 3 F_v = 6BshV $$",
        "For $F = 4D$: $$ 8BD^2 = 2BDF $$",
        "We take $B = 16, D = F = 4096$. $$ 2BDF = 5.37 \\times 10^8 $$",
        "$$ T = 2 B $$\n\nwhere $B = 4$.\n\n$$ T = 8 $$",
        "$$ T = F/C = 1.01 \\text{ ms} $$\n\nwhere $F = 10^{12}$ and $C = 989$ TFLOP/s.",
        r"$$ T = \frac{M}{W} = 41.8\text{ ms} \quad \text{for } M = 140e9,\ W = 3.35e12 $$",
        "$$ T = 2 B $$ $$ B = 4 $$ $$ T = 8 $$",
        "$$ S = 4 h $$ $$ h = 3 $$ $$ S = 12 $$",
        "The length $s$. $$ M = 10 \\text{ GB} $$ $$ M/(5e9) = 2 \\text{ s} $$",
        "$$B = 4$$ $$T = 2B$$ $$T = 8$$ $$B = 16$$ $$T = 32$$",
        "# Data\n$$ T = 2a $$\n# Tensor\n$$ T = 3a $$ $$ 2T = 6a $$",
        "# bf16\n$$ B > 240 $$\n# int8\n$$ B > 120 $$",
        r"$$ a = 2 b, \quad c = 3 b $$ $$ a + c = 5 b $$",
        r"$$ a = b \implies 2a = 2b $$",
        r"$$ a > b \Rightarrow 2a > 2b $$",
        r"\begin{multline} 4a = a + a \\ + a + a \end{multline}",
        r"\begin{align} T &= F/C && \text{time} \\ F &= 2BD && \text{FLOPs} \end{align}"
        " $$ T = 2BD/C $$",
        "$$ T(n) = 2n + 1 $$",
        r"$$ \Delta t = t_1 - t_0 $$ $$ 2 \Delta t = 2 t_1 - 2 t_0 $$",
        r"$$ \hat{T} = T/2 $$ $$ a' = a + 1 $$ $$ 2a' = 2a + 2 $$",
        r"$$ \boxed{T = \underbrace{2BD}_{\text{read}} + 2DF} $$ $$ T = 2D(B + F) $$",
        "use `$$ 1 = 2 $$` for a display\n\n$$ 1 = 1 $$",
        "About 50% of $C = 10^{14}$. $$ C/2 = 5 \\times 10^{13} $$",
        r"$$ I = \frac{\text{FLOPs}}{\text{bytes moved/s}} = \frac{2BD}{B + D} $$",
        V5E + r"$$ B > \frac{C}{W} = 240 $$",
        r"$$ c = \frac{10}{3} = 3.33 $$ $$ 300 c = 999 $$",
        "$W \\approx 3 \\times 10^{12}$. $$ 140e9/W = 46.7 \\text{ ms} $$",
        r"$$ T = 3.2 + 1.1 = 4.3 \text{ ms} $$ $$ 140/3.35 = 41.8 \text{ ms} $$",
        "$$ C/W = 240 $$ on a chip with $C = 1.97e14$ and $W = 8.2e11$.",
        "$C = 312e12$, $W = 2e12$: $$ C/W = 156 $$ on this chip; with $C = 989e12$ it is more.",
        r"$$ M = 2P = 140\text{ GB}, \quad P = 70 \times 10^9 $$",
        "If $X = 1$ nothing is sent. $$ T = (X-1)V/(XW) $$ For $X = 4$, $V = 1$ GB, $W = 100$ GB/s:"
        " $$ T = 7.5 \\text{ ms} $$",
        "For $B = 16$: $$ BDF/(BD + DF) > C/W $$ $C = 9.89e14$, $W = 3.35e12$, $B \\ll F$."
        " $$ B > 295 $$",
    ],
)
def test_right_pages(page):
    report = check_document(page)
    assert report.exit_code == 0, repr(report)
    assert report.holds


@pytest.mark.parametrize(
    ("page", "line"),
    [
        (V5E + r"$$ \frac{C}{W} = 340 $$", 2),
        (V5E + r"$$ B > \frac{C}{W} = 340 $$", 2),
        ("Let $F_v = 2 B s h V$.\n$$ 3 F_v = 8 B s h V $$", 2),
        ("For $F = 4D$:\n$$ 8BD^2 = 4BDF $$", 2),
        ("$$ T = F/C = 1.01 \\text{ us} $$\nwhere $F = 10^{12}$ and $C = 989$ TFLOP/s.", 1),
        (r"$$ a = 2 b, \quad 2 b = 3 b $$", 1),
        ("$$B = 4$$\n$$T = 2B$$\n$$B = 16$$\n$$T = 8$$", 4),
        ("$$ F > 2 n C/W $$\n$C = 989e12$, $W = 450e9$\n$$ F > 2198 n $$", 3),
        # a wrong term is not hidden in the rounding of a sum at the sizes of the page
        ("$h = 12288$, $s = 64$:\n$$ 24h^2 + 4sh = 24h^2 (1 + s/(12h)) $$", 2),
        ("$$ 3 > 4 $$", 1),
        (r"$$ 140e9/3.35e12 = 0.0418 \text{ ms} $$", 1),
        ("$$ 4BNTH = 4BKTH $$", 1),
    ],
)
def test_wrong_pages(page, line):
    report = check_document(page)
    assert report.exit_code == 1, repr(report)
    assert report.first_gap.line == line


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (r"$$ \frac{C}{W} = 240 $$", "C, W have no values"),
        (r"$$ T = F/C $$ $$ T = 1.01 \text{ ms} $$", "C, F have no values"),
        ("$$ T = F/C = 2BDE/C $$", "it would hold for 2*B*D*E = F, which the page does not say"),
        ("$$ F > 4396 n $$ $$ F > 4396 $$", "n has no value"),
        (r"$$ \max(a, b) \ge a + b $$", "no sizes were found at which it holds"),
        ("$$ T(n) = 2n $$ $$ T(8) = 17 $$", "is a function on this page"),
        (
            r"$$ \frac{2BHS^2d}{2(BHS^2 + 2BSD)} \approx \frac{d}{1 + 2d/S} $$",
            "it would hold for D = H*d, which the page does not say",
        ),
        (
            r"$$ \frac{BDF}{BD + DF + BF} = \frac{F}{5 + F/B} $$",
            "it would hold for F = 4*D, which the page does not say",
        ),
        ("$W \\approx 3e12$. $$ 140e9/W = 41.8 \\text{ ms} $$", "W is given with ≈ only"),
    ],
)
def test_what_a_page_does_not_say_is_undecided(page, says):
    report = check_document(page)
    assert report.exit_code == 3, repr(report)
    assert says in repr(report)


def test_each_diagnosis_is_printed_once_and_later_lines_have_theirs():
    page = "$$ T = 2BD = 4BD $$\n$$ 3a + 5b = 3a $$\n$$ 1e9/1e12 = 1 \\text{ us} $$"
    text = repr(check_document(page))
    assert text.count("1. ") == 1
    assert "line 2: does not follow: 3a + 5b = 3a\n  follows: 3*a + 5*b\n" in text
    assert "  why: missing-term: " in text
    assert "  why: unit-prefix: " in text


def test_the_row_of_a_long_formula_is_named():
    page = "$$\\begin{aligned} T &= 2a + 2b \\\\\n &= 2(a + b) \\\\\n &= 2a + b \\end{aligned}$$"
    assert "the link that does not follow (line 3): " in repr(check_document(page))


def test_an_assumption_that_is_given():
    page = "$$ 2BD + 2DF = 2DF $$"
    assert check_document(page).exit_code == 1
    assert check_document(page, assume="B << F").exit_code == 0


@pytest.mark.parametrize(
    "page",
    [
        "$W = 3.35$ TB/s\n\n$W = 3350$ GB/s",
        "$S = 4$ KiB\n\n$S = 4096$ bytes",
        r"$W = 3.35 \times 10^{12}$ and $W = 3.35$ TB/s",
        r"$V = 8.1e11$ and $W = 8.2e11$",
        "$$ T = 2 B $$ $$ B = 4 $$ $$ T = 8 $$",
        "a matrix of $B$ tokens; the batch size $B$",
        "$W$ bytes/s, and the bandwidth $W$",
        "$N$ heads, then the number of attention heads $N$",
        r"With $B$ much smaller than $D$ and $F$, $$ \frac{BDF}{BD + DF + BF} \approx B $$",
        r"For small batch sizes, $$ \frac{BDF}{BD + DF + BF} \approx B $$",
    ],
)
def test_nothing_odd(page):
    assert check_document(page).lints == ()


@pytest.mark.parametrize(
    "page",
    [
        r"$W = 8.1 \times 10^{11}$ B/s. $$ \frac{197 \times 10^{12}}{8.2 \times 10^{11}} = 240 $$",
        r"$$ \frac{1.97e14}{8.2e11} = 240 $$ $$ \frac{3.94e14}{8.1e11} = 486 $$",
        "$W = 450$ GB/s on one page, $W = 900$ GB/s on the other",
    ],
)
def test_two_values(page):
    assert "two-values" in [each.kind for each in check_document(page).lints]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Let $N$ be the number of heads.", "where $N$ is the number of parameters"),
        ("- $N$: heads", "- $N$: parameters"),
        ("| $N$ | number of heads |", "| $N$ | number of parameters |"),
        ("$T$ is the sequence length", "$T$ is the step time"),
        ("$L$ layers", "$L$ is the sequence length"),
        ("a model with $N$ heads", "trained with $N$ GPUs"),
        ("head dimension $H$", "$H$ heads"),
    ],
)
def test_two_meanings(first, second):
    lints = check_document(f"{first}\n\ntext\n\n{second}\n").lints
    assert [(each.kind, each.lines) for each in lints] == [("two-meanings", (1, 5))]


@pytest.mark.parametrize(
    "page",
    [
        "| $W$ | 3 |\n" * 20_000,
        "`$" * 100_000,
        " " * 500_000,
        "$$a" + " " * 500_000 + "$$",
        "$$ a = " + "1" * 5000 + r" \text $$",
    ],
)
def test_hostile_pages_end_soon(page):
    assert check_document(page).exit_code in (0, 3)


@pytest.mark.parametrize(
    ("page", "code"),
    [
        # unit words behind an expression
        (r"$$ T = 2N + 2N + 12N = 16N \text{ bytes} $$", 0),
        (r"$$ M = 4 L K d = 4 K L d~\text{bytes} $$", 0),
        (r"$N = 7$. $$ 2N + 2N = 4N\ \text{bytes} = 28 \text{ bytes} $$", 0),
        (r"$n = 80$. $$ 2 \times 2\,\text{bytes} \times n = 320\,\text{bytes/token} $$", 0),
        (r"$$ 2 \times 2\,\text{bytes} \times n = 8n $$", 1),
        (r"$$ T = 2N + 2N = 5N \text{ bytes} $$", 1),
        (r"$$ 12 M = 3 \cdot 4 M $$ $$ 100 + 101 \approx 201 \text{ MB} $$", 0),
        # units with a slash behind ~
        (r"$C = 312~\text{TFLOP/s}$, $F = 10^{15}$. $$ \frac{F}{C} \approx 3.2~\text{s} $$", 0),
        (r"$C = 312~\mathrm{TFLOP/s}$, $F = 10^{15}$. $$ \frac{F}{C} \approx 3.9~\text{s} $$", 1),
        (r"$$ \frac{989~\text{TFLOP/s}}{3.35~\text{TB/s}} \approx 295~\text{FLOP/byte} $$", 0),
        (r"$$ 10 \cdot 2 = 20~\text{tokens/s} $$", 0),
        # inverse units, microseconds, percent
        (r"$$ \frac{1}{41.8 \text{ ms}} \approx 23.9 \text{ s}^{-1} $$", 0),
        (r"$$ \frac{1}{41.8 \text{ ms}} \approx 25.9 \text{ s}^{-1} $$", 1),
        (r"$$ 150\ \mu s + 75\ \mu s = 225\ \mu s $$", 0),
        (r"$$ \max(30.4 \text{ ms}, 142 \text{ ms}) = 30.4 \text{ ms} $$", 1),
        (r"$C = 100$. $$ 45\% \cdot C = 45 $$", 0),
        # billions
        (r"$$ 70\text{B} \times 2 = 140\text{ GB} $$", 0),
        (r"$$ 70\text{B} \times 2 = 150\text{ GB} $$", 1),
        (r"$N = 7\text{B}$ parameters. $$ 2N = 14\text{ GB} $$", 0),
        ("$M = 128$K tokens. $$ 2M = 256000 $$ $$ 2M = 262144 $$", 0),
        ("$M = 128$K tokens. $$ 2M = 266000 $$", 1),
        (r"$N = 70~\mathrm{B}$ parameters. $$ 2N = 140\text{ GB} $$", 0),
        (r"$M = 16\text{ B}$. $$ 2M = 32\text{ B} $$", 0),
        (r"$N = 7\,\text{B}$ parameters. $$ 2N = 15\text{ GB} $$", 1),
        # names
        (r"$$ a > b $$ $$ \iff 2a > 2b $$", 0),
        (r"$$ B_{\max} = 124 $$ $$ 2 B_{\max} = 248 $$", 0),
        (r"$$ \tau^* = 4 $$ $$ 2 \tau^* = 9 $$", 1),
        (r"$$ f(\tau) = 2 \tau $$", 0),
    ],
)
def test_units_and_names_of_pages(page, code):
    assert check_document(page).exit_code == code, repr(check_document(page))


@pytest.mark.parametrize(
    ("before", "right", "wrong"),
    [
        (r"$$ a = 6 b $$ With $a = 60$: $$ b \approx ", "10", "99"),
        (r"$$ y = 3 x^2 $$ For $y = 12$: $$ x = ", "2", "7"),
        (r"$$ t = \frac{V}{W} $$ With $t = 2$ s and $W = 10$ GB/s: $$ V = ", "20e9", "99e9"),
        (r"$$ C = 6ND $$ $$ D = 20 N $$ For $C = 10^{21}$: $$ N \approx ", "2.9e9", "2.9e10"),
    ],
)
def test_what_is_solved_for_is_checked(before, right, wrong):
    assert check_document(f"{before}{right} $$").exit_code == 0
    assert check_document(f"{before}{wrong} $$").exit_code == 1


@pytest.mark.parametrize(
    ("page", "code"),
    [
        ("$$ T = 2B $$ $$ B = 4 $$ $$ T = 8 $$", 0),
        ("$$ T = 2B $$ The limit $T = 8$ is too low, so we take $$ B = 16 $$ $$ T = 32 $$", 3),
        ("$$ T = 2B $$ With $T = 8$ as above.\n# Next\n$$ B = 16 $$ $$ T = 32 $$", 0),
    ],
)
def test_a_size_that_is_put_in_is_never_wrong(page, code):
    assert check_document(page).exit_code == code


@pytest.mark.parametrize(
    ("between", "code"),
    [
        ("so", 1),
        ("With bf16 weights instead:", 3),
        ("With bf16 weights we have $$ V = 2DF $$ and", 3),
        ("If the weights are larger,", 3),
    ],
)
def test_a_rule_of_another_case(between, code):
    page = r"int8: $$ B > \frac{C}{2W} $$ " + between + r" $$ B > \frac{C}{W} $$"
    assert check_document(page).exit_code == code


def test_an_undecided_link_does_not_hide_a_wrong_one():
    page = "$x = 5$. $$ y = x/q \\approx 3 \\text{ s} = 3000 \\text{ ms} = 3 \\text{ ms} $$"
    text = repr(check_document(page))
    assert "wrong: the claim does not hold" in text
    assert "unit-prefix" in text
    assert "has no value" not in text
