"""sc.function and sc.sweep against exact arithmetic and plain numpy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import ceiling, exp, floor, log, sqrt

from strategies import SYMBOLS, evaluate, points, posynomials, signomials
from symcost.algebra import Maximum, Minimum, Ratio
from symcost.algebra.roots import PositiveRoot
from symcost.analysis.numeric.evaluation import CHUNK
from symcost.analysis.numeric.function import function
from symcost.analysis.numeric.sweep import sweep
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import dims

B, D, F, S = SYMBOLS
ROOFLINE = Maximum(2 * B * D * F / 989e12, (2 * B * D + 2 * D * F + 2 * B * F) / 3.35e12)


def plain(b, d, f):
    return np.maximum(2 * b * d * f / 989e12, (2 * b * d + 2 * d * f + 2 * b * f) / 3.35e12)


@given(signomials(), posynomials(), points)
def test_exact_arithmetic_agrees(num, den, point):
    ratio = Ratio.of(num, den)
    expected = float(evaluate(ratio.num, point) / evaluate(ratio.den, point))
    found = function(ratio.to_sympy(), SYMBOLS)(*(point[s] for s in SYMBOLS))
    scale = float(
        sum(abs(evaluate(term, point)) for term in ratio.num) / evaluate(ratio.den, point)
    )
    assert abs(found - expected) <= 1e-12 * max(scale, 1e-300)


@given(st.lists(points, min_size=1, max_size=8), posynomials(), posynomials())
def test_arrays_are_the_scalars(many, p, q):
    call = function(Maximum(p.to_sympy(), Minimum(q.to_sympy(), 100)), SYMBOLS)
    arrays = [np.array([point[s] for point in many]) for s in SYMBOLS]
    found = np.broadcast_to(call(*arrays), len(many))
    for index, point in enumerate(many):
        assert found[index] == call(*(point[s] for s in SYMBOLS))


@given(
    st.lists(points, min_size=1, max_size=8),
    signomials(),
    posynomials(),
    st.sets(st.sampled_from(SYMBOLS)),
)
def test_numbers_beside_arrays(many, num, den, numbers):
    """Whatever is a number and whatever an array, the values are those of exact arithmetic."""
    ratio = Ratio.of(num, den)
    shared = many[0]
    at = [{s: (shared if s in numbers else point)[s] for s in SYMBOLS} for point in many]
    values = [shared[s] if s in numbers else np.array([p[s] for p in at]) for s in SYMBOLS]
    found = np.broadcast_to(function(ratio.to_sympy(), SYMBOLS)(*values), len(many))
    for point, value in zip(at, found, strict=True):
        bottom = evaluate(ratio.den, point)
        expected = float(evaluate(ratio.num, point) / bottom)
        scale = float(sum(abs(evaluate(term, point)) for term in ratio.num) / bottom)
        assert abs(value - expected) <= 1e-12 * max(scale, 1e-300)


def test_an_array_among_numbers_takes_few_operations():
    rates = dims("C W")
    time = Maximum(2 * B * D * F / rates[0], (2 * B * D + 2 * D * F + 2 * B * F) / rates[1])
    call = function(time, [B, D, F, *rates])
    assert len(call.program(["D", "F", "C", "W"]).steps) == 4  # B*k1, + k2, B*k3, maximum
    assert len(call.program().steps) == 10
    b = np.arange(1.0, 9.0)
    expected = np.maximum(2 * b * 35 / 3, (2 * b * 5 + 70 + 2 * b * 7) / 2)
    np.testing.assert_allclose(call(b, 5, 7, 3, 2), expected, rtol=1e-15)


@pytest.mark.parametrize("rounded", [ceiling, floor])
def test_whole_quotients_are_rounded_to_themselves(rounded):
    """525 * (1/75) is 7.000000000000001, whose ceiling is 8: divide, do not multiply."""
    whole = np.arange(1, 300)
    for part in (3, 49, 75, 103, 187):
        np.testing.assert_array_equal(function(rounded(B / part), [B])(whole * part), whole)
        np.testing.assert_array_equal(function(rounded(B / D), [B, D])(whole * part, part), whole)
        tiles = rounded((B * D - F) / (part * S) + F / (part * S))
        found = function(tiles, [B, D, F, S])(whole * part, 7, whole, 7)
        np.testing.assert_array_equal(found, whole)


@pytest.mark.parametrize("size", [1, 7, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])
def test_every_size_around_a_chunk(size):
    rng = np.random.default_rng(size)
    b, d, f = rng.random((3, size)) * 1000 + 1
    np.testing.assert_allclose(function(ROOFLINE, [B, D, F])(b, d, f), plain(b, d, f), rtol=1e-13)


def test_broadcasting_strides_and_order():
    call = function(ROOFLINE, [B, D, F])
    b, d = np.arange(1, 40)[::2, None], np.arange(1, 60, dtype=np.int32)[None, ::3]
    np.testing.assert_allclose(call(b, d, 7), plain(b.astype(float), d, 7.0), rtol=1e-13)
    fortran = np.asfortranarray(np.arange(1.0, 13.0).reshape(3, 4))
    np.testing.assert_allclose(call(fortran, 2.0, 3.0), plain(fortran, 2.0, 3.0), rtol=1e-13)
    assert call(np.empty((0, 3)), 1, 1).shape == (0, 3)


def test_integers_do_not_overflow():
    assert function(B * D * F, [B, D, F])(np.array([2**40]), 2**40, 2**40)[0] == 2.0**120


def test_single_precision_stays_single():
    value = np.ones(4, np.float32)
    assert function(B + D, [B, D])(value, value).dtype == np.float32
    assert function(B + D, [B, D])(value, np.ones(4)).dtype == np.float64


def test_functions_and_powers():
    x = np.array([1.5, 7.25, 1000.0])
    for expr, expected in [
        (ceiling(B / 8), np.ceil(x / 8)),
        (floor(B / 8) + 1, np.floor(x / 8) + 1),
        (log(B), np.log(x)),
        (B * exp(B - 990) + exp(1), x * np.exp(x - 990) + np.e),
        (sqrt(B) / B**3, np.sqrt(x) / x**3),
        (1 / (1 + B) + 1 / (2 + B), 1 / (1 + x) + 1 / (2 + x)),
        (B ** (Fraction(1, 3)), x ** (1 / 3)),
        (3 * Maximum(B, B**2 / 9), 3 * np.maximum(x, x**2 / 9)),
        (3 / Maximum(B, B**2 / 9), 3 / np.maximum(x, x**2 / 9)),
        (3 / Minimum(B, B**2 / 9) ** 2, 3 / np.minimum(x, x**2 / 9) ** 2),
    ]:
        np.testing.assert_allclose(function(expr, [B])(x), expected, rtol=1e-13)


def test_nan_and_infinity_pass_through():
    with np.errstate(all="ignore"):
        found = function(B / D, [B, D])(np.array([1.0, np.nan, np.inf]), np.array([0.0, 1, 1]))
    assert found[0] == np.inf
    assert np.isnan(found[1])
    assert found[2] == np.inf


class Units(np.lib.mixins.NDArrayOperatorsMixin):
    """A small duck array: it follows numpy's ufunc protocol and counts the calls."""

    calls = 0

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        Units.calls += 1
        assert "out" not in kwargs
        return Units(ufunc(*(i.values if isinstance(i, Units) else i for i in inputs)))


