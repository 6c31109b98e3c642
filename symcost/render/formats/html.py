"""Documents as one self-contained HTML page with MathML formulas."""

from __future__ import annotations

import html as entities

from symcost.documents.blocks import (
    Block,
    Code,
    Document,
    Drawing,
    Equation,
    Inline,
    Link,
    Listing,
    Math,
    Prose,
    Quantity,
    Rule,
    Strong,
    Sum,
    Table,
    Told,
    Value,
    Words,
    inlines,
)
from symcost.documents.wording import large_lines, statement_words
from symcost.printing.fold import before_unit
from symcost.printing.layout import arrange
from symcost.printing.mathml import MATHML, math_element, node_mathml, operator_mathml
from symcost.printing.names import label_mathml
from symcost.render.registry import renderer
from symcost.render.values import formula_unit, printable, quantity_parts

_STYLE = """
:root { color-scheme: light dark; }
body { font: 17px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem; }
pre { padding: .6rem .8rem; white-space: pre-wrap; background: #8881; border-radius: 4px; }
img { max-width: 100%; }
table { border-collapse: collapse; margin: .4rem 0; display: block; }
table { overflow-x: auto; overflow-y: hidden; }
td, th { padding: .25rem 1rem .25rem 0; vertical-align: middle; text-align: left; }
td:last-child { overflow-wrap: anywhere; }
.equation { display: flex; flex-wrap: wrap; gap: .2rem .35rem; align-items: center; }
.equation { margin: .5rem 0; }
.equation > span { overflow-x: auto; overflow-y: hidden; max-width: 100%; padding: .15rem 0; }
.answer { margin: 1rem 0 1.4rem; padding: .2rem 1rem; border-left: 4px solid #8886; }
.answer p { margin: .4rem 0; }
.large { font-size: 1.5rem; overflow-x: auto; overflow-y: hidden; padding: .2rem 0; }
math { padding-right: .08em; }
td > math:only-child, .equation math, .large math { math-style: normal; }
.equation .reason { margin-left: 1rem; }
.reason { opacity: .7; font-size: .9rem; } ul { margin: .3rem 0; }
"""


_LARGE = {
    "strong": "<p><strong>{}</strong></p>",
    "large": '<p class="large">{}</p>',
    "": "<p>{}</p>",
}


def escape(text: str) -> str:
    """Plain text inside HTML."""
    return entities.escape(printable(text))


@renderer("html")
def html(document: Document, *, whole: bool = False) -> str:
    """A whole page, which loads nothing from elsewhere, or what stands in its body."""
    body = _body(document)
    if not whole:
        return body
    title = escape(document.title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title or 'symcost'}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"{f'<h1>{title}</h1>' if title else ''}\n{body}</body>\n</html>"
    )


def _body(document: Document) -> str:
    parts = [f"{_large(block)}\n" for block in document.opening]
    for section in document.sections:
        parts += [f"<h2>{words_html(section.title)}</h2>\n"] if section.title else []
        parts += [f"{block_html(block)}\n" for block in section.blocks]
    return "".join(parts)


def _large(block: Block) -> str:
    """A block of the opening: each case set large, its condition below it."""
    if not isinstance(block, Rule):
        return f'<div class="answer">{block_html(block)}</div>'
    rows = [_LARGE[look].format(words_html(said)) for look, said in large_lines(block)]
    return f'<div class="answer">{"".join(rows)}</div>'


def block_html(block: Block) -> str:
    """One block."""
    match block:
        case Prose(words):
            return f"<p>{words_html(words)}</p>"
        case Listing(text):
            return f"<pre>{escape(text)}</pre>"
        case Sum(name, terms, total):
            if len(terms) == 1:
                return _equation(name, (("=", total),), terms[0].what)
            rows = "".join(
                f"<tr><td>{words_html((Math(t.value),))}</td>"
                f'<td class="reason">{words_html(t.what)}</td></tr>'
                for t in terms
            )
            return f"<table>{rows}</table>\n{_equation(name, (('=', total),))}"
        case Equation(name, links, reason):
            return _equation(name, links, reason)
        case Rule():
            return _rule(block)
        case Table():
            return _table(block.head, block.lines)
        case Drawing():
            return _picture(block)


def words_html(words: Words) -> str:
    """Words with their mathematics as MathML."""
    return "".join(map(_piece, inlines(words)))


def _piece(piece: Inline) -> str:
    match piece:
        case Math():
            return math_element(_chain(piece), display=False)
        case Strong(text):
            return f"<strong>{escape(text)}</strong>"
        case Code(text):
            return f"<code>{escape(text)}</code>"
    return escape(piece)


def _chain(math: Math) -> str:
    parts = [_value(math.left)]
    for op, value in math.links:
        parts += [operator_mathml(op), _value(value)]
    inner = "".join(parts)
    return f"<mrow>{inner}</mrow>" if math.links else inner


def _value(value: Value) -> str:
    if isinstance(value, str):
        return label_mathml(printable(value)) if value else ""
    if isinstance(value, Told):
        return "".join(
            _chain(part) if isinstance(part, Math)
            else _told(part if isinstance(part, str) else part.text)
            for part in inlines(value.words)
        )  # fmt: skip
    if not isinstance(value, Quantity):
        return node_mathml(arrange(value))
    exact, rounded = quantity_parts(value)
    if rounded is None:
        node = arrange(exact)
        unit = f"<mtext>&#xA0;{escape(formula_unit(value.unit))}</mtext>"
        return before_unit(node, MATHML) + unit if value.unit else node_mathml(node)
    before = "" if exact is None else node_mathml(arrange(exact))
    return (before and before + operator_mathml("≈")) + rounded.mathml()


def _told(text: str) -> str:
    """Words beside mathematics; MathML drops spaces at the ends of a text."""
    return f"<mtext>{escape(text).replace(' ', '&#xA0;')}</mtext>"


def _equation(name: Value, links: tuple[Link, ...], reason: Words = "") -> str:
    """An equation that may be broken before each of its links, on a narrow screen."""
    first = Math(name, links[:1])
    chain = [_chain(first), *(_chain(Math("", (link,))) for link in links[1:])]
    shown = "".join(f"<span>{math_element(each)}</span>" for each in chain)
    said = f'<span class="reason">{words_html(reason)}</span>' if reason else ""
    return f'<div class="equation">{shown}{said}</div>'


def _rule(block: Rule) -> str:
    said = [words_html(statement_words(case)) for case in block.cases]
    what = words_html(block.what)
    because = f"<p>because {words_html(block.reason)}</p>" if block.reason else ""
    if not what and len(said) == 1:
        return f"<p>{said[0]}</p>{because}"
    head = f"<p>{what}:</p>\n" if what else ""
    return f"{head}<ul>{''.join(f'<li>{each}</li>' for each in said)}</ul>{because}"


def _table(head: tuple[Words, ...], rows: tuple[tuple[Words, ...], ...]) -> str:
    top = "".join(f"<th>{words_html(cell)}</th>" for cell in head)
    lines = ["".join(f"<td>{words_html(cell)}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in ([top] if top else []) + lines)
    return f"<table>{body}</table>"


def _picture(block: Drawing) -> str:
    from base64 import b64encode

    from symcost.render.pictures import drawn

    source = f"data:image/svg+xml;base64,{b64encode(drawn(block).content('svg')).decode()}"
    return f'<img src="{source}" alt="{escape(block.title)}">'
