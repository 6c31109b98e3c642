"""The command line: the only place that prints. Heavy modules are imported by the verbs."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import NoReturn, TypeAlias

from symcost import __version__, verbs
from symcost.errors import SymcostError
from symcost.files.contents import write_bytes, write_text
from symcost.files.streams import say, silence
from symcost.render.registry import content, format_names

NOT_UNDERSTOOD = 2
UP_TO = 4096  # of the integers that --integers lists, where it says none
FUNCTIONS = {"check-doc": "check_doc", "eval": "evaluate"}  # other verbs have their own name

_FORMULA = re.compile(r"\A-(?![-oh]|\Z)")  # -x + 3 is no option; a blank says so to argparse

Verbs: TypeAlias = "argparse._SubParsersAction[_Parser]"

EPILOG = """\
PROGRAM and FORMULA are text, a file, or - for standard input.

exit codes:
  0  done; for check: the claim holds (exact, in the limit, after rounding)
  1  the claim does not hold, or only under another convention
  2  the input is not understood
  3  the claim cannot be decided
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one message with the repair."""

    def error(self, message: str) -> NoReturn:
        self.exit(NOT_UNDERSTOOD, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    >>> main(["limit", "B*D*F/(B*D + D*F + B*F)", "--assume", "B << D, F"])
    B
    relative error: B/D + B/F
    0
    """
    try:
        typed = sys.argv[1:] if argv is None else argv
        args = _parser().parse_args([_FORMULA.sub(" -", text) for text in typed])
        outcome: verbs.Outcome = getattr(verbs, FUNCTIONS.get(args.verb, args.verb))(args)
        _say(outcome, args)
    except SymcostError as error:
        return _refused(str(error))
    except (RecursionError, MemoryError):
        return _refused("the input is too deep or too large to work on")
    except BrokenPipeError:
        silence()
        return verbs.DONE
    except Exception as error:  # whatever it is, nobody who types a command wants its traceback
        kind = type(error).__name__
        return _refused(f"a fault of symcost, not of the input: {kind}: {error}")
    return outcome.code


def _refused(message: str) -> int:
    print(f"symcost: {message}", file=sys.stderr)
    return NOT_UNDERSTOOD


def _say(outcome: verbs.Outcome, args: argparse.Namespace) -> None:
    """Print the answer in the format that is asked for, or write it to the file that is named."""
    path: str | None = args.output
    name = outcome.picture or args.format
    found = content(outcome.document, name, whole=name == "html" or args.standalone)
    if isinstance(found, bytes):
        write_bytes(path or "-", found)
    elif path is None:
        say(found)
    else:
        write_text(path, found if found.endswith("\n") else f"{found}\n")
    if outcome.picture and path is not None:
        say(f"wrote {path}")


