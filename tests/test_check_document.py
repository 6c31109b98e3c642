"""Whole pages: formulas are found with their lines, followed in order, and linted."""

from __future__ import annotations

import pytest

from symcost.analysis.check.document import check_document
from symcost.errors import SymcostError
from symcost.notation.documents import displayed_equations, inline_equations

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
    found = displayed_equations(PAGE)
    assert [e.line for e in found] == [5, 6, 9, 15, 21]
    assert found[2].text.count("=") == 2
    assert [e.text for e in inline_equations(PAGE)] == ["C = 9.89e14", r"B \ll D, F"]


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
    assert f"line {line}: the first that does not follow" in repr(report)


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


def test_what_cannot_be_read_is_listed():
    report = check_document("$$\\int_0^1 f(x) dx$$\n$$a = 1$$")
    assert [each.line for each in report.skipped] == [1]
    assert len(report.links) == 1


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
    assert check_document("$$" * 20_000).exit_code == 0
