"""Pages of every kind, from files: lines, formats, exit codes; Python is read and never run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import symcost as sc
from symcost.cli import main
from symcost.errors import InvalidValueError, NotationError
from symcost.pages import check_document
from symcost.pages.passages import passages
from symcost.pages.python_code import function_formula
from symcost.pages.sources import read_source

RIGHT = "The cache has\n\n$$M = 2 \\cdot 64 = 128$$\n"
WRONG = "The cache has\n\n$$M = 2 \\cdot 64 = 129$$\n"
OPEN = "$$C/W = 240$$\n"


def run(capsys, *arguments: str) -> tuple[int, str]:
    code = main(list(arguments))
    return code, capsys.readouterr().out


@pytest.fixture
def pages(tmp_path):
    """Files with a right page, a wrong one, one that leaves something open, and one of words."""
    texts = {"right": RIGHT, "wrong": WRONG, "open": OPEN, "words": "No formula here."}
    for name, text in texts.items():
        (tmp_path / f"{name}.md").write_text(text)
    return {name: str(tmp_path / f"{name}.md") for name in texts}


@pytest.mark.parametrize(
    ("names", "options", "code"),
    [
        (["right"], [], 0),
        (["wrong"], [], 1),
        (["open"], [], 3),
        (["words"], [], 3),
        (["right", "wrong", "open"], [], 1),
        (["right", "open"], [], 3),
        (["right", "open"], ["--strict"], 1),
        (["right", "open"], ["--lenient"], 0),
        (["wrong", "open"], ["--lenient"], 1),
        (["words"], ["--lenient"], 3),
        (["words"], ["--strict"], 1),
    ],
)
def test_exit_codes(capsys, pages, names, options, code):
    assert run(capsys, "check-doc", *(pages[name] for name in names), *options)[0] == code


@pytest.mark.parametrize("name", ["missing.md", "", "folder"])
def test_what_is_no_file_is_refused(capsys, tmp_path, name):
    (tmp_path / "folder").mkdir()
    assert main(["check-doc", str(tmp_path / name) if name else ""]) == 2
    assert capsys.readouterr().err.startswith("symcost: cannot read")


def test_the_text_names_file_and_line(capsys, pages):
    _, out = run(capsys, "check-doc", pages["wrong"], pages["open"])
    assert f"{pages['wrong']}: 1 formula: 1 compared; 1 does not follow\n" in out
    assert f"{pages['wrong']}:3: does not follow: M = 2 \\cdot 64 = 129\n" in out
    assert f"{pages['open']}:1: cannot be decided: C/W = 240\n" in out
    assert "C, W have no values on the page before this line" in out


def test_json_of_one_page_and_of_many(capsys, pages):
    one = json.loads(run(capsys, "check-doc", pages["wrong"], "--format", "json")[1])
    assert (one["holds"], one["first_gap"]) == (False, 3)
    assert one["counts"]["compared"] == one["counts"]["does not follow"] == 1
    many = json.loads(run(capsys, "check-doc", *pages.values(), "--format", "json")[1])
    assert [each["holds"] for each in many["pages"]] == [True, False, False, False]
    assert {each["level"] for each in many["findings"]} == {"error", "warning"}


def test_github_and_sarif_say_where(capsys, pages):
    _, out = run(capsys, "check-doc", pages["wrong"], "--format", "github")
    assert out.startswith(f"::error file={pages['wrong']},line=3,title=does-not-follow::")
    found = json.loads(run(capsys, "check-doc", pages["wrong"], "--format", "sarif")[1])
    (result,) = found["runs"][0]["results"]
    assert (found["version"], result["level"]) == ("2.1.0", "error")
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert "follows: 128; stands there: 129" in result["message"]["text"]


def test_only_what_lists_findings_is_written_as_findings(capsys):
    with pytest.raises(SystemExit):
        main(["limit", "n/(n + 1)", "--assume", "n -> oo", "--format", "sarif"])
    assert "invalid choice: 'sarif'" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["markdown", "html", "latex"])
def test_the_page_with_its_verdicts_in_place(capsys, pages, form):
    code, out = run(capsys, "check-doc", pages["wrong"], "--format", form, "--standalone")
    assert code == 1
    assert out.index("129") < out.index("does not follow", out.index("129"))
    assert "http" not in out  # nothing is loaded from elsewhere


PROSE = """# The *cache*