def test_other_arrays_compute_by_themselves():
    found = function(ROOFLINE, [B, D, F])(Units([1.0, 500.0]), 8192, 8192)
    assert isinstance(found, Units)
    assert Units.calls > 0
    np.testing.assert_allclose(found.values, plain(np.array([1.0, 500.0]), 8192, 8192))


def test_several_expressions_share_their_work():
    call = function({"sum": B * D + F, "product": B * D * F, "same": B * D + F}, [B, D, F])
    found = call(np.array([2.0]), 3.0, 5.0)
    assert {name: value[0] for name, value in found.items()} == {
        "sum": 11.0,
        "product": 30.0,
        "same": 11.0,
    }
    assert repr(call) == "function of B, D, F, 3 array operations"
    one, constant = function((B, 7), [B])(np.array([1.0, 2.0]))
    np.testing.assert_array_equal(one, [1, 2])
    np.testing.assert_array_equal(constant, [7, 7])


def test_results_are_no_views_of_the_arguments():
    b = np.array([1.0, 2.0])
    found = function(B, [B])(b)
    found[0] = 9
    assert b[0] == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: function(B * D, [B]),
            "the expression contains D, which is no argument;"
            " add D to the symbols, or put a number in for it",
        ),
        (lambda: function(B, [B, B]), "B is named twice; name it once"),
        (
            lambda: function(B * D, [B, D])(1),
            "1 values for 2 symbols; give B, D, in this order",
        ),
        (
            lambda: sweep({"x": B * D}, over={B: [1]}),
            "no number was given for D; give D a number: --where D=..., in Python with at=",
        ),
        (lambda: sweep({"B": B}, over={B: [1]}), "the name B is used twice; use another name"),
        (
            lambda: sweep({"x": B}, over={B: []}),
            "there are no values for B; sweep at least one value",
        ),
    ],
)
def test_wrong_arguments(make, message):
    with pytest.raises(InvalidValueError) as caught:
        make()
    assert str(caught.value) == message


def test_a_sweep_is_a_structured_array():
    table = sweep({"flops": 2 * B * D * F, "b": B}, over={"B": [1, 2], D: [3, 4]}, at={"F": 5})
    assert table.dtype.names == ("B", "D", "flops", "b")
    assert table["flops"].tolist() == [30, 40, 60, 80]
    assert table["B"].dtype.kind == "i"
    (n,) = (dims("N"),)
    assert sweep({"half": n / 2}, over={n: [1.5]})["N"].tolist() == [1.5]


def test_a_root_without_numbers_is_refused():
    root = PositiveRoot.of(B**3 + D * B - 5, B)
    with pytest.raises(UndecidedError, match="is not evaluated on arrays"):
        function(root + 1, [D])


def test_a_step_of_an_array_and_a_number_is_taken_at_each_value():
    stepped = function("x*ceil(B*D/7)", ["x", "B", "D"])
    sizes = np.array([1, 2, 3, 10])
    expected = [2 * -(-5 * int(size) // 7) for size in sizes]
    assert stepped(2, sizes, 5).tolist() == expected
    assert stepped(2, 5, sizes).tolist() == expected