def _parser() -> _Parser:
    parser = _Parser(
        prog="symcost",
        description="Derive and check performance formulas of tensor programs, symbolically.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"symcost {__version__}")
    subparsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for add in _ADDERS:
        add(subparsers)
    return parser


def _verb(verbs: Verbs, name: str, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    return parser


def _add_derive(verbs: Verbs) -> None:
    verb = _verb(verbs, "derive", "derive costs, times, limits and rules of a program")
    verb.add_argument("program", metavar="PROGRAM")
    verb.add_argument("--on", metavar="CHIP", help='a chip, a TOML file, or "C=…, W=…"')
    verb.add_argument("--assume", metavar="TEXT", help='for example "B << D, F"')
    verb.add_argument("--solve", metavar="SYMBOL", help="the symbol to find the rule for")
    verb.add_argument("--at", metavar="VALUES", help='numbers, for example "D=8192,F=8192"')
    verb.add_argument("--given", metavar="BOX", help='what suffices for all of "D, F >= 8192"')
    _add_prove(verb, "prove the rules (extra: prove)")
    _add_mesh(verb)
    verb.add_argument("--count", choices=("leading", "exact"), default="leading")
    _add_format(verb)


def _add_eval(verbs: Verbs) -> None:
    verb = _verb(verbs, "eval", "the value of a formula, or the costs of a program, in numbers")
    verb.add_argument("formula", metavar="FORMULA|PROGRAM")
    verb.add_argument("--on", metavar="CHIP", help="a chip for times, or for C and W in a formula")
    _add_of(verb)
    verb.add_argument("--at", metavar="VALUES", help='numbers, for example "B=64, D=8192"')
    _add_format(verb)


def _add_check(verbs: Verbs) -> None:
    verb = _verb(verbs, "check", "check a formula or a number against what is derived")
    verb.add_argument("claim", metavar="CLAIM", help="a chain such as a = b needs nothing else")
    against = verb.add_mutually_exclusive_group()
    against.add_argument("--of", metavar="PROGRAM", dest="program")
    against.add_argument("--against", metavar="FORMULA")
    _add_mesh(verb)
    verb.add_argument(
        "--quantity",
        choices=(
            *("flops", "bytes", "intensity", "t_math", "t_comms", "threshold"),
            *("memory", "parameters"),
        ),
        help="what the claim says something about (with --of)",
    )
    verb.add_argument("--on", metavar="CHIP")
    verb.add_argument("--channel", metavar="NAME", help="the channel, where there are several")
    verb.add_argument("--unit", metavar="NAME", help="the compute unit, where there are several")
    verb.add_argument("--solve", metavar="SYMBOL", help="the symbol of a threshold")
    verb.add_argument("--where", metavar="VALUES", help='values, for example "C=1.97e14, W=8.2e11"')
    verb.add_argument("--at", metavar="VALUES", dest="where_at", help="the same as --where")
    verb.add_argument("--assume", metavar="TEXT")
    verb.add_argument("--count", choices=("leading", "exact"), default="leading")
    _add_format(verb)


def _add_check_doc(verbs: Verbs) -> None:
    verb = _verb(verbs, "check-doc", "check the formulas of Markdown, LaTeX, HTML, notebooks")
    verb.add_argument("pages", metavar="FILE", nargs="+", help="a page; - is standard input")
    verb.add_argument("--assume", metavar="TEXT")
    undecided = verb.add_mutually_exclusive_group()
    undecided.add_argument("--strict", action="store_true", help="exit 1 for what is undecided")
    undecided.add_argument("--lenient", action="store_true", help="exit 0 for what is undecided")
    _add_format(verb)


def _add_limit(verbs: Verbs) -> None:
    verb = _verb(verbs, "limit", "the simple form of a formula and its exact error")
    verb.add_argument("formula", metavar="FORMULA")
    verb.add_argument("--assume", metavar="TEXT", required=True)
    _add_prove(verb, "prove on which side it errs")
    verb.add_argument("--at", metavar="VALUES", help="numbers at which the error is wanted")
    _add_of(verb)
    _add_on(verb)
    _add_format(verb)


def _add_solve(verbs: Verbs) -> None:
    verb = _verb(verbs, "solve", "solve inequalities for one symbol, with conditions")
    verb.add_argument("inequality", metavar='"FORMULA > FORMULA"', help="several: a ; between")
    verb.add_argument("--for", metavar="SYMBOL", required=True, dest="symbol")
    verb.add_argument("--where", metavar="VALUES", help='values, for example "C=1.97e14, W=8.2e11"')
    verb.add_argument("--assume", metavar="TEXT")
    verb.add_argument("--given", metavar="BOX", help='what suffices for all of "D, F >= 8192"')
    verb.add_argument(
        "--integers",
        metavar="N",
        type=_integers,
        help="list the integers up to N; even:N, pow2:N or divides:N: of these only",
    )
    _add_of(verb)
    _add_on(verb)
    _add_prove(verb, "prove the answer (extra: prove)")
    _add_format(verb)


def _add_regimes(verbs: Verbs) -> None:
    verb = _verb(verbs, "regimes", "which term or time is largest where, with the borders")
    verb.add_argument("formula", metavar="FORMULA|PROGRAM")
    verb.add_argument("--on", metavar="CHIP", help="with a program: compare its times there")
    _add_of(verb)
    verb.add_argument(
        "--sweep", metavar="RANGE", action="append", help="along B=1:4096; two: a map"
    )
    verb.add_argument("--where", metavar="VALUES", help="numbers for symbols")
    verb.add_argument("--assume", metavar="TEXT")
    _add_format(verb)


def _add_minimize(verbs: Verbs) -> None:
    verb = _verb(verbs, "minimize", "the least value of a formula, in closed form or exactly")
    verb.add_argument("formula", metavar="FORMULA")
    verb.add_argument("--over", metavar="SYMBOLS", required=True, help='for example "X" or "X, Y"')
    verb.add_argument("--subject-to", metavar="RELATIONS", help='for example "X*Y = N; X <= 16"')
    verb.add_argument("--where", metavar="VALUES", help="numbers for symbols")
    verb.add_argument("--integer", action="store_true", help="the best whole number as well")
    _add_of(verb)
    _add_on(verb)
    _add_format(verb)


def _add_plot(verbs: Verbs) -> None:
    verb = _verb(verbs, "plot", "draw a roofline, or throughput along a swept symbol")
    verb.add_argument("program", metavar="PROGRAM", nargs="+")
    verb.add_argument("--on", metavar="CHIP", action="append", help="a chip each")
    verb.add_argument("--graph", action="store_true", help="draw the program itself; no chip")
    _add_mesh(verb)
    verb.add_argument("--sweep", metavar="RANGE", action="append", help="for example B=1:512:8")
    verb.add_argument("--log", action="store_true", help="a logarithmic axis for the sweep")
    verb.add_argument("--at", metavar="VALUES", action="append", help="a curve or point each")
    verb.add_argument("--bandwidth", metavar="VALUES", help='more roofs: "L2=5.5e12"')
    _add_format(verb, output="png, svg or pdf; with --graph dot and graphml as well")


def _add_chips(verbs: Verbs) -> None:
    verb = _verb(verbs, "chips", "list the chips, or show one with its sources")
    verb.add_argument("chip", metavar="CHIP", nargs="?")
    _add_format(verb)


def _add_on(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--on", metavar="CHIP", help="the chip whose figures C and W are")


def _add_of(verb: argparse.ArgumentParser) -> None:
    said = "a program whose memory, flops, ... the formula names"
    verb.add_argument("--of", metavar="PROGRAM", dest="program", help=said)
    _add_mesh(verb)


def _add_mesh(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--mesh", metavar="AXES", help='mesh axes, for example "X=4,Y=2"')


def _add_prove(verb: argparse.ArgumentParser, text: str) -> None:
    verb.add_argument("--prove", action="store_true", help=text)
    verb.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=10.0, help="per proof")


def _integers(text: str) -> tuple[int, str | None]:
    """The bound of ``--integers``, and which integers up to it where not all are asked about."""
    from symcost.notation.border import values

    kind, _, number = text.rpartition(":") if ":" in text else (text, "", str(UP_TO))
    if kind not in ("even", "pow2", "divides"):
        kind, number = "", text
    try:
        bound = values(f"N={number}", formulas=False)["N"]
    except SymcostError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error.problem}") from None
    if not isinstance(bound, int):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return bound, f"divides:{bound}" if kind == "divides" else kind or None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of seconds")
    return seconds


def _add_format(verb: argparse.ArgumentParser, output: str = "") -> None:
    verb.add_argument("--format", choices=format_names(), default="text")
    verb.add_argument("--standalone", action="store_true", help="latex: a whole document")
    said = output or "write to a file instead"
    verb.add_argument("-o", "--output", metavar="FILE", required=bool(output), help=said)


_ADDERS = (
    _add_derive,
    _add_eval,
    _add_check,
    _add_check_doc,
    _add_limit,
    _add_solve,
    _add_regimes,
    _add_minimize,
    _add_plot,
    _add_chips,
)