It holds `2 * 64 = 128` values.

$$M = 2 \\cdot 64 = 129$$

<script>alert(1)</script><img src="http://x">

```python
w = 2 * 70e9  # = 160 GB
print(w)
```

So $$T = 2B$$ and the end.
"""


def test_the_prose_of_a_page_stands_around_its_verdicts():
    shown = check_document(PROSE).to_html()
    order = ("The *cache*", "It holds", "line 3: follows", "129", "does not follow", "alert(1)")
    order += ("print(w)", "line 10: ", "does not follow", "So", "line 14: defined", "and the end")
    places = [0]
    for words in order:
        places.append(shown.index(words, places[-1]))
    assert "<script" not in shown
    assert "<msub><mi>log</mi><mn>2</mn></msub>" in check_document(r"$$T = \log_2 P$$").to_html()
    assert r"\log_2" in check_document(r"$$T = \log_2 P$$").to_latex()
    assert "<img" not in shown


def test_the_formulas_of_a_page_are_set_as_they_stand_there():
    page = "# Rooflines\nA matmul takes $2BDF/2$ FLOPs, $x \\in R$.\n\n- an item\n\n"
    page += "| name | value |\n| --- | --- |\n| $B$ | 16 |\n\n$$T = \\frac{6 B}{3 C} = 1.5e3$$"
    shown = check_document(page).to_html()
    assert re.search(r"<h2>Rooflines</h2>\s*<p>A matmul takes <math>", shown)
    assert "<code>x \\in R</code>" in shown  # what cannot be read stays as it was typed
    assert "<p>• an item</p>" in shown
    assert "<td><math><mi>B</mi></math></td><td>16</td>" in shown
    fraction = (
        r"<mfrac><mrow><mn>6</mn>.*?<mi>B</mi></mrow><mrow><mn>3</mn>.*?<mi>C</mi></mrow></mfrac>"
    )
    assert re.search(fraction, shown)  # not 2B/C: nothing is worked out
    assert "$" not in shown


HTML = """<!DOCTYPE html>
<html><head><title>$$1 = 2$$</title></head>
<body><h1>Time</h1>
<p>The peak is <math><mi>C</mi><mo>=</mo><msup><mn>10</mn><mn>12</mn></msup></math>.</p>
<p><math display="block"><mi>T</mi><mo>=</mo><mfrac><mrow><mn>2</mn><mo>·</mo><msup><mn>10</mn>
<mn>12</mn></msup></mrow><mi>C</mi></mfrac><mo>=</mo><mn>2</mn></math></p>
<span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block">
<semantics><mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">a = 3</annotation>
</semantics></math></span><span class="katex-html">$$5 = 6$$</span></span></span>
<pre><code>$$7 = 8$$</code></pre>
<script type="math/tex; mode=display">2a = 6</script>
</body></html>
"""


def test_html_with_mathml_katex_and_mathjax():
    report = check_document(HTML)
    assert report.exit_code == 0, repr(report)
    assert [each.passage.text for each in report.formulas][1:] == ["a = 3", "2a = 6"]
    assert report.formulas[0].report.line == 5
    wrong = check_document(HTML.replace("<mn>2</mn></math></p>", "<mn>3</mn></math></p>"))
    assert [each.line for each in wrong.gaps] == [5]


def notebook(*cells: tuple[str, str]) -> str:
    made = [{"cell_type": kind, "source": text.splitlines(keepends=True)} for kind, text in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4}, indent=1)


def test_a_notebook():
    text = notebook(
        ("markdown", "With $B = 4$:\n\n$$T = 2B$$"),
        ("code", "w = 2 * 70e9  # = 140 GB\nprint(w)"),
        ("markdown", "so\n\n$$T = 9$$"),
    )
    report = check_document(text)
    (gap,) = report.gaps
    assert "T = 9" in text.splitlines()[gap.line - 1]
    assert [each.passage.kind for each in report.formulas] == ["display", "python", "display"]
    with pytest.raises(NotationError, match="no JSON with cells"):
        check_document('{"cells": 3')


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\[ T = a \] and \(B = 4\)", ["T = a", "B = 4"]),
        ("```math\nT = a\nS = b\n```", ["T = a", "S = b"]),
        ("{{< katex display >}} T = a {{< /katex >}}", ["T = a"]),
        ("{{< eq >}}\nT = a\n{{< /eq >}}", ["T = a"]),
        ("{% katex(block=true) %} T = a {% end %}", ["T = a"]),
        ('{{ katex(body="B = 4") }}: {% katex(block=true) %} T = B {% end %}', ["B = 4", "T = B"]),
        (r"\\[ T = a \\]", ["T = a"]),
        (r"$$\begin{gather} T = a \\ S = b \end{gather}$$", ["T = a", "S = b"]),
        (r"\begin{equation*} T = a \end{equation*}", ["T = a"]),
        ("see \\[1\\] and [x](y\\[2\\])", []),
        ("```\n$$T = a$$\n```\n<!-- $$T = a$$ --> `$$T = a$$`", []),
        ("costs $5 and $6, or $$ 3 to $$ 4 at most", []),
        (r"\newcommand{\half}[1]{\frac{#1}{2}} $$T = \half{a}$$", [r"T = \frac{a}{2}"]),
    ],
)
def test_where_formulas_stand(text, found):
    assert [each.text for each in passages(read_source(text))] == found


CALCULATOR = '''"""A hand calculation."""

LAYERS = 2

def flops_per_token(d_model, d_ff, n=LAYERS):
    """What one token costs."""
    up = 2 * d_model * d_ff
    down = up
    return up + down

def broken(x):
    for _ in range(3):
        x = x * 2
    return x

def ceilings(B):
    return math.ceil(B / 8) * 8 - 2 ** 3 // 3
'''


def test_a_function_of_a_calculator(capsys, tmp_path):
    path = tmp_path / "calculator.py"
    path.write_text(CALCULATOR)
    claim = f"{path}::flops_per_token"
    program = (
        "H: bf16[T, d_ff] = X: bf16[T, d_model] @ U: bf16[d_model, d_ff];"
        " Z: bf16[T, d_model] = H @ D: bf16[d_ff, d_model]"
    )
    code, out = run(capsys, "check", claim, "--of", program, "--quantity", "flops")
    assert (code, "4*d_ff*d_model" in out) == (1, True)
    assert main(["check", claim, "--against", "4*d_model*d_ff"]) == 0
    assert sc.formula(function_formula(str(path), "ceilings")) == sc.formula(
        "ceil(B/8)*8 - floor(8/3)"
    )
    with pytest.raises(NotationError, match="line 12 holds a statement that is no assignment"):
        function_formula(str(path), "broken")
    with pytest.raises(InvalidValueError, match="has no function 'flop'"):
        function_formula(str(path), "flop")


@pytest.mark.parametrize(
    ("form", "code"),
    [("markdown", 0), ("html", 0), ("latex", 0)],
    ids=["markdown", "html", "latex"],
)
def test_our_own_derivations_follow(form, code):
    graph = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
    found = sc.derive(graph, "h100-sxm", assume="B << D, F", solve_for="B")
    text = found.to_latex(standalone=True) if form == "latex" else getattr(found, f"to_{form}")()
    report = check_document(text)
    assert report.exit_code == code, repr(report)
    assert report.count("compared") >= 2


def test_the_hook_runs_the_command_that_there_is(capsys, pages):
    text = (Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text()
    (entry,) = [line.partition("entry: ")[2] for line in text.splitlines() if "entry: " in line]
    assert entry.split()[0] == "symcost"
    assert run(capsys, *entry.split()[1:], pages["right"], pages["open"])[0] == 0
    assert run(capsys, *entry.split()[1:], pages["right"], pages["wrong"])[0] == 1
