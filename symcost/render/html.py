"""Documents as one self-contained HTML page with MathML formulas."""

from __future__ import annotations

from html import escape

from sympy import Expr

from symcost.analysis.thresholds.phrases import CasePhrase, Link, case_said, phrases
from symcost.documents.blocks import Block, Document, Equation, Listing, Prose, Quantity, Rule, Sum
from symcost.printing.layout import arrange
from symcost.printing.mathml import (
    math_element,
    node_mathml,
    operator_mathml,
    relation_mathml,
    to_mathml,
)
from symcost.printing.names import label_mathml
from symcost.printing.numbers import shown
from symcost.render.values import quantity_parts

_STYLE = """
:root { color-scheme: light dark; }
body { font: 17px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem; }
pre { padding: .6rem .8rem; overflow-x: auto; background: #8881; border-radius: 4px; }
table { border-collapse: collapse; margin: .4rem 0; }
td { padding: .15rem 1.2rem .15rem 0; vertical-align: middle; }
.equation { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; align-items: center; }
.equation { margin: .5rem 0; }
.equation > span { overflow-x: auto; overflow-y: hidden; max-width: 100%; padding: .15rem 0; }
.reason { opacity: .7; font-size: .9rem; } ul { margin: .3rem 0; }
"""


def document_html(document: Document) -> str:
    """A whole page; it loads nothing from elsewhere."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(document.title)}</h1>\n{document_body(document)}</body>\n</html>\n"
    )


def document_body(document: Document) -> str:
    """The sections alone, to be put into a page or a notebook."""
    parts = []
    for section in document.sections:
        parts.append(f"<h2>{escape(section.title)}</h2>\n")
        parts += [f"{block_html(block)}\n" for block in section.blocks]
    return "".join(parts)


def block_html(block: Block) -> str:
    """One block."""
    match block:
        case Prose(text):
            return f"<p>{escape(text)}</p>"
        case Listing(text):
            return f"<pre>{escape(text)}</pre>"
        case Sum(name, terms, total):
            rows = "".join(
                f"<tr><td>{to_mathml(t.value, display=False)}</td>"
                f'<td class="reason">{escape(t.what)}</td></tr>'
                for t in terms
            )
            return f"<table>{rows}</table>\n{_equation(name, [('=', total)], '')}"
        case Equation(name, links, reason):
            return _equation(name, list(links), reason)
        case Rule(threshold, what, reason):
            cases = "".join(f"<li>{_case(phrase)}</li>" for phrase in phrases(threshold))
            because = f"<p>because {escape(reason)}</p>" if reason else ""
            return f"<p>{escape(what)}:</p>\n<ul>{cases}</ul>{because}"


def _equation(name: str, links: list[tuple[str, Expr | Quantity]], reason: str) -> str:
    parts = [label_mathml(name)]
    for op, value in links:
        parts += [operator_mathml(op), _value(value)]
    said = f'<span class="reason">{escape(reason)}</span>' if reason else ""
    return f'<div class="equation"><span>{math_element("".join(parts))}</span>{said}</div>'


def _value(value: Expr | Quantity) -> str:
    if not isinstance(value, Quantity):
        return node_mathml(arrange(value))
    exact, rounded = quantity_parts(value)
    before = "" if exact is None else node_mathml(arrange(exact)) + operator_mathml("≈")
    return before + rounded.mathml()


def _case(phrase: CasePhrase) -> str:
    conditions = [relation_mathml(*link, display=False) for link in phrase.conditions]
    return case_said(phrase, [[_link(link) for link in a] for a in phrase.alternatives], conditions)


def _link(link: Link) -> str:
    right = link[2]
    said = relation_mathml(*link, display=False)
    if right.is_number and not right.is_Integer:
        said += f" ≈ {escape(shown(right).text())}"
    return said
