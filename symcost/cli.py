"""The command line: the only place that prints. Heavy modules are imported by the verbs."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn, TypeAlias

from symcost import __version__, verbs
from symcost.errors import SymcostError
from symcost.files.contents import write_bytes, write_text
from symcost.files.streams import complain, say, silence
from symcost.render.registry import FINDINGS, content, format_names

NOT_UNDERSTOOD = 2
QUANTITIES = (
    *("flops", "bytes", "intensity", "t_math", "t_comms", "threshold"),
    *("memory", "parameters"),
)
UP_TO = 4096  # of the integers that --integers lists, where it says none
FUNCTIONS = {"check-doc": "check_doc", "eval": "evaluate"}  # other verbs have their own name

_FORMULA = re.compile(r"\A-(?![-oh]|\Z)")  # -x + 3 is no option; a blank says so to argparse

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


class _Given(argparse.Action):
    """An option given again adds to a list of values or statements; what is one thing is refused,
    since the last would win unseen."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        seen = vars(namespace).setdefault("_seen", set())
        if self.dest in seen:
            if self.metavar not in LISTS:
                raise argparse.ArgumentError(self, "given twice; leave one out")
            values = f"{getattr(namespace, self.dest)}; {values}"
        seen.add(self.dest)
        setattr(namespace, self.dest, values)


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
    complain(f"symcost: {message}")
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
    if outcome.picture and path not in (None, "-"):
        say(f"wrote {path}")


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


Settings: TypeAlias = dict[str, Any]  # what argparse is told of an argument

_TEXT: Settings = {"dest": "formula", "metavar": "FORMULA"}
_EITHER: Settings = {"dest": "formula", "metavar": "FORMULA|PROGRAM"}
VERBS: dict[str, tuple[str, Settings, str]] = {  # what it does, what it takes, and its options
    "derive": (
        "derive costs, times, limits and rules of a program",
        {"dest": "program", "metavar": "PROGRAM"},
        "--on --assume --solve --at --given --prove --timeout --mesh --count --serial",
    ),
    "eval": (
        "the value of a formula, or the costs of a program, in numbers",
        _EITHER,
        "--on --of --mesh --at --serial",
    ),
    "check": (
        "check a formula or a number against what is derived",
        {"dest": "claim", "metavar": "CLAIM", "help": "a chain such as a = b needs nothing else"},
        "--of|--against --mesh --quantity --on --channel --unit --solve --where --at --assume "
        "--count",
    ),
    "check-doc": (
        "check the formulas of Markdown, LaTeX, HTML, notebooks",
        {"dest": "pages", "metavar": "FILE", "nargs": "+", "help": "a page; - is standard input"},
        "--assume --strict|--lenient",
    ),
    "limit": (
        "the simple form of a formula and its exact error",
        _TEXT,
        "--assume! --prove --timeout --at --of --mesh --on",
    ),
    "solve": (
        "solve inequalities for one symbol, with conditions",
        {"dest": "inequality", "metavar": '"FORMULA > FORMULA"', "help": "several: a ; between"},
        "--for! --where --assume --given --integers --of --mesh --on --prove --timeout",
    ),
    "regimes": (
        "which term or time is largest where, with the borders",
        _EITHER,
        "--on --of --mesh --sweep* --where --assume",
    ),
    "minimize": (
        "the least value of a formula, in closed form or exactly",
        _TEXT,
        "--over! --subject-to --where --integer --of --mesh --on",
    ),
    "plot": (
        "draw a roofline, or throughput or times along a swept symbol",
        {"dest": "program", "metavar": "PROGRAM", "nargs": "+"},
        "--on* --graph --mesh --sweep* --times --log --at* --bandwidth --output!",
    ),
    "chips": (
        "list the chips, or show one with its sources",
        {"dest": "chip", "metavar": "CHIP", "nargs": "?"},
        "",
    ),
}
OPTIONS: dict[str, Settings] = {
    "--against": {"metavar": "FORMULA", "help": "what the claim is compared with"},
    "--assume": {"metavar": "TEXT", "help": 'for example "B << D, F"'},
    "--at": {"metavar": "VALUES", "help": 'numbers, for example "B=64, D=8192"'},
    "--bandwidth": {"metavar": "VALUES", "help": 'more roofs: "L2=5.5e12"'},
    "--channel": {"metavar": "NAME", "help": "the channel, where there are several"},
    "--count": {"choices": ("leading", "exact"), "default": "leading"},
    "--for": {"metavar": "SYMBOL", "dest": "symbol", "help": "the unknown, or a product of some"},
    "--given": {"metavar": "BOX", "help": 'what suffices for all of "D, F >= 8192"'},
    "--graph": {"action": "store_true", "help": "draw the program itself; no chip"},
    "--integer": {"action": "store_true", "help": "the best whole number as well"},
    "--integers": {
        "metavar": "N",
        "type": _integers,
        "help": "list the integers up to N; even:N, pow2:N or divides:N: of these only",
    },
    "--lenient": {"action": "store_true", "help": "exit 0 for what is undecided"},
    "--log": {"action": "store_true", "help": "a logarithmic axis for the sweep"},
    "--mesh": {"metavar": "AXES", "help": 'mesh axes, for example "X=4,Y=2"'},
    "--of": {
        "metavar": "PROGRAM",
        "dest": "program",
        "help": "a program, about whose memory, flops, ... a claim or formula is",
    },
    "--on": {"metavar": "CHIP", "help": 'a chip, a TOML file, or "C=…, W=…"; its C and W'},
    "--output": {"metavar": "FILE", "help": "write to a file; a picture: .png, .svg, .pdf"},
    "--over": {"metavar": "SYMBOLS", "help": 'for example "X" or "X, Y"'},
    "--prove": {"action": "store_true", "help": "prove the answer (extra: prove)"},
    "--quantity": {
        "choices": QUANTITIES,
        "help": "what the claim says something about (with --of)",
    },
    "--serial": {"action": "store_true", "help": "collectives come one after another"},
    "--solve": {"metavar": "SYMBOL", "help": "the symbol to find the rule or threshold for"},
    "--standalone": {"action": "store_true", "help": "latex: a whole document"},
    "--strict": {"action": "store_true", "help": "exit 1 for what is undecided"},
    "--subject-to": {"metavar": "RELATIONS", "help": 'for example "X*Y = N; X <= 16"'},
    "--sweep": {"metavar": "RANGE", "help": "along B=1:4096, or B=1:512:8"},
    "--timeout": {"metavar": "SECONDS", "type": _seconds, "default": 10.0, "help": "per proof"},
    "--times": {"action": "store_true", "help": "with --sweep: all times, where each is longest"},
    "--unit": {"metavar": "NAME", "help": "the compute unit, where there are several"},
    "--where": {"metavar": "VALUES", "help": 'values, for example "C=1.97e14, W=8.2e11"'},
}
LISTS = ("VALUES", "TEXT", "RELATIONS", "BOX")  # metavars of what may be given piece by piece
ALSO = {"--output": ("-o",), "--where": ("--at",), "--at": ("--where",)}  # where free


