"""How a published setup is turned into the engine's answer: one function for each way of asking."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sympy import Expr

import symcost as sc
from readers import read_formula
from symcost.algebra import Posynomial, as_ratio
from symcost.analysis.assume import assumed
from symcost.model.sizes import parse_type

Case = dict[str, Any]
WAYS: dict[str, Callable[[Case], Any]] = {}


def way(name: str) -> Callable[[Callable[[Case], Any]], Callable[[Case], Any]]:
    def add(function: Callable[[Case], Any]) -> Callable[[Case], Any]:
        WAYS[name] = function
        return function

    return add


def derived(case: Case) -> Expr:
    """What the engine derives, under the case's assumption."""
    value = WAYS[case["ask"]](case)
    factor = as_ratio(int(case.get("factor", "1")))
    expr = (as_ratio(value) * factor).to_sympy()
    if "assume" in case:
        expr = assumed(case["assume"], (expr,)).apply(expr)
    return expr


def _roof(case: Case) -> Any:
    return sc.roofline(sc.parse(case["of"]), sc.chip(case["chip"]))


def _tensors(types: Iterable[str]) -> Posynomial:
    return Posynomial.sum(parse_type(text).bytes for text in types)


def _flops(program: str) -> Expr:
    return sc.parse(program).cost().flops()


@way("time")
def _(case: Case) -> Any:
    chip = sc.chip(case["chip"])
    rate = chip.bandwidth(case["channel"]) if "channel" in case else chip.peak("bf16")
    return read_formula(case["amount"]).expr / rate


@way("critical")
def _(case: Case) -> Any:
    return sc.chip(case["chip"]).critical_intensity(case.get("dtype", "bf16"))


@way("lower")
def _(case: Case) -> Any:
    return _roof(case).lower


@way("upper")
def _(case: Case) -> Any:
    return _roof(case).upper


@way("throughput")
def _(case: Case) -> Any:
    return _roof(case).throughput


@way("upper over lower")
def _(case: Case) -> Any:
    return _roof(case).upper / _roof(case).lower


@way("ratio of times")
def _(case: Case) -> Any:
    roof = _roof(case)
    return roof.t_math / roof.t_comms["hbm"]


@way("flops")
def _(case: Case) -> Any:
    return _flops(case["of"])


@way("reads")
def _(case: Case) -> Any:
    return sum(e.amount for e in sc.parse(case["of"]).cost().entries if e.action == "read")


@way("writes")
def _(case: Case) -> Any:
    return sum(e.amount for e in sc.parse(case["of"]).cost().entries if e.action == "write")


@way("tensors")
def _(case: Case) -> Any:
    return _tensors(case["tensors"])


@way("tensors over tensors")
def _(case: Case) -> Any:
    return as_ratio(_tensors(case["tensors"])) / as_ratio(_tensors(case["over"]))


@way("flops over tensors")
def _(case: Case) -> Any:
    return as_ratio(_flops(case["of"])) / as_ratio(_tensors(case["tensors"]))


@way("flops over flops")
def _(case: Case) -> Any:
    return as_ratio(_flops(case["of"])) / as_ratio(_flops(case["over"]))


@way("formula")
def _(case: Case) -> Any:
    return read_formula(case["formula"], declared=list(case.get("where", {}))).expr


@way("count over tensors")
def _(case: Case) -> Any:
    return as_ratio(read_formula(case["amount"]).expr) / as_ratio(_tensors(case["tensors"]))


@way("tensors over rate")
def _(case: Case) -> Any:
    return as_ratio(_tensors(case["tensors"])) / as_ratio(read_formula(case["rate"]).expr)


@way("peaks")
def _(case: Case) -> Any:
    return int(case["amount"]) * sc.chip(case["chip"]).peak("bf16")
