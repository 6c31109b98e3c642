"""What the command line does, verb by verb: arguments in, text and exit code out; no printing."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from symcost.errors import InvalidValueError
from symcost.files import read_file, read_input

if TYPE_CHECKING:
    from sympy import Expr, Symbol

    from symcost.analysis.optimum.types import Optimum
    from symcost.documents.blocks import Document
    from symcost.notation.formulas import Formula

_SUMMANDS = "the terms of all times compete one by one; --sweep compares whole times"
_PROGRAM = re.compile(r"\w\s*\[")  # a type such as bf16[B, D]

DONE, REFUTED, UNDECIDED = 0, 1, 3


class Outcome(NamedTuple):
    """What a verb has to say, its exit code, and whether it has written the output itself."""

    document: Document
    code: int = DONE
    written: bool = False


def derive(args: Namespace) -> Outcome:
    """``symcost derive``: costs, times, the limit and the rule of a program."""
    from symcost.answers.derivation import derive as run
    from symcost.model.programs import parse

    graph = parse(read_input(args.program), mesh=_numbers(args.mesh) if args.mesh else None)
    found = run(
        graph,
        args.on,
        assume=args.assume,
        solve_for=args.solve,
        at=_numbers(args.at),
        given=args.given,
        prove=args.timeout if args.prove else None,
        count=args.count,
    )
    return Outcome(found.document())


def limit(args: Namespace) -> Outcome:
    """``symcost limit``: the simple form of a formula, and its exact error."""
    from symcost.analysis.limit import limit as run
    from symcost.analysis.reliance import reliance
    from symcost.answers import results

    values = _numbers(args.at)
    formula = _formula(read_input(args.formula), (), values, args.assume)
    found = run(formula.expr, args.assume)
    _check_names(values, formula.names, "--at")

    def shown(swap: Mapping[Symbol, Symbol]) -> str:
        return run(formula.expr.xreplace(swap), args.assume).to_text()

    proofs = (found.prove(args.timeout),) if args.prove else ()
    domain = reliance(formula.expr.free_symbols, shown)
    return Outcome(
        results.limit(found, values, results.Extra(formula.notes, domain, proofs=proofs))
    )


def solve(args: Namespace) -> Outcome:
    """``symcost solve``: one inequality for one symbol, or several at once."""
    from symcost.answers.solving import solve as run

    return Outcome(run(args))


def check(args: Namespace) -> Outcome:
    """``symcost check``: a claim against what is derived, or against a formula."""
    if args.program and not args.quantity:
        raise InvalidValueError(
            "--of needs --quantity", repair="say what the claim is about, --quantity intensity"
        )
    where = {**_numbers(args.where, formulas=True), **_numbers(args.where_at, formulas=True)}
    from symcost.answers import reports
    from symcost.checker import check as run

    report = run(
        read_input(args.claim),
        read_input(args.program) if args.program else None,
        against=read_input(args.against) if args.against else None,
        quantity=args.quantity,
        chip=args.on,
        channel=args.channel,
        symbol=args.solve,
        where=where,
        assume=args.assume,
        count=args.count,
    )
    code = DONE if report.holds else UNDECIDED if report.verdict == "undecided" else REFUTED
    return Outcome(reports.report(report), code)


def check_doc(args: Namespace) -> Outcome:
    """``symcost check-doc``: every displayed equation of a page, and the page as a whole."""
    from symcost.answers import reports
    from symcost.pages import check_document

    report = check_document(read_file(args.page), assume=args.assume)
    return Outcome(reports.document(report), report.exit_code)


def regimes(args: Namespace) -> Outcome:
    """``symcost regimes``: which term, or which time of a program, is largest where."""
    from symcost.analysis.regimes.breakpoints import breakpoints
    from symcost.analysis.regimes.regimes import regimes as run
    from symcost.answers import landscapes
    from symcost.notation.numbers import read_sweep

    text = read_input(args.formula)
    values = _numbers(args.where)
    expr = _terms(text, args.on, values, args.assume)
    sweeps = [read_sweep(text) for text in args.sweep or ()]
    symbols = {s.name: s for s in expr.free_symbols}
    if len(sweeps) == 1:
        (sweep,) = sweeps
        found = breakpoints(expr, _symbol(sweep.name, symbols), sweep.start, sweep.stop, at=values)
        return Outcome(landscapes.breakpoints(found))
    if sweeps:
        return Outcome(_regime_map(expr, sweeps, values, args.output), written=True)
    put = {s: values[s.name] for s in expr.free_symbols if s.name in values}
    terms = expr.xreplace(put)
    regions = run(terms, assume=args.assume)
    if _PROGRAM.search(text):
        return Outcome(landscapes.regimes(regions, _SUMMANDS))
    from symcost.analysis.reliance import reliance

    def shown(swap: Mapping[Symbol, Symbol]) -> str:
        return run(terms.xreplace(swap), assume=args.assume).to_text()

    domain = reliance(terms.free_symbols, shown)
    return Outcome(landscapes.regimes(regions, domain=domain))


def _regime_map(
    expr: Expr, sweeps: list[Any], values: dict[str, Any], path: str | None
) -> Document:
    from symcost.analysis.regimes.regime_map import regime_map
    from symcost.render.map_plot import plot_regimes
    from symcost.render.plot import plot_format, save

    if len(sweeps) != 2 or path is None:
        raise InvalidValueError(
            "a map of regimes needs two sweeps and a file",
            repair="give --sweep twice, and -o map.png",
        )
    if any(sweep.start == sweep.stop for sweep in sweeps):
        raise InvalidValueError("a sweep from a value to itself draws nothing", repair="widen it")
    kind = plot_format(path)
    across, upward = sweeps
    found = regime_map(expr, across.name, upward.name, at=values)
    figure = plot_regimes(found, (across.start, across.stop), (upward.start, upward.stop))
    save(figure, path, kind)
    return _saved(path)


def _saved(path: str) -> Document:
    """That a picture was written, as a verb that writes it itself has to say."""
    from symcost.documents.blocks import Document, Prose, Section

    return Document("", (Section("", (Prose(f"wrote {path}"),)),), data={"written": path})


def minimize(args: Namespace) -> Outcome:
    """``symcost minimize``: the least value of a formula over some of its symbols."""
    from symcost.algebra.relation import Relation
    from symcost.analysis.optimum.minimize import minimize as run
    from symcost.analysis.reliance import reliance
    from symcost.answers import landscapes
    from symcost.notation.formulas import read_relation
    from symcost.notation.kinds import rates_among
    from symcost.symbols import is_dim

    names = args.over.replace(",", " ").split()
    values = _numbers(args.where)
    expr = _formula(read_input(args.formula), [*names, *values], values).expr
    symbols = {s.name: s for s in expr.free_symbols}
    over = [_symbol(name, symbols) for name in names]
    texts = [text for text in (args.subject_to or "").split(";") if text.strip()]
    found = {s.name for text in texts for s in read_relation(text, list(symbols)).free_symbols}
    rates = [s.name for s in symbols.values() if not is_dim(s)]
    rates += rates_among(found - set(symbols), values)
    constraints = [read_relation(text, list(symbols), rates) for text in texts]

    def answer(swap: Mapping[Symbol, Symbol]) -> Optimum:
        replaced = [Relation(r.lhs.xreplace(swap), r.op, r.rhs.xreplace(swap)) for r in constraints]
        chosen = [swap.get(symbol, symbol) for symbol in over]
        numbers = values or None
        return run(expr.xreplace(swap), chosen, replaced, at=numbers, integer=args.integer)

    known = {*values, *(names if args.integer else ())}
    others = [s for s in symbols.values() if s.name not in known]
    domain = reliance(others, lambda swap: answer(swap).to_text())
    return Outcome(landscapes.optimum(answer({}), domain))


def _terms(text: str, chip: str | None, values: Mapping[str, Any], assume: str | None) -> Expr:
    """The terms to compare: those of a formula, or the times of a program."""
    if not _PROGRAM.search(text):
        return _formula(text, (), values, assume).expr
    from symcost.analysis.answer import answer

    return answer(text, chip).roofline.lower


def _formula(
    text: str, declared: Collection[str], values: Mapping[str, Any], assume: str | None = None
) -> Formula:
    """The formula as read, its rates told from its dimensions by their names."""
    from symcost.notation.formulas import read_formula
    from symcost.notation.kinds import rates_among

    first = read_formula(text, declared)
    rates = rates_among(first.names, values, assume)
    return read_formula(text, declared, rates) if rates else first


def _check_names(values: Iterable[str], names: Collection[str], option: str) -> None:
    strange = sorted(set(values) - set(names))
    if strange:
        raise InvalidValueError(
            f"{option} gives {', '.join(strange)}, which does not occur",
            repair=f"the symbols are {', '.join(sorted(names))}",
        )


def _symbol(name: str, symbols: dict[str, Symbol]) -> Symbol:
    if name not in symbols:
        raise InvalidValueError(
            f"{name} does not occur",
            repair=f"the symbols are {', '.join(sorted(symbols)) or 'none'}",
        )
    return symbols[name]


def plot(args: Namespace) -> Outcome:
    """``symcost plot``: a roofline, or throughput along a swept symbol, into a file."""
    from symcost.answers.plot_request import plot_file

    points = [_numbers(text) for text in args.at or ()]
    plot_file(
        [read_input(program) for program in args.program],
        args.on,
        args.output,
        sweeps=args.sweep or (),
        at=points,
        bandwidths=_numbers(args.bandwidth),
    )
    return Outcome(_saved(args.output), written=True)


def chips(args: Namespace) -> Outcome:
    """``symcost chips``: the catalogue, or one chip with its sources."""
    from symcost.answers import chips as page

    if args.chip is None:
        return Outcome(page.listing())
    return Outcome(page.details(args.chip))


def _numbers(text: str | None, *, formulas: bool = False) -> dict[str, Any]:
    if not text:
        return {}
    from symcost.notation.numbers import read_numbers

    return read_numbers(text, formulas=formulas)
