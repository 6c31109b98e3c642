"""What the command line does, verb by verb: arguments in, text and exit code out; no printing."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from symcost.errors import InvalidValueError
from symcost.files.contents import read_file, read_input
from symcost.render.registry import file_format

if TYPE_CHECKING:
    from sympy import Symbol

    from symcost.analysis.optimum.types import Optimum
    from symcost.analysis.roofline import Roofline
    from symcost.answers.questions import Asked
    from symcost.documents.blocks import Document
    from symcost.model.graph import ComputationGraph
    from symcost.notation.numbers import Sweep

_SUMMANDS = "the terms of all times compete one by one; --sweep compares whole times"
_PROGRAM = re.compile(r"\w\s*\[")  # a type such as bf16[B, D]

DONE, REFUTED, UNDECIDED = 0, 1, 3


class Outcome(NamedTuple):
    """What a verb has to say, its exit code, and of a picture the format of its file."""

    document: Document
    code: int = DONE
    picture: str = ""


def derive(args: Namespace) -> Outcome:
    """``symcost derive``: costs, times, the limit and the rule of a program."""
    from symcost.answers.derivation import derive as run
    from symcost.answers.questions import program_of

    derivation = run(
        program_of(args.program, args.mesh),
        args.on,
        assume=args.assume,
        solve_for=args.solve,
        at=args.at,
        given=args.given,
        prove=args.timeout if args.prove else None,
        count=args.count,
        serial=args.serial,
    )
    return Outcome(derivation.document())


def evaluate(args: Namespace) -> Outcome:
    """``symcost eval``: a formula or a program in numbers with units."""
    from symcost.answers.evaluation import evaluate_formula, evaluate_program

    text = read_input(args.formula)
    if _is_program(text, args):
        return Outcome(evaluate_program(args, args.at))
    return Outcome(evaluate_formula(args, text))


def _is_program(text: str, args: Namespace) -> bool:
    """Whether a text is a program rather than a formula; a mesh is for a program only."""
    is_program, of = _PROGRAM.search(text) is not None, getattr(args, "program", None)
    if is_program and of:
        raise InvalidValueError(
            "--of names the program of a formula, but a program is given", repair="leave one out"
        )
    if args.mesh and not is_program and not of:
        raise InvalidValueError("--mesh is for the tensors of a program", repair="leave it out")
    return is_program


def limit(args: Namespace) -> Outcome:
    """``symcost limit``: the simple form of a formula, and its exact error."""
    from symcost.analysis.limit import limit as run
    from symcost.analysis.proving import prove
    from symcost.answers import results
    from symcost.answers.questions import question, relied, units

    asked = question(args, expressions=read_input(args.formula))
    (expr,) = asked.expressions
    approximation = run(expr, asked.assumptions)
    domain = relied(expr, lambda value: run(value, args.assume).blocks())
    proofs = (prove(approximation, args.timeout),) if args.prove else ()
    extra = results.Extra(asked.said, domain, proofs=proofs)
    return Outcome(results.limit(approximation, asked.values, units(asked), extra))


def solve(args: Namespace) -> Outcome:
    """``symcost solve``: one inequality for one symbol, or several at once."""
    from symcost.answers.solving import solve as run

    return Outcome(run(args))


def check(args: Namespace) -> Outcome:
    """``symcost check``: a claim against what is derived, or against a formula."""
    from symcost.checker.claim_reading import read_claim

    claim = _claim(args.claim)
    if args.program and not args.quantity and not read_claim(claim).is_rule:
        raise InvalidValueError(
            "--of needs --quantity", repair="say what the claim is about, --quantity intensity"
        )
    where = {**_numbers(args.where, formulas=True), **_numbers(args.at, formulas=True)}
    from symcost.answers.questions import program_of
    from symcost.checker import check as run

    if args.mesh and not args.program:
        raise InvalidValueError("--mesh is for the program of --of", repair="leave it out")

    report = run(
        claim,
        program_of(args.program, args.mesh) if args.program else None,
        against=read_input(args.against) if args.against else None,
        quantity=args.quantity,
        chip=args.on,
        channel=args.channel,
        unit=args.unit,
        symbol=args.solve,
        where=where,
        assume=args.assume,
        count=args.count,
    )
    code = DONE if report.holds else UNDECIDED if report.verdict == "undecided" else REFUTED
    return Outcome(report.document(), code)


def _claim(text: str) -> str:
    """A claim; ``calculator.py::flops`` is what that function of a Python file returns."""
    path, found, name = text.partition(".py::")
    if not found or "\n" in text:
        return read_input(text)
    from symcost.pages.python_code import function_formula

    return function_formula(f"{path}.py", name)


def check_doc(args: Namespace) -> Outcome:
    """``symcost check-doc``: every formula of each page, and the pages as a whole."""
    from symcost.pages import check_document
    from symcost.pages.report import pages_document

    texts = [(name, read_file(name)) for name in args.pages]
    reports = [check_document(text, assume=args.assume, name=name) for name, text in texts]
    codes = [each.exit_code for each in reports]
    code = REFUTED if REFUTED in codes else max(codes)
    if code == UNDECIDED and args.strict:
        code = REFUTED
    elif code == UNDECIDED and args.lenient and not any(each.is_empty for each in reports):
        code = DONE
    return Outcome(pages_document(reports), code)


def regimes(args: Namespace) -> Outcome:
    """``symcost regimes``: which term, or which time of a program, is largest where."""
    from symcost.analysis.regimes.breakpoints import breakpoints
    from symcost.answers.questions import Asked, chosen, question, units
    from symcost.notation.numbers import read_sweep
    from symcost.symbols import is_dim, rate

    text = read_input(args.formula)
    sweeps = [read_sweep(text) for text in args.sweep or ()]
    if _is_program(text, args):
        from symcost.analysis.answer import answer
        from symcost.answers.questions import program_of
        from symcost.model.at_sizes import at_shards

        roof = answer(program_of(args.formula, args.mesh), args.on).roofline
        values = _numbers(args.where)
        if at_shards(roof.ledger, values) is not roof.ledger:  # the sizes are uneven
            here = {symbol.name for symbol in roof.symbols} & values.keys()
            roof = roof.at({name: values.pop(name) for name in here})
        counts = all(map(is_dim, roof.totals.free_symbols))  # C and W bring units of their own
        seconds = (("second", 1),) if counts else None
        asked = Asked((roof.totals,), values=values, dimensions=(seconds,))
    else:
        real = [rate(sweep.name) for sweep in sweeps if not sweep.is_whole]
        roof, asked = None, question(args, expressions=text, symbols=real)
    (expr,) = asked.expressions
    for sweep in sweeps:
        sweep.check(expr.free_symbols)
    if not sweeps:
        return Outcome(_regions(asked, args.assume, roof))
    if len(sweeps) > 1:
        kind = file_format(args.output or "", args.format)
        return Outcome(_regime_map(asked, sweeps, roof), picture=kind)
    (sweep,) = sweeps
    symbol = chosen(sweep.name, expr)
    stretches = breakpoints(expr, symbol, sweep.start, sweep.stop, at=asked.values)
    return Outcome(replace(stretches, units=units(asked, roof)).document())


def _regions(asked: Asked, assume: str | None, roof: Roofline | None) -> Document:
    """The regimes over all symbols that have no number."""
    from symcost.algebra.exact import exact
    from symcost.analysis.regimes.regimes import regimes as run
    from symcost.answers import results
    from symcost.answers.questions import relied, units

    (expr,) = asked.expressions
    put = {s: exact(asked.values[s.name]) for s in expr.free_symbols if s.name in asked.values}
    terms = expr.xreplace(put)
    answer = replace(run(terms, assume=assume), units=units(asked, roof))
    if roof is not None:
        return results.regimes(answer, results.Extra((_SUMMANDS,)))
    domain = relied(terms, lambda value: run(value, assume=assume).blocks())
    return results.regimes(answer, results.Extra(asked.said, domain))


def _regime_map(asked: Asked, sweeps: list[Sweep], roof: Roofline | None) -> Document:
    from symcost.analysis.regimes.regime_map import regime_map
    from symcost.answers.measures import binding_names
    from symcost.answers.plots import landscape

    if len(sweeps) != 2:
        raise InvalidValueError(
            f"a map of regimes is drawn over two symbols, but --sweep is given {len(sweeps)} times",
            repair="give --sweep twice, and numbers for the others",
        )
    if any(sweep.start == sweep.stop for sweep in sweeps):
        raise InvalidValueError("a sweep from a value to itself draws nothing", repair="widen it")
    (expr,) = asked.expressions
    winners = regime_map(expr, *(sweep.name for sweep in sweeps), at=asked.values)
    spans = [(sweep.start, sweep.stop) for sweep in sweeps]
    return landscape(winners, spans, {} if roof is None else binding_names(roof)).document()


def minimize(args: Namespace) -> Outcome:
    """``symcost minimize``: the least value of a formula over some of its symbols."""
    from sympy import Expr

    from symcost.analysis.optimum.minimize import minimize as run
    from symcost.analysis.reliance import reliance
    from symcost.answers import results
    from symcost.answers.questions import chosen, question, units
    from symcost.notation.tokens import plain_name

    names = [plain_name(name) for name in re.split(r"[\s,;]+", args.over.strip(" ,;"))]
    texts = [text for text in (args.subject_to or "").split(";") if text.strip()]
    asked = question(args, expressions=read_input(args.formula), relations=texts, symbols=names)
    (expr,) = asked.expressions
    over, values = [chosen(name, expr) for name in names], asked.values.items()

    def answer(swap: Mapping[Symbol, Symbol]) -> Optimum:
        relations = [each.substitute(swap) for each in asked.relations]
        variables = [swap.get(symbol, symbol) for symbol in over]
        numbers = {n: v.xreplace(swap) if isinstance(v, Expr) else v for n, v in values}
        return run(expr.xreplace(swap), variables, relations, at=numbers, integer=args.integer)

    known = {*asked.values, *(names if args.integer else ())}
    others = [s for s in expr.free_symbols if s.name not in known]
    optimum = answer({})
    domain = reliance(others, lambda swap: (answer(swap) if swap else optimum).blocks())
    told = replace(optimum, units=units(asked))
    return Outcome(results.optimum(told, results.Extra(asked.said, domain)))


def plot(args: Namespace) -> Outcome:
    """``symcost plot``: a roofline, throughput or times along a symbol, or a program's graph."""
    from symcost.answers.plots import plotted
    from symcost.answers.questions import program_of

    kind = file_format(args.output, args.format)
    graphs = [program_of(program, args.mesh) for program in args.program]
    if args.graph:
        return Outcome(_graph(graphs, args.output), picture=kind)
    if not args.on:
        raise InvalidValueError(
            "a plot needs a chip", repair="give --on CHIP; --graph draws the program without"
        )
    picture = plotted(
        graphs,
        args.on,
        sweeps=args.sweep or (),
        times=args.times,
        at=[_numbers(text) for text in args.at or ()],
        bandwidths=_numbers(args.bandwidth),
        log=args.log or None,
    )
    return Outcome(picture.document(), picture=kind)


def _graph(graphs: Sequence[ComputationGraph], path: str) -> Document:
    """The graph of a program, drawn or as text for other programs (.dot, .graphml)."""
    from symcost.documents.blocks import Document, Listing, Section
    from symcost.model.diagram import diagram, dot_text
    from symcost.model.digraph import graphml_text

    if len(graphs) > 1:
        raise InvalidValueError(
            f"--graph draws one program, but {len(graphs)} are given",
            repair="draw a picture for each program",
        )
    (graph,) = graphs
    written = {"dot": dot_text, "graphml": graphml_text}.get(path.rpartition(".")[2].lower())
    if written is None:
        return diagram(graph).document()
    return Document("", (Section("", (Listing(written(graph)),)),))


def chips(args: Namespace) -> Outcome:
    """``symcost chips``: the catalogue, or one chip with its sources."""
    from symcost.answers.chips import listing
    from symcost.hardware import chip

    return Outcome(listing() if args.chip is None else chip(args.chip).document())


def _numbers(text: str | None, *, formulas: bool = False) -> dict[str, Any]:
    if not text:
        return {}
    from symcost.notation.border import values

    return values(text, formulas=formulas)
