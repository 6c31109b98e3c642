"""The command line's stable interface: JSON keys, exit codes, and what each verb says."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from symcost.cli import main

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
RULE = [MATMUL, "--on", "h100-sxm", "--assume", "B << D, F", "--solve", "B"]


def run(capsys, *arguments: str) -> tuple[int, str]:
    code = main(list(arguments))
    return code, capsys.readouterr().out


def data(capsys, *arguments: str) -> dict:
    code, out = run(capsys, *arguments, "--format", "json")
    assert code in (0, 1, 3)
    return json.loads(out)


def test_derive_has_the_keys_of_its_interface(capsys):
    found = data(capsys, "derive", *RULE)
    keys = ("flops", "bytes", "intensity", "limit", "t_math", "t_comms", "thresholds")
    assert set(keys) <= set(found)
    assert set(found["limit"]["hbm"]) >= {"value", "relative_error", "dropped", "assume"}
    row = found["thresholds"][0]
    assert set(row) >= {
        "symbol", "relation", "bound", "bound_numeric", "smallest_integer", "when", "form",
        "channel",
    }  # fmt: skip


def test_formulas_in_json_are_readable_by_sympy(capsys):
    import sympy

    found = data(capsys, "derive", *RULE)
    names = {name: sympy.Symbol(name, positive=True) for name in "BDF"}
    lower = sympy.sympify(found["t_lower"], locals=names)
    value = lower.subs({names["B"]: 64, names["D"]: 8192, names["F"]: 8192})
    assert abs(float(value) * 1e6 - 40.69) < 0.01


@pytest.mark.parametrize(
    ("claim", "quantity", "verdict", "code"),
    [
        (r"\frac{BDF}{BD + DF + BF}", "intensity", "exact", 0),
        ("B", "intensity", "limit", 0),
        ("BDF", "flops", "convention", 1),
        ("2BD + 2DF", "bytes", "wrong", 1),
        ("2BDF", "flops", "exact", 0),
    ],
)
def test_check_verdicts_and_exit_codes(capsys, claim, quantity, verdict, code):
    arguments = ["check", claim, "--of", MATMUL, "--quantity", quantity]
    assert run(capsys, *arguments)[0] == code
    found = data(capsys, *arguments)
    assert found["verdict"] == verdict
    assert set(found) >= {
        "verdict", "expected", "claimed", "ratio", "counterexample", "diagnosis", "assume",
    }  # fmt: skip


def test_check_names_the_missing_write(capsys):
    found = data(capsys, "check", "2BD + 2DF", "--of", MATMUL, "--quantity", "bytes")
    assert any("the write of Z, 2*B*F bytes" in each["text"] for each in found["diagnosis"])
    point = found["counterexample"]["values"]
    b, d, f = (int(point[name]) for name in "BDF")
    assert int(found["counterexample"]["claimed"]) == 2 * b * d + 2 * d * f
    assert int(found["counterexample"]["expected"]) == 2 * b * d + 2 * d * f + 2 * b * f


def test_solve_has_cases_and_the_one_bound(capsys):
    found = data(capsys, "solve", "B*D/(B+D) > 100", "--for", "B")
    assert found["cases"] == [
        {"set": "B > 100*D/(D - 100)", "when": "D > 100"},
        {"set": "never", "when": "otherwise"},
    ]
    one = data(capsys, "solve", "2*B > C/W", "--for", "B", "--where", "C=3.94e14, W=8.1e11")
    assert (round(one["bound_numeric"], 1), one["smallest_integer"]) == (243.2, 244)


def test_a_rate_has_no_smallest_integer(capsys):
    found = data(capsys, "solve", "64*D/(64+D) > C/W", "--for", "W")
    assert found["smallest_integer"] is None


def test_proofs_and_the_guarantee(capsys):
    found = data(capsys, "derive", *RULE, "--given", "D, F >= 8192", "--prove")
    (box,) = found["guarantees"]
    assert (round(box["bound_numeric"], 1), box["smallest_integer"]) == (318.2, 319)
    statuses = [proof["status"] for proof in found["proofs"]]
    assert statuses.count("refuted") == 1  # the limit's rule does not suffice
    assert set(statuses) == {"proved", "refuted"}
    (refuted,) = [proof for proof in found["proofs"] if proof["status"] == "refuted"]
    b, d, f = (int(refuted["counterexample"][name]) for name in "BDF")
    assert 67 * b > 19780
    assert 67 * b * d * f <= 19780 * (b * d + d * f + b * f)


def test_a_limit_outside_its_regime_is_flagged(capsys):
    _, out = run(capsys, "derive", *RULE, "--at", "B=4000,D=4096,F=4096")
    assert "195.3 %    (the limit is used outside its regime)" in out
    _, fine = run(capsys, "derive", *RULE, "--at", "B=8,D=4096,F=4096")
    assert "outside" not in fine


def test_solve_and_limit_prove_too(capsys):
    _, out = run(
        capsys, "solve", "B*D/(B+D) > 300", "--for", "B", "--given", "D >= 8192", "--prove"
    )
    assert "guaranteed for D >= 8192: B > 614400/1973 (311.4), smallest integer 312" in out
    assert out.count("proved: ") == 2
    _, out = run(capsys, "limit", "BD/(B+D)", "--assume", "B << D", "--prove")
    assert "proved: for all B, D >= 1: B > B*D/(B + D)" in out


def test_regimes_and_minimize(capsys):
    found = data(capsys, "regimes", "24*B*S*D^2 + 4*B*S^2*D")
    assert found["rules"] == ["S = 6*D: from 24*B*D**2*S to 4*B*D*S**2"]
    swept = data(
        capsys, "regimes", "24BSD^2 + 4BS^2D", "--sweep", "S=1:100000", "--where", "D=4096"
    )
    assert [each["last_integer"] for each in swept["stretches"]] == [24576, 100000]
    _, out = run(capsys, "minimize", "a*X + b/X", "--over", "X", "--where", "a=2,b=800")
    assert out.startswith("80 at X = 20 ")


def test_check_doc_marks_the_first_gap(capsys, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# T\n\n$$2BD + 2DF = 2D(B + F)$$\n\n$$2D(B + F) = 2BD + 2F$$\n")
    code, out = run(capsys, "check-doc", str(page))
    assert code == 1
    assert "page.md:5: does not follow" in out
    assert data(capsys, "check-doc", str(page))["first_gap"] == 5


def test_every_format_of_derive(capsys, tmp_path):
    import shutil

    _, html = run(capsys, "derive", *RULE, "--format", "html")
    assert "http" not in html.replace("http://www.w3.org/1998/Math/MathML", "")
    body = html[html.index("<body>") : html.index("</body>") + 7]
    assert len(list(ET.fromstring(body.replace("&nbsp;", " ")).iter())) > 50
    _, markdown = run(capsys, "derive", *RULE, "--format", "markdown")
    assert r"B > \frac{19780}{67} \approx 295.2" in markdown
    page = tmp_path / "page.tex"
    assert main(["derive", *RULE, "--format", "latex", "--standalone", "-o", str(page)]) == 0
    assert shutil.which("pdflatex"), "this test needs pdflatex: install texlive-latex-recommended"
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    log = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "Overfull" not in log


def test_the_module_runs_like_the_command():
    command = [sys.executable, "-m", "symcost", "limit", "B*D/(B+D)", "--assume", "B << D"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "B"


INTENSITY = "B*D*F/(B*D + D*F + B*F)"


def refused(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err.strip()


def test_the_limit_and_the_guarantee_stand_side_by_side(capsys):
    rule = ["solve", f"{INTENSITY} > I", "--for", "B", "--where", "I=295.2"]
    _, out = run(capsys, *rule, "--assume", "B << D, F", "--given", "D, F >= 8192")
    first, second, third = out.splitlines()
    assert first == "B > 1476/5 (295.2), smallest integer 296"
    assert second == "in the limit B << D, F, not exactly"
    assert third == "guaranteed for D, F >= 8192: B > 1511424/4751 (318.1), smallest integer 319"
    _, out = run(capsys, *rule, "--assume", "B << D; F = 4*D", "--given", "D >= 8192", "--prove")
    assert "guaranteed for D >= 8192; F = 4*D: B > " in out
    assert out.count("proved: ") == 2


def test_a_broken_limit_is_flagged_everywhere(capsys):
    far = ["limit", INTENSITY, "--assume", "B << D, F", "--at", "B=4000,D=1024,F=1024"]
    _, out = run(capsys, *far)
    assert "(the limit is used outside its regime: B << D, F does not hold there)" in out
    _, out = run(capsys, "derive", *RULE, "--at", "D=512,F=512")
    assert "relative error of the limit (B = 296) = 115.6 %" in out
    assert "does not occur" in refused(capsys, "limit", "B*D", "--assume", "B<<D", "--at", "X=1")


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["(p-1)/(m+p-1) < eps", "--where", "eps=0.1"], ["m > 9*p - 9 if 1 < p"]),
        (["(p-1)/(m+p-1) < eps"], ["m > p/eps + 1 - p - 1/eps if eps*p + 1 < eps + p"]),
        (["m*(1-f) > y"], ["never", "for all f >= 1"]),
        (["m*(1-f) > y", "--assume", "f < 1"], ["m > y/(1 - f)"]),
        (["m*(1-f) > y", "--where", "f=0.5"], ["m > 2*y"]),
        (["m*(1-eps) > y"], ["m > y/(1 - eps) if 1 > eps", "otherwise never"]),
        (["a*m > b*m + c", "--assume", "a > b"], ["m > c/(a - b)"]),
        (["1/(1-f+f/m) > s", "--assume", "f < 1"], ["m > f*s/(f*s + 1 - s) if f*s + 1 > s"]),
    ],
)
def test_a_fraction_is_no_dimension(capsys, arguments, lines):
    _, out = run(capsys, "solve", *arguments, "--for", "m")
    assert out.splitlines()[: len(lines)] == lines


def test_what_an_answer_takes_for_granted_is_said(capsys):
    _, out = run(capsys, "minimize", "eps*x + 1/x", "--over", "x")
    assert out.startswith("2*sqrt(eps) at x = 1/sqrt(eps)")
    assert out.endswith("for all x >= 1\n")
    _, out = run(capsys, "regimes", "1 + eps*x + x")
    assert "x dominates while eps < 1" in out
    assert data(capsys, "regimes", "1 + f*x + x")["domain"] == "for all f, x >= 1"
    assert "domain" not in data(capsys, "solve", f"{INTENSITY} > 295", "--for", "B")


def test_several_inequalities(capsys):
    _, out = run(capsys, "solve", "x > 1; x < 5", "--for", "x", "--integers", "9")
    assert out.splitlines() == [
        "x > 1 and x < 5, smallest integer 2 (from x > 1, up to x < 5)",
        "integers from 1 to 9: 2 to 4",
    ]
    found = data(capsys, "solve", "1 < x < y", "--for", "x", "--where", "y=5", "--integers", "9")
    assert found["cases"] == [{"set": "x > 1 and x < 5", "when": ""}]
    assert found["integers"] == "2 to 4"
    said = refused(capsys, "solve", "x > 1; x <", "--for", "x")
    assert said.splitlines()[1] == "  x > 1; x <"
    assert "one inequality" in refused(
        capsys, "solve", "x > 1; x < D", "--for", "x", "--given", "D > 5"
    )


def test_numbers_that_cannot_be(capsys):
    zero = refused(capsys, "solve", "x/(D-1) > 0", "--for", "x", "--where", "D=1")
    assert zero == "symcost: this divides by zero; give other values"
    both = ["solve", "a*x > b*x + c", "--for", "x", "--assume", "a > b", "--where", "a=1,b=2"]
    assert "a > b and a = 1 and b = 2 contradict each other" in refused(capsys, *both)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_a_timeout_is_positive(capsys, seconds):
    with pytest.raises(SystemExit) as caught:
        main(["solve", "x > 1", "--for", "x", "--timeout", seconds])
    assert caught.value.code == 2
    assert "no positive number of seconds" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("inequality", "where", "answer"),
    [
        ("x**3 - 3*a*x + b > 0", "a=1,b=2", "x > 1, smallest integer 2"),
        ("x**3 - a*x**2 + b*x > c", "a=6,b=11,c=6", "x > 3, smallest integer 4"),
        ("a*n/x + b*x**2 + c*x < T", "a=1,n=1000,b=1,c=2,T=200", "never"),
    ],
)
def test_numbers_are_put_in_where_symbols_leave_it_open(capsys, inequality, where, answer):
    _, out = run(capsys, "solve", inequality, "--for", "x", "--where", where)
    assert out.startswith(answer)


def test_a_product_is_one_unknown(capsys):
    question = "B*D/(X*D + B) > 100"
    assert run(capsys, "solve", question, "--for", "B/X") == (
        0,
        "B/X > 100*D/(D - 100) if D > 100\notherwise never\n",
    )
    assert "B/X > 200" in run(capsys, "solve", question, "--for", "B/X", "--where", "D=200")[1]
    assert run(capsys, "solve", question, "--for", "B/X", "--where", "B=200")[0] == 2


def test_of_three_that_may_bind_each_is_told_at_the_sizes(capsys):
    """The vector unit binds until 2*D/197e12 = 9/1.5e12, so until D = 591."""
    fused = "fused f { X: bf16[B, D] @ W: bf16[D, F] -> H: bf16[B, F]; Y = gelu_tanh(H) }"
    rates = "C_matmul=197e12, C_vector=1.5e12, W=819e9"
    asked = ("derive", fused, "--on", rates, "--at", "B=512,F=8192", "--solve", "D")
    shown = run(capsys, *asked)[1]
    assert "the bottleneck is matmul iff:\n    D > 591" in shown
    assert "Compute-bound" not in shown
