"""Published numbers about several chips, each from a program and a mesh."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from sympy import Expr, Integer, Rational, nsimplify

import symcost as sc
from symcost.algebra.dominance import largest
from symcost.algebra.ratio import as_ratio
from symcost.hardware.placing import placed
from symcost.model.graph import ComputationGraph
from symcost.model.loads import word
from symcost.model.tensors import per_device

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "many-chips.md"
CASES = tomllib.loads((HERE / "corpus" / "sharded.toml").read_text("utf-8"))["case"]
ASKED = [case for case in CASES if "left_out" not in case]
MARK = "<!-- published -->\n"


def quantities(graph: ComputationGraph) -> dict[str, Expr]:
    """What the names in ``ask`` stand for."""
    cost = graph.cost()
    moved: dict[str, Expr] = {}
    sums = dict.fromkeys(("hops", "sent", "wire"), Integer(0))
    for entry in cost.entries:
        if entry.moves is not None:
            name = entry.resource.name
            moved[name] = moved.get(name, Integer(0)) + entry.amount
            sums["hops"] += entry.moves.hops.to_sympy()
            sums["sent"] += entry.moves.sent.to_sympy()
            sums["wire"] += entry.moves.busiest.to_sympy()
        elif entry.resource.is_transfer:
            moved[entry.resource.name] = entry.amount
    first = next(iter(graph.tensors.values()))
    links = {f"moved_{word(name)}": amount for name, amount in moved.items()}
    return {
        "flops": cost.flops("matmul") if "matmul" in cost.units else Integer(0),
        "moved": largest(moved.values()),
        "total": sum(moved.values(), Integer(0)),
        "held": per_device(first.type, graph.mesh).bytes.to_sympy(),
        **sums,
        **links,
    }


def exact(value: float) -> Rational:
    return nsimplify(str(value), rational=True)


def asked(case: dict, program: str) -> Expr:
    """The value of what is asked, under the case's limit and with its numbers."""
    graph = sc.parse(program)
    names = quantities(graph)
    if "on" in case:
        graph, chip = placed(graph, case["on"])
        names = quantities(graph)
        channel = next(c for c in graph.cost().channels if c != "hbm")
        names["W"] = chip.device_figure(channel).to_sympy()
        roof, every = sc.roofline(graph, chip), graph.cost(total=True)
        links = [c for c in every.channels if c != "hbm"]
        names["all"] = sum((every.bytes(link) for link in links), Integer(0))
        names["t_links"] = largest(roof.t_comms[link] for link in links)
    value = sc.formula(case["ask"])
    by_name = {symbol: names[symbol.name] for symbol in value.free_symbols if symbol.name in names}
    value = value.xreplace(by_name)
    if "assume" in case:
        value = sc.limit(value, case["assume"]).value
    given = dict(part.split("=") for part in case.get("put", "").split(", ") if part)
    value = value.xreplace(
        {s: sc.formula(given[s.name]) for s in value.free_symbols if s.name in given}
    )
    if "least" in case:
        return sc.minimize(value, case["least"]).cases[0].point[sc.dim(case["least"])]
    if "least_over" in case:
        value = sc.minimize(value, case["least_over"]).cases[0].value
    if "below" in case:
        other, ask, assume = case["below"]
        most = asked({"ask": ask, "assume": assume}, other)
        return sc.threshold(sc.Relation(value, "<", most), case["for"]).bound
    numbers = dict(part.split("=") for part in case.get("at", "").split(", ") if part)
    put = {s: exact(numbers[s.name]) for s in value.free_symbols if s.name in numbers}
    return value.subs(put).doit()


def assert_equal(value: Expr, answer: str) -> None:
    wanted = sc.formula(answer)
    names = {s.name: s for s in value.free_symbols}
    wanted = wanted.xreplace({s: names[s.name] for s in wanted.free_symbols if s.name in names})
    difference = as_ratio(value) - as_ratio(wanted)
    if difference.num:  # maxima of the same terms may be written in two ways
        symbols = sorted(value.free_symbols, key=str)
        points = [{s: Integer(n * 97 + k) for n, s in enumerate(symbols, 2)} for k in (1, 5000)]
        assert all(value.subs(p) == wanted.subs(p) for p in points), (value, wanted)


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case["id"])
def test_a_published_number_follows_from_a_program_and_a_mesh(case):
    if "solve" in case:
        found = sc.derive(case["program"], case["on"], solve_for=case["solve"]).answer
        rule = next(c.exact_rule for c in found.channels if c.channel == case["channel"])
        assert float(rule.bound) == pytest.approx(case["number"], rel=case["rtol"])
        return
    value = asked(case, case["program"])
    if "answer" in case:
        assert_equal(value, case["answer"])
        if "also" in case:
            head = case["program"].partition(";")[0]
            program, answer = case["also"]
            assert_equal(asked(case, f"{head}; {program}"), answer)
    else:
        assert float(value) == pytest.approx(case["number"], rel=case.get("rtol", 1e-9))


def table() -> str:
    """How many of the published numbers follow, as the page shows it."""
    out = [case for case in CASES if "left_out" in case]
    rows = [
        ("from a program and a mesh", len(ASKED)),
        *((f"left out, {case['left_out']}", 1) for case in out),
        ("all", len(CASES)),
    ]
    lines = ["| published numbers | cases |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {what} | {count} |" for what, count in rows)])


def test_nine_of_ten_follow():
    """What is left out is arithmetic on given figures, as the file says of each."""
    assert len(ASKED) >= 0.9 * len(CASES)
    assert all("program" in case for case in ASKED)


def test_the_page_shows_the_present_counts(update_golden):
    before, shown, after = PAGE.read_text("utf-8").split(MARK)
    if update_golden:
        PAGE.write_text(f"{before}{MARK}{table()}\n{MARK}{after}", encoding="utf-8")
    else:
        assert shown == f"{table()}\n"
