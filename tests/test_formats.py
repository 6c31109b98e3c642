"""The formats render any document, and nothing that a user typed becomes markup in them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import symcost as sc
from symcost.cli import main
from symcost.documents.blocks import (
    Code,
    Document,
    Equation,
    Listing,
    Math,
    Prose,
    Quantity,
    Rule,
    Section,
    Statement,
    Strong,
    Sum,
    Table,
    Term,
    Told,
    words,
)
from symcost.documents.drawings import Axis, Curves, Diagram, Node, Series
from symcost.errors import InvalidValueError, SymcostError
from symcost.render.registry import PICTURES, content, format_names, render, renderer
from symcost.symbols import dims, rates

B, D = dims("B D")
(C,) = (rates("C"),)
HOSTILE = "*B* | <script>alert(1)</script> `x` $y$ # [a](b) \x1b[31m _z_ & ~w~"


def one(block) -> Document:
    return Document("", (Section("", (block,)),))


BLOCKS = {
    "prose": Prose(HOSTILE),
    "strong": Prose((Strong(HOSTILE),)),
    "code": Prose((Code(HOSTILE),)),
    "listing": Listing(HOSTILE),
    "reason": Equation("T", (("=", B),), HOSTILE),
    "name": Equation(HOSTILE, (("=", B),)),
    "sum": Sum("bytes", (Term(2 * B, HOSTILE), Term(2 * D, "read W")), 2 * B + 2 * D),
    "table": Table((HOSTILE, "b"), ((HOSTILE, words(B / D)),), ((words(B), "total"),)),
    "rule": Rule((Statement("never", remark=HOSTILE),), HOSTILE, HOSTILE),
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_no_typed_text_is_markup_in_html(kind):
    shown = render(one(BLOCKS[kind]), "html")
    assert "<script>" not in shown
    assert "\x1b" not in shown
    ET.fromstring(f"<div>{shown}</div>".replace("&#xA0;", " "))


@pytest.mark.parametrize("kind", BLOCKS)
def test_no_typed_text_is_markup_in_markdown(kind):
    shown = render(one(BLOCKS[kind]), "markdown")
    assert "\x1b" not in shown
    if kind not in ("code", "listing"):
        assert "<script>" not in shown
        assert r"\<script\>" in shown or r"<script" not in shown
    if kind == "table":
        rows = [line.replace(r"\|", "") for line in shown.splitlines()]
        assert {row.count("|") for row in rows} == {3}


@pytest.mark.parametrize("kind", BLOCKS)
@pytest.mark.parametrize(
    "form", [name for name in format_names() if name not in ("math", *PICTURES)]
)
def test_every_format_takes_every_block(kind, form):
    for whole in (True, False):
        assert render(one(BLOCKS[kind]), form, whole=whole).strip()


DRAWINGS = [
    Curves(HOSTILE, Axis("n"), Axis(HOSTILE, "s"), (Series(HOSTILE, ((1, 1), (2, 4))),)),
    Diagram((Node("a", (HOSTILE,), "input", 0, 0),), (), title=HOSTILE),
]


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("form", [name for name in format_names() if name != "math"])
def test_every_format_takes_every_drawing(drawing, form):
    shown = content(one(drawing), form)
    assert shown
    assert "<script>" not in str(shown) or form in ("text", "json", "github")


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_is_no_text(kind):
    with pytest.raises(InvalidValueError, match=f"{kind} is no text"):
        render(one(DRAWINGS[0]), kind)


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
@pytest.mark.parametrize(
    ("arguments", "beside"),
    [
        (["solve", "B > 100; 2*B < 5000", "--for", "B"], "up to"),  # what binds at the ends
        (["minimize", "a*B + 9/B", "--over", "B"], "balance"),  # where a minimum is, and why
    ],
)
def test_a_page_opens_with_all_that_belongs_to_the_answer(capsys, form, arguments, beside):
    assert main([*arguments, "--format", form]) == 0
    page = capsys.readouterr().out
    large = {"markdown": "$$", "latex": r"\Large", "html": 'class="large"'}[form]
    assert page.index(large) < page.index(beside)


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("text", "nobody stated D -> oo"),
        ("markdown", r"nobody stated $D \to \infty$"),
        ("latex", r"nobody stated $D \to \infty$"),
        ("html", "nobody stated <math><mrow><mi>D</mi><mo>→</mo><mi>∞</mi></mrow></math>"),
    ],
)
def test_a_growth_without_bound_is_mathematics(capsys, form, shown):
    assert main(["check", "D", "--against", "D + 1", "--format", form]) == 0
    assert shown in capsys.readouterr().out


def test_a_fence_is_longer_than_what_it_holds():
    assert render(one(Listing("a ``` b")), "markdown") == "````\na ``` b\n````"


def test_values_in_every_form():
    value = Quantity(296, "FLOP/byte")
    chain = Math(B, ((">", Quantity(B / D)), ("=", Told(words("the root of ", D)))))
    assert render(one(Prose((chain,)))) == "B > B/D = the root of D"
    assert render(one(Prose((chain,))), "latex") == (
        r"$\displaystyle B > \frac{B}{D} = \text{the root of } D$"
    )
    assert render(one(Prose((Math(value),)))) == "296 FLOP/byte"
    assert render(one(Prose((Math(B, (("<<", D), (",", C))),)))) == "B << D, C"


def test_a_new_format_is_one_function():
    @renderer("shout")
    def shout(document, *, whole):
        return document.title.upper()

    assert render(Document("costs", ()), "shout") == "COSTS"
    assert "shout" in format_names()


def test_an_unknown_format_is_said(capsys):
    from symcost.errors import UnknownNameError

    with pytest.raises(UnknownNameError, match="unknown format 'latx'"):
        render(Document("", ()), "latx")
    with pytest.raises(SystemExit) as stopped:
        main(["chips", "--format", "docx"])
    assert stopped.value.code == 2


def test_what_was_typed_is_no_markup_in_a_report(capsys):
    main(["check", "B*D", "--against", "B*D*2", "--format", "markdown"])
    out = capsys.readouterr().out
    assert r"B\*D" in out or "$B D$" in out
    assert "2*B*D" not in out


TYPED = sc.Graph()
TYPED.op("relu", TYPED.input("x", "bf16[B, D]"), name="y")


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (3.5, r"\frac{7}{2}"),
        (2.5 * B, r"\frac{5 B}{2}"),
        (0.1 * B / D, r"\frac{B}{10 D}"),
        ("2.5*B", r"\frac{5 B}{2}"),
    ],
)
def test_a_float_is_the_decimal_it_prints_as(value, latex):
    assert sc.to_latex(value) == latex


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (TYPED, "y = relu(x: bf16[B, D])"),
        (TYPED.build(), "y = relu(x: bf16[B, D])"),
        (sc.Mesh(X=4), "mesh X=4"),
        (sc.TensorType("bf16", (B, D)), "bf16[B, D]"),
        (TYPED.tensors["x"], "Tensor(name='x', type=bf16[B, D], role='input', place='')"),
    ],
)
def test_what_a_program_is_made_of_shows_as_it_is_typed(value, text):
    assert repr(value) == value.to_text() == text
    assert ET.fromstring(value._repr_html_()).text == text
    for shown in (value._repr_latex_(), value.to_markdown(), value.to_json()):
        assert text in shown
    with pytest.raises(SymcostError, match="has no mathematics to show"):
        sc.to_latex(value)
