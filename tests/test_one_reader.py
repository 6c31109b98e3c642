"""One reader: what the public functions take, however it is given, becomes the same objects."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import symcost as sc
from strategies import often
from symcost.cli import main
from symcost.errors import InvalidValueError, SymcostError
from symcost.hardware import chip
from symcost.notation.border import inputs, relation, symbol, values
from symcost.notation.units import read_measure, read_printed

B, D = sc.dims("B D")
C = sc.rates("C")


@pytest.mark.parametrize("given", ["2*B*D/C", 2 * B * D / C, "2BD/C", r"\frac{2BD}{C}"])
def test_an_expression_is_the_same_however_it_is_given(given):
    assert sc.formula(given) == 2 * B * D / C


def test_a_symbol_that_was_made_in_sympy_is_ours():
    foreign = sympy.Symbol("B")
    assert sc.formula(foreign + 1) == B + 1
    assert relation(foreign > 3).lhs is B
    assert symbol(foreign) is B


def test_the_texts_of_one_question_declare_each_other():
    asked = inputs(relations="kB > 3", expressions="2*k", symbols="B")
    assert asked.symbols == (B,)
    assert asked.names["k"].is_integer


def test_a_value_says_what_a_name_stands_for():
    asked = inputs(expressions="B*f", values={"f": 0.5})
    assert asked.names["f"].is_integer is None
    assert asked.values == {"f": Fraction(1, 2)}
    assert values({B: 8}) == {"B": 8}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: inputs(relations=True), "True is no relation"),
        (lambda: inputs(symbols=3), "3 is no symbol"),
        (lambda: inputs(expressions=None), "None is no number or expression"),
        (lambda: inputs(values=3), "3 gives no values"),
        (lambda: inputs(assume=[3]), "3 is no assumption"),
        (lambda: inputs(assume=[[3] * 99]), "list is no assumption"),
        (lambda: inputs(values=[3] * 99), "list gives no values"),
        (lambda: inputs(symbols=[{3: 3, **dict.fromkeys(range(99))}]), "dict is no symbol"),
    ],
)
def test_what_is_none_of_these_is_refused(call, message):
    with pytest.raises(InvalidValueError, match=message):
        call()


# -- one text means one thing, wherever it stands ---------------------------------------------

MM = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"

DAYS = "6*70B*1.4T FLOPs/(989 TFLOP/s*n*40%) < 30 days"
NODES = "2 nodes of 8 x h100"
SAID = [  # (arguments of the command line, what it says)
    (["derive", "X: bf16[B, 1e3] @ W: bf16[1e3, F] -> Z: bf16[B, F]"], "FLOPs = 2000*B*F"),
    (["derive", "repeat 1e3 { relu(X: bf16[B]) }"], "FLOPs = 1000*B"),
    (["derive", "relu(X: bf16[B²])"], "FLOPs = B**2"),
    (["derive", "relu(X: bf16[2^10, D//2])"], "FLOPs = 512*D"),
    (["derive", "relu(X: bf16[α])", "--at", "α=3"], "alpha"),
    (["derive", "relu(X: bf16[β])", "--at", "β=64"], "beta"),
    (["derive", "mesh X=n; relu(A: bf16[I_X, J])"], "FLOPs = I*J/n"),
    (["derive", "relu(A: bf16[I_X, J])", "--mesh", "X=n"], "FLOPs = I*J/n"),
    (["check", "295", "--against", "C/W", "--where", "C=989 TFLOP/s, W=3.35 TB/s"], "rounded"),
    (["solve", "n*512 MB < 80 GB", "--for", "n"], "n < 625/4 (156.3), largest integer 156"),
    (["solve", "V/(450 GB/s) > 8 us", "--for", "V"], "V > 3.6 MB"),
    (["solve", "V/W > 8 us", "--for", "V", "--where", "W=450 GB/s"], "V > 3.6 MB"),
    (["solve", "10*P <= 96 GB", "--for", "P"], "P <= 9.6 GB"),
    (["solve", "x*mfu > 9", "--for", "x", "--where", "mfu=45%"], "x > 20"),
    (["solve", "8*D > 37k", "--for", "D"], "37k was read as 37 thousand"),
    (["solve", "alpha*B >= B", "--for", "B"], "always if alpha >= 1"),
    (["solve", "x > N", "--for", "x", "--where", "N=70B"], "x > 7"),
    (["check", "p*10^9*2 bytes = 2*p GB"], "exact"),
    (["check", "n*8 us = 0.64 ms", "--where", "n=80"], "exact"),
    (["check", "2*k*B*D*F", "--against", "2kBDF"], "exact"),
    (["check", "2kBDF", "--against", "2*k*B*D*F"], "exact"),
    (["check", "37k", "--against", "8D", "--where", "D=4608"], "rounded"),
    (["limit", "chips*HBM", "--assume", "chips=256; HBM=16e9"], "4096000000000"),
    (["limit", "B*D/(B + D)", "--assume", "B << S << D"], "B\nrelative error: B/D"),
    (["derive", MM, "--on", "C=989 TFLOP/s, W=22*8.2e11"], "18.04 TB/s"),
    (["derive", "X: bf16[N, D]; Y: bf16[D, M]; A = X[:, :D // 2] @ Y[:D // 2, :]"], "= D*M*N"),
    (["derive", "X: bf16[N, D]; Y: bf16[D, M]; X[:, D//2:] @ Y[D//2:, :]"], "= D*M*N"),
    (["derive", "GPU0: A = X: bf16[B, D] @ W: bf16[D, F]"], "on GPU0"),
    (["derive", "X: int8[B, S, 8] -> Y: int8[S, 8, B]"], "transpose"),
    (["derive", "fused { y = relu(x: bf16[B]) }"], "FLOPs = B"),
    (["derive", "fused f { repeat 3 { y = mul(x: fp32[N], a: fp32[N]) } }"], "FLOPs = 3*N"),
    (["derive", "send X: int8[B, D] to gpu1 over nvlink", "--on", "h100"], "B*D"),
    (["derive", "A: fp32[N, O] @ B: fp32[O, P] -> C: fp32[N, P]"], "FLOPs = 2*N*O*P"),
    (["check", "70B * 2 bytes = 140 GB"], "exact"),
    (["solve", DAYS, "--for", "n"], "smallest integer 574"),  # 5.88e23/(989e12*0.4*2592000)
    (["check", r"\boxed{\frac{C}{W}}", "--against", "C/W"], "exact"),
    (["derive", "A[I, D_X] @ B[D_X, K]", "--mesh", "Y=4"], "note: D_X is one dimension, since the"),
    (["derive", "A[I_X, J] @ B[J, K]"], "note: I_X is one dimension, since no mesh is declared"),
    (["derive", "mesh N(N1=2, N2=8); relu(A: bf16[B_N, D])"], "bf16[B_N1N2, D]"),
    (["derive", "mesh N(N1=2, N2=8); relu(A: bf16[B, D@N])"], "bf16[B, D_N1N2]"),
    (["derive", "relu(A: bf16[B_N])", "--mesh", "N(N1=2, N2=8)", "--on", NODES], "N1=2 over"),
    (["derive", "mesh X=2; A: bf16[I_X] -> B: bf16[I]"], "over ici[X], 1 hop\n"),
    (["solve", "x*B > 1", "--for", "x", "--where", "B=64K"], "64K was read as 64 thousand"),
    (["solve", "x*B*K > 1", "--for", "x", "--where", "B=64K"], "64K was read as 64*K"),
    (["derive", "A[I_X, J] @ B[J, K]", "--mesh", "X=4k"], "mesh X=4000"),
    (["derive", "mesh X=4k, k=2; A[I_X, J] @ B[J, K]"], "mesh X=4*k, k=2"),
    (["check", "4e12 bytes / (1.6e12 B/s) = 2.5 s"], "exact"),
    (["check", "6.3e24/(4096*4.59e14*0.4) s = 97 days"], "rounded"),  # 96.96 days
    (["eval", "6.3e24/(4096*4.59e14*0.4) s"], "8377374.4 s"),
    (["eval", "2*(B + D) s", "--at", "B=2, D=3, s=4"], "40"),
    (["solve", "x > 3e3/(5*2) s", "--for", "x"], "x > 300 s"),
    (["check", r"\approx 295", "--against", "295.22"], "rounded: the claim holds"),
    (["regimes", "w*D + 2*D", "--sweep", "w=1/2:4", "--where", "D=4"], "w from 1/2 (0.5) to 2"),
]


@pytest.mark.parametrize(("arguments", "said"), SAID, ids=lambda value: str(value)[:50])
def test_a_text_means_the_same_wherever_it_stands(capsys, arguments, said):
    assert main(arguments) == 0
    assert said in capsys.readouterr().out


BYTES_AND_TIMES = [
    ["minimize", "V/n + n*t", "--over", "n"],
    ["regimes", "V/n + n*t"],
    ["solve", "V/n + n*t > x", "--for", "x"],
]
REFUSED = [
    (
        ["derive", "A[I, J_X] · Y: bf16[B, D], bf16[D, F] → Z: bf16[B, F]"],
        "2 operands have 3 types",
    ),
    (
        ["derive", "A: fp32[N, N] @ B: fp32[N, N] -> C: fp32[N, N]"],
        "name the axes apart, A: fp32[N, O] @ B: fp32[O, P] -> C: fp32[N, P], "
        "and assume O = N; P = N",
    ),
    (["solve", "8 us + 3 GB > x", "--for", "x"], "the units do not fit: they differ by"),
    (["solve", "x > 8 us; x < 3 GB", "--for", "x"], "the units do not fit"),
    (["limit", "max(3 GB, 2 s)*x", "--assume", "x -> oo"], "the units do not fit"),
    (["derive", MM, "--on", "C=989 TB/s"], "C is in FLOP/s, not in byte/s"),
    (["derive", MM, "--at", "B=64 GB"], "B is a dimension, which is a count, no amount of byte"),
    (["eval", MM, "--at", "B=64 GB, D=8"], "B is a dimension, which is a count"),
    *(([*verb, "--where", "V=1 GB, t=1 us"], "the units do not fit") for verb in BYTES_AND_TIMES),
    (["eval", "V/n + n*t", "--at", "V=1 GB, t=1 us"], "the units do not fit"),
    (["regimes", "relu(X: bf16[B])", "--sweep", "B=1/2:4"], "B is a dimension, so a whole number"),
    (["solve", "x > 100 if D > 3", "--for", "x"], "'if' is no symbol here"),
    (["solve", "x < 1 or x > 9", "--for", "x"], "'or' is no symbol here"),
    (["limit", "O(BDF)", "--assume", "B -> oo"], "O(...) is an order of growth, no formula"),
    (["solve", "x > 4, x < 9", "--for", "x"], "write ; between the two"),
    (["derive", "/nonexistent.txt"], "cannot read /nonexistent.txt: No such file or directory"),
    (["derive", "prog.sc"], "cannot read prog.sc: No such file or directory"),
    (["eval", "sizes/mine.txt"], "cannot read sizes/mine.txt: No such file or directory"),
    (["derive", "repeat 1.5 { relu(X: bf16[B]) }"], "repeat at least once, a whole number"),
    (["derive", "X: bf16[4, D]; relu(X[4])"], "a slice of 1 from 4 is out of 4"),
    (["derive", "X: bf16[B, D]; relu(X[0, 0, 0])"], "X has 2 axes, not 3"),
    (["derive", "X: bf16[B, D]; relu(X[..., 0, ...])"], "X has 2 axes, not 3"),
    (["derive", "X: bf16[B, D]; relu(X, 0)"], "relu takes no number"),
    (["derive", "X: bf16[B, D]; X.transpose(0, 1)"], "two axes in torch and none in numpy"),
    (["derive", "X: bf16[B, D]; X.mT.transpose(0)"], "transpose needs all 2 axes"),
    (["derive", "X: bf16[D]; X.mT"], "bf16[D] has no axis -2"),
    (["derive", "X: bf16[:, D]; relu(X)"], "unexpected"),
    (["derive", "X: bf16[A, B, D]; X.permute(0, 1)"], "transpose needs all 3 axes"),
    (["derive", "X bf16[B, D]"], "write X: bf16[...] for a tensor and its type"),
    (["derive", "X: bf16[B] W: bf16[B]"], "write ; before a new statement"),
    (["derive", "Y = relu(X: bf16[B]) Z = relu(Y)"], "write ; before a new statement"),
    (["derive", "X: bf16[B][D]"], "expected a new statement"),
    (["derive", "A: bf16[B D]"], "write B, D for two sizes, B*D for a product"),
    (["derive", "relu(A: bf16[I_X])", "--mesh", "X=4 Y=2"], "a comma or an operator is missing"),
    (["derive", "A: bf16[B] - > C: bf16[B]"], "unexpected '-'\n  A: bf16[B] - > C: bf16[B]\n"),
    *(
        (["derive", f"A: bf16[B] @ C: bf16[B] {arrow} bf16[1]"], "write -> for the arrow")
        for arrow in ("- >", "-->", "=>", "= >", "⇒", "—>", ">")
    ),
    *(
        (["limit", "B*D", "--assume", f"B {sign} D"], f"{sign} is no assumption")
        for sign in ("~", "≈", "∼", r"\approx")
    ),
    (["solve", "B ≪ D", "--for", "B"], "≪ states an assumption"),
    (["limit", "B ≤ D", "--assume", "B -> oo"], "not a relation with '≤'"),
    (["derive", "X[B, D] * W[D, F]", "--on", "h100"], "without a dtype have no matmul peak"),
    (["derive", "X: w[B, D] @ W: w[D, F]", "--on", "h100"], "the dtype w is a symbol"),
    *(
        (["derive", f"{mesh}{text}"], f"{reason}, so I_{axis} is no part of I; ")
        for mesh, axis, reason in [
            ("mesh X=4; ", "Z", "the mesh has no axis Z"),
            ("mesh X=4; ", "XY", "the mesh has no axis Y"),
            ("mesh dp=4; ", "TP", "the mesh has no axis TP"),
            ("", "X", "no mesh is declared"),
        ]
        for text in [
            f"A: bf16[I_{axis}, J] -> B: bf16[I, J]",
            f"A: bf16[I_{axis}, J] @ B: bf16[J, K] -> C: bf16[I, K]",
            f"A: bf16[I]; B: bf16[I_{axis}]; add(A, B)",
            f"A: bf16[I]; B: bf16[I_{axis}] = relu(A)",
        ]
    ),
    (
        ["derive", "mesh M, N=16; relu(A: bf16[B_N])", "--on", NODES],
        "  mesh M, N=16\n          ^\n",
    ),
    (["derive", "X: bf16[B]; relu(X[:, :])"], "X has 1 axis, not 2"),
    *(
        (["derive", "mesh P, X; A: bf16[I_P]", "--on", on], "are joined is not known; without a")
        for on in ("16 x mi300x", "2 nodes of 8 x mi300x", "4 racks of 72 x gb200")
    ),
    *(
        (["derive", f"mesh {text} -> B: bf16[I, J]"], "^\na mesh axis may split one axis")
        for text in ("X(P, Q); A: bf16[I_X, J_P]", "X=4; A: bf16[I_X, I_X]")
    ),
    (
        ["eval", "mesh X=4; A: bf16[I_X, J]", "--at", "I_X=5"],
        "I_X is I split over X, not a size of its own; give the whole I, and the sizes of",
    ),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=lambda value: str(value)[:50])
def test_what_does_not_fit_is_refused(capsys, arguments, said):
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


SPELLED = [  # the same products as numpy and torch spell them
    'X: bf16[B, D]; W: bf16[D, F]; np.einsum("bd,df->bf", X, W)',
    "X: bf16[B, D]; W: bf16[D, F]; einsum('bd,df->bf', X, W)",
    "X: bf16[B, D]; W: bf16[D, F]; torch.matmul(X, W)",
    "X: bf16[B, D]; W: bf16[F, D]; X @ W.T",
    "X: bf16[B, D]; W: bf16[F, D]; matmul(X, W.T)",
    "X: bf16[B, D]; W: bf16[F, D]; X @ W.mT",
    "X: bf16[B, D]; W: bf16[F, D]; X @ W.transpose(-1, -2)",
    "X: bf16[B, D]; W: bf16[F, D]; X @ W.transpose(1, 0)",
    "X: bf16[D, B]; W: bf16[D, F]; torch.matmul(X.T, W)",
    "X: bf16[B, D]; W: bf16[F, D]; einsum('bd,df->bf', X, W.T)",
    "X: torch.bfloat16[B, D]; X @ torch.bfloat16[D, F]",
    "X: bf16[B, D]; W: bf16[D, F]; torch.mm(X, W)",
    "X: bf16[B, D]; W: bf16[F, D]; torch.mm(X, W.t())",
    "X: bf16[B, D]; W: bf16[F, D]; X @ W.permute(1, 0)",
    "X: bf16[B, D]; W: bf16[F, D]; X @ np.swapaxes(W, 0, 1)",
    "X: bf16[B, D]; W: bf16[F, D]; F.linear(X, W)",
    "torch.nn.functional.linear(X: bf16[B, D], W: bf16[F, D])",
]


def test_a_linear_layer_with_a_bias_adds_it():
    cost = sc.parse("X: bf16[B, D]; W: bf16[F, D]; b: bf16[F]; Y = F.linear(X, W, b)").cost()
    assert cost.flops() == sc.formula("2*B*D*F + B*F")


@pytest.mark.parametrize("text", SPELLED)
def test_the_spellings_of_numpy_and_torch(text):
    cost = sc.parse(text).cost()
    plain = sc.parse(MM).cost()
    assert (cost.flops(), cost.bytes("hbm")) == (plain.flops(), plain.bytes("hbm"))


VIEWS = [  # (statement on X: bf16[B, S, D] and N: bf16[8, 4], its type): as numpy indexes
    ("X[:128]", "bf16[128, S, D]"),
    ("X[0]", "bf16[S, D]"),
    ("X[-1, 2]", "bf16[D]"),
    ("X[0, :, 1:]", "bf16[S, D - 1]"),
    ("X[..., :64]", "bf16[B, S, 64]"),
    ("X[..., 0]", "bf16[B, S]"),
    ("X[0, ..., 0]", "bf16[S]"),
    ("X.T", "bf16[D, S, B]"),
    ("X.mT", "bf16[B, D, S]"),
    ("X.transpose(-1, -2)", "bf16[B, D, S]"),
    ("X.transpose(0, 1)", "bf16[S, B, D]"),
    ("np.transpose(X, 2, 0, 1)", "bf16[D, B, S]"),
    ("X.sum(-1)", "bf16[B, S]"),
    ("X.permute(2, 0, 1)", "bf16[D, B, S]"),
    ("torch.permute(X, (2, 0, 1))", "bf16[D, B, S]"),
    ("np.transpose(X, [2, 0, 1])", "bf16[D, B, S]"),
    ("X.swapaxes(0, -1)", "bf16[D, S, B]"),
    ("N.t()", "bf16[4, 8]"),
    ("X.sum((0, 1))", "bf16[D]"),
    ("torch.topk(N, 2)", "bf16[8, 2]"),
    ("torch.cat([X, X], dim=-1)", "bf16[B, S, 2*D]"),
    ("np.concatenate((X, X), axis=0)", "bf16[2*B, S, D]"),
    ("N @ N.T", "bf16[8, 8]"),
]


@pytest.mark.parametrize(("text", "type_"), VIEWS)
def test_parts_and_views_as_numpy_and_torch_write_them(text, type_):
    declared = "X: bf16[B, S, D]; N: bf16[8, 4]; "
    program = sc.parse(declared + f"Y = {text}")
    assert str(program.tensors["Y"].type) == type_
    assert sc.parse(str(program)) == program


def test_a_view_in_a_product_moves_nothing():
    numbers = sc.parse("X: bf16[B, 8]; W: bf16[4, 8]; X @ W.T").cost()
    assert (numbers.flops(), numbers.bytes("hbm")) == (64 * sc.dim("B"), 24 * sc.dim("B") + 64)
    square = sc.parse("X: bf16[8, 8]; W: bf16[8, 8]; X @ W.T")
    assert dict(square.ops[0].attrs)["spec"] == "ab,cb->ac"


def test_what_is_one_already_is_understood():
    B, C = sc.dims("B"), sc.rates("C")
    assert (sc.dims([B, "D"]), sc.dims(B), sc.rates([C])) == ((B, sc.dim("D")), B, (C,))
    assert sc.chip(sc.chip("h100")) == sc.chip("h100")
    assert sc.dtype(sc.dtype("bf16")) is sc.dtype("bf16")


def test_parameters_as_torch_names_them():
    program = sc.parse("S: bf16[B, T]; softmax(S, dim=-1)")
    assert program == sc.parse("S: bf16[B, T]; softmax(S, axis=T)")
    assert sc.parse("S: bf16[B, T]; S.sum(dim=0)") == sc.parse("S: bf16[B, T]; sum(S, axis=B)")


def test_commands_one_after_another_are_not_nested():
    text = " + ".join(rf"\frac{{{number}}}{{x}}" for number in range(1, 201))
    assert str(sc.formula(text)) == "20100/x"


def test_many_large_denominators_in_one_sum_are_refused():
    """29 of 951 bits each: every further sum would multiply them."""
    with pytest.raises(SymcostError, match="more than 1,000 digits"):
        sc.formula(" + ".join(f"x^{power}/3^600" for power in range(1, 30)))


UNITS = [  # (a formula alone, its value in base units)
    ("140 GB / (3.35 TB/s)", Fraction(140, 3350)),
    ("140 GB / 3.35 TB/s", Fraction(140, 3350)),
    ("1/2 GB", 5 * 10**8),
    ("16 GiB", 2**34),
    ("400 Gb/s", 5 * 10**10),
    ("12 µs", Fraction(12, 10**6)),
    (r"1.01\,\mu s", Fraction(101, 10**8)),
    (r"\frac{140\,\text{GB}}{3.35\,\text{TB/s}}", Fraction(140, 3350)),
    (r"45\%", Fraction(9, 20)),
    ("2^34 bytes", 2**34),
    ("3 billion parameters", 3 * 10**9),
    ("2.5 TB per s", 25 * 10**11),
    ("8 us + 2 s", 2 + Fraction(8, 10**6)),
    ("-(3 GB) + 4 GB", 10**9),
    ("1 h + 3 min", 3780),  # an hour where a longer word is a time
    ("2 d + 4 h + 3 ms", 187200 + Fraction(3, 1000)),
]


@pytest.mark.parametrize(("text", "value"), UNITS)
def test_a_unit_is_read_after_a_number(text, value):
    assert sc.formula(text) == sympy.Rational(value)


LETTERS = [  # (an amount, its value, its unit): a letter behind a number, in text or not
    ("16 B", 16, "B"),
    (r"100 \text{ B}", 100, "B"),
    ("70B", 70 * 10**9, "B"),
    (r"70\text{B}", 70 * 10**9, "B"),
    (r"44.0 \text{M}", 44 * 10**6, "M"),
]


@pytest.mark.parametrize(("text", "value", "unit"), LETTERS)
def test_a_letter_behind_a_number_is_bytes_or_a_count(text, value, unit):
    measure = read_measure(text)
    assert (measure.value, measure.unit) == (value, unit)
    assert measure.dimension == ((("byte", 1),) if value < 1000 else ())


SYMBOLS = [  # a letter that is used as a symbol is that symbol
    ("2*p GB", {"p"}),
    (r"16N \text{ bytes}", {"N"}),
    (r"2~\text{GB} \times n", {"n"}),
    ("2B", {"B"}),
    ("4B^2 + D", {"B", "D"}),
    ("2MB + M + B", {"M", "B"}),
    ("2 kB/W", {"W"}),
    ("24BSD^2 + 4BS^2D", {"B", "S", "D"}),
    (r"6 \text{params} \text{tokens}", {"params", "tokens"}),
    ("5 s*d", {"s", "d"}),
    ("2B*D", {"B", "D"}),
    ("2B*70B*B", {"B"}),
    ("O*(B + D)", {"O", "B", "D"}),
]


@pytest.mark.parametrize(("text", "names"), SYMBOLS)
def test_a_letter_that_is_used_is_a_symbol(text, names):
    assert {s.name for s in sc.formula(text).free_symbols} == names


def test_a_declared_letter_is_a_symbol_unless_it_stands_in_text():
    declared = sc.dims("G B")
    assert sc.formula("3 GB") == 3 * 10**9
    asked = inputs(expressions=["3 GB", r"3\,\text{GB}"], symbols=declared)
    assert asked.expressions == (3 * declared[0] * declared[1], 3 * 10**9)


@pytest.mark.parametrize("name", ["W1", "W_1", "n1", "W_hbm1"])
def test_a_printed_name_is_read_as_the_symbol_that_was_printed(name):
    printed = sc.to_latex(3 * sc.dims(name))
    made = sc.dims(name)
    assert inputs(expressions=printed, symbols=made).expressions == (3 * made,)


def test_units_decide_the_dimension_of_symbols():
    asked = inputs(relations="V/W > t", values="W=450 GB/s, t=8 us", symbols="V")
    assert [asked.unit(name) for name in ("V", "W", "t", "x")] == ["byte", "byte/s", "s", ""]
    assert inputs(expressions="x/(3 TB/s)", values="x=6 TB").dimensions == ((("second", 1),),)


# -- any text is answered with one error ------------------------------------------------------

PIECES = [text for text, *_ in UNITS] + [text for text, _ in SYMBOLS] + ["x", "+", "*", "/", "^"]
PIECES += ["GB", "s", "%", "70B", "37k", "(", ")", "max(", ",", "<", "=", "->", "<<", ";", "oo"]
PIECES += [r"\text{GB/s}", r"\mu s", r"\%", "µs", "per s", "and", "\n", "$", "1e400", "GB^2", "//"]


def is_answered(call) -> bool:
    """Whether a call gives something, or one message that is not too long."""
    try:
        return repr(call()) != ""
    except SymcostError as error:
        return 0 < len(str(error)) < 1000


@often(3)
@given(st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join), st.sampled_from(["", "B", "s"]))
def test_random_pieces_are_read_or_refused(text, symbol):
    begin = time.process_time()
    for kind in ("expressions", "relations", "values", "assume", "given"):
        assert is_answered(lambda kind=kind: inputs(**{kind: text}, symbols=symbol))
    for reader in (read_measure, read_printed, chip):
        assert is_answered(lambda reader=reader: reader(text))
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "text",
    [
        "8 us " * 4000,
        "GB/" * 6000 + "s",
        "2 GB/s" + "/s" * 9000,
        "1" + "%" * 19_000,
        "3 GB + " * 2800 + "8 us",
        "+".join(f"x{i} GB" for i in range(2200)),
        "max(" + ",".join(f"{i} GB" for i in range(2500)) + ")",
        "//".join("B" * 9000),
        r"\text{" * 3000,
        "7" * 19_000 + " GB",
        "2^" * 90 + "2 GB",
    ],
    ids=lambda text: text[:12],
)
def test_long_amounts_take_bounded_time(text):
    begin = time.process_time()
    assert is_answered(lambda: inputs(expressions=text))
    assert is_answered(lambda: inputs(relations=f"{text} > x"))
    assert is_answered(lambda: read_measure(text))
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "product", ["X.T @ X", "X @ X.T", "X @ Y: bf16[D, N]", "X.T @ Y: bf16[N, D]"]
)
def test_a_product_whose_result_has_a_name_twice_is_refused(product):
    with pytest.raises(SymcostError, match=r"would have the dimension \w+ twice"):
        sc.parse(f"X: bf16[N, D]; G = {product}")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("37k + D", 37 * sc.dim("k") + D),
        ("37k*D", 37 * sc.dim("k") * D),
        ("D s", D * sc.dim("s")),
    ],
)
def test_a_letter_is_a_symbol_where_the_amount_is_not_all_there_is(text, meant):
    assert sc.formula(text) == meant
