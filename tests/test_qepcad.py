"""Thresholds against quantifier-free formulas that QEPCAD found, at exact rational points."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from sympy import Integer, Rational

from readers import read_relation
from symcost.algebra.reals import compare
from symcost.algebra.relation import Relation
from symcost.analysis.proof.logic import All, Formula, Some, holds, when
from symcost.analysis.thresholds.intervals import Interval, union
from symcost.analysis.thresholds.threshold import threshold
from symcost.symbols import dim, rate

FILES = sorted((Path(__file__).parent / "data" / "qepcad").glob("*.txt"))
TOKEN = re.compile(r"\s*(/\\|\\/|<=|>=|/=|[-+^()\[\]<>=]|\d+|[A-Za-z]\w*)")
SIZES = [Fraction(1), Fraction(3, 2), Fraction(7), Fraction(40), Fraction(200), Fraction(201)]
RATES = [Fraction(1, 3), Fraction(1, 2), Fraction(20), Fraction(5001)]


@dataclass
class Reader:
    """Reads QEPCAD's formulas: juxtaposition multiplies, brackets group formulas."""

    tokens: list[str]
    names: dict

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def formula(self) -> Formula:
        parts = [self.conjunction()]
        while self.peek() == "\\/":
            self.tokens.pop(0)
            parts.append(self.conjunction())
        return Some(tuple(parts))

    def conjunction(self) -> Formula:
        parts = [self.atom()]
        while self.peek() == "/\\":
            self.tokens.pop(0)
            parts.append(self.atom())
        return All(tuple(parts))

    def atom(self) -> Formula:
        if self.peek() in ("TRUE", "FALSE"):
            return All(()) if self.tokens.pop(0) == "TRUE" else Some(())
        if self.peek() == "[":
            self.tokens.pop(0)
            inside = self.formula()
            assert self.tokens.pop(0) == "]"
            return inside
        left = self.sum()
        op = self.tokens.pop(0).replace("/=", "!=")
        return Relation(left, op, self.sum())

    def sum(self):
        total, sign = Integer(0), 1
        while True:
            if self.peek() in ("+", "-"):
                sign = -1 if self.tokens.pop(0) == "-" else 1
            total += sign * self.term()
            if self.peek() not in ("+", "-"):
                return total

    def term(self):
        value = Integer(1)
        while re.match(r"\w", self.peek()):
            token = self.tokens.pop(0)
            factor = Integer(token) if token.isdigit() else self.names[token]
            if self.peek() == "^":
                self.tokens.pop(0)
                factor = factor ** int(self.tokens.pop(0))
            value *= factor
        return value


@dataclass(frozen=True)
class Recorded:
    rule: object
    parameters: list
    answers: dict


def read(path: Path) -> Recorded:
    head, *sections = path.read_text().split("== ")
    facts = dict(line.split(": ", 1) for line in head.strip().splitlines())
    relation = read_relation(facts["rule"], rates=re.findall(r"(\w+) > 0", facts["domain"]))
    symbols = {s.name: s for s in relation.lhs.free_symbols | relation.rhs.free_symbols}
    names = {**symbols, "x": rate("x")}
    answers = {}
    for section in sections:
        what, text = section.split("\n", 1)
        answer = text.split("output:\n")[1].strip()
        reader = Reader(TOKEN.findall(answer), names)
        answers[what] = reader.formula()
        assert not reader.tokens
    unknown = symbols[facts["unknown"]]
    rest = sorted(set(symbols.values()) - {unknown}, key=str)
    return Recorded(threshold(relation, unknown), rest, answers)


def intervals_at(rule, point):
    """The intervals of the case that applies, with numbers for their ends, joined."""
    case = next(c for c in rule.cases if holds(when(c, rule.cases), point))
    found = ()
    for each in case.intervals:
        low, high = (None if e is None else e.xreplace(point) for e in (each.low, each.high))
        interval = Interval(low, high, each.low_closed, each.high_closed)
        found = found if interval.is_empty else union(found, (interval,))
    return [(Integer(0) if i.low is None else i.low, i.high, *flags(i)) for i in found]


def flags(interval):
    return interval.low_closed, interval.high_closed


def starts(end, closed, x) -> bool:
    order = compare(x, end)
    return order > 0 or (order == 0 and closed)


def holds_above(intervals, x) -> bool:
    """Whether every number from x on belongs to one of the intervals (they are joined)."""
    last = [e for e in intervals if e[1] is None]
    return any(starts(low, closed, x) for low, _, closed, _ in last)


def holds_below(intervals, x) -> bool:
    """Whether every positive number up to x does."""
    first = [e for e in intervals if compare(e[0], Integer(0)) == 0]
    return any(
        high is None or compare(x, high) < 0 or (compare(x, high) == 0 and closed)
        for _, high, _, closed in first
    )


def candidates(intervals) -> list:
    """Points on, just below and just above every end, where it is rational, and some others."""
    ends = {
        e for low, high, *_ in intervals for e in (low, high) if e is not None and e.is_Rational
    }
    shift = Rational(1, 10**9)
    near = {end + d for end in ends for d in (-shift, 0, shift)}
    return [x for x in (*near, Rational(1, 7), Integer(2), Integer(30), Integer(1000)) if x > 0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cases_agree_with_quantifier_elimination(path):
    recorded = read(path)
    grid = [SIZES if s == dim(s.name) and s.name in "DF" else RATES for s in recorded.parameters]
    for values in product(*grid):
        numbers = [Rational(v.numerator, v.denominator) for v in values]
        point = dict(zip(recorded.parameters, numbers, strict=True))
        intervals = intervals_at(recorded.rule, point)
        assert bool(intervals) == holds(recorded.answers["exists"], point), point
        for x in candidates(intervals):
            at = {**point, rate("x"): x}
            assert holds_above(intervals, x) == holds(recorded.answers["above"], at), at
            assert holds_below(intervals, x) == holds(recorded.answers["below"], at), at


def test_a_dozen_are_recorded():
    assert len(FILES) >= 12