def _parser() -> _Parser:
    parser = _Parser(
        prog="symcost",
        description="Derive and check performance formulas of tensor programs, symbolically.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"symcost {__version__}")
    subparsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, (said, operand, options) in VERBS.items():
        verb: argparse.ArgumentParser = subparsers.add_parser(name, help=said, description=said)
        verb.add_argument(**operand)
        formats = [each for each in format_names() if name == "check-doc" or each not in FINDINGS]
        verb.add_argument("--format", choices=formats, default="text", action=_Given)
        output = () if "--output" in options else ("--output",)
        listed = [each for option in options.split() for each in option.rstrip("!*").split("|")]
        for option in (*options.split(), "--standalone", *output):
            one_of = option.split("|")
            holder = verb.add_mutually_exclusive_group() if len(one_of) > 1 else verb
            for each in one_of:
                _add(holder, each, listed)
    return parser


def _add(verb: argparse._ActionsContainer, option: str, listed: Sequence[str]) -> None:
    """An option, which means the same in every verb; ``!`` says that it must be given, ``*`` that
    it may be repeated. Numbers may be given under either of two names."""
    name = option.rstrip("!*")
    settings = dict(OPTIONS[name])
    if option.endswith("!"):
        settings["required"] = True
    if option.endswith("*"):
        settings["action"] = "append"
    settings.setdefault("action", _Given)
    also = [each for each in ALSO.get(name, ()) if each not in listed]
    verb.add_argument(
        name, *also, dest=settings.pop("dest", name[2:].replace("-", "_")), **settings
    )
