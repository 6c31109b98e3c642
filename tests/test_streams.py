"""Files that are written as they are found, and standard output in any state."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from symcost.cli import main
from symcost.errors import OutputError
from symcost.files import contents as files
from symcost.files.streams import readable

TEXT = "chip"


def run(*arguments: str, encoding: str = "utf-8", **options) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "symcost", *arguments]
    return subprocess.run(command, env=environment, check=False, timeout=120, **options)


def test_a_link_is_followed_and_permissions_stay(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    assert main(["chips", "-o", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text().startswith(TEXT)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_hard_links_stay_one_file(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("before " * 10_000)
    os.link(first, second)
    assert main(["chips", "-o", str(first)]) == 0
    assert second.read_text() == first.read_text()
    assert "before" not in second.read_text()


def test_a_read_only_file_is_refused(tmp_path, capsys):
    path = tmp_path / "kept"
    path.write_text("before")
    path.chmod(0o444)
    assert main(["chips", "-o", str(path)]) == 2
    assert path.read_text() == "before"
    said = f"symcost: cannot write {path}: it is read-only; name another file\n"
    assert capsys.readouterr().err == said


def test_devices_and_pipes_are_written_to(tmp_path):
    assert main(["chips", "-o", os.devnull]) == 0
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    assert main(["chips", "-o", str(pipe)]) == 0
    reader.join(10)
    assert heard[0].startswith(TEXT)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_longest_legal_name(tmp_path):
    path = tmp_path / ("x" * 255)
    assert main(["chips", "-o", str(path)]) == 0
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "cannot write a file without a name: Is a directory"),
        (".", "cannot write .: Is a directory"),
        ("no/such", "cannot write no/such: No such file or directory"),
        ("/dev/full", "cannot write /dev/full: No space left on device"),
        ("a\0b", "cannot write a\0b: this is no file name"),
    ],
)
def test_what_cannot_be_written_is_said(name, message):
    with pytest.raises(OutputError) as caught:
        files.write_text(name, "text")
    assert str(caught.value) == message


def test_a_signal_waits_until_the_temporary_file_is_gone(tmp_path, monkeypatch):
    path, heard = tmp_path / "page", []
    path.write_text("before")
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append(os.listdir(tmp_path)))
    rename = os.replace

    def killed(*names):
        os.kill(os.getpid(), signal.SIGTERM)
        assert len(os.listdir(tmp_path)) == 2
        rename(*names)

    monkeypatch.setattr(os, "replace", killed)
    try:
        files.write_text(str(path), "after")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [["page"]]
    assert path.read_text() == "after"


def test_input_is_read_from_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("B*D"))
    writer.start()
    assert files.read_input(str(pipe)) == "B*D"
    writer.join(10)


@pytest.mark.parametrize("name", ["nofile.md", ".", ""])
def test_a_page_is_a_file(name, capsys):
    assert main(["check-doc", name]) == 2
    assert capsys.readouterr().err.startswith("symcost: cannot read")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_every_encoding_is_readable(encoding):
    done = run("chips", "tpu-v5e", encoding=encoding, capture_output=True)
    assert done.returncode == 0
    assert "TFLOP/s" in done.stdout.decode(encoding)


def test_what_stands_for_a_character():
    assert [readable(c) for c in "→≈µé字λΣ\ud800"] == [
        "->",
        "~",
        "u",
        "e",
        "?",
        "lamda",
        "Sigma",
        "?",
    ]


def test_a_closed_standard_output_is_said():
    command = f"{sys.executable} -m symcost chips >&-"
    done = subprocess.run(command, shell=True, capture_output=True, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr == b"symcost: standard output is closed; name a file with -o\n"


def test_a_full_standard_output_is_said():
    with Path("/dev/full").open("w") as full:
        done = run("chips", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"symcost: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("eval '(' 2>&-", 2, b""),  # an error is no answer: not on standard output either
        ("eval '(' 2>/dev/full", 2, b""),
        ("eval 2 -o /dev/stderr 2>&-", 2, b""),
        ("eval 2 -o /dev/stdout 2>&1 >&-", 2, b"symcost: cannot write /dev/stdout: "),
    ],
)
def test_where_nobody_hears_the_exit_code_tells(command, code, said):
    shell = f"{sys.executable} -m symcost {command}"
    done = subprocess.run(shell, shell=True, stdout=subprocess.PIPE, check=False, timeout=120)
    assert done.returncode == code
    assert done.stdout.startswith(said)
    assert bool(done.stdout) == bool(said)


def test_an_interrupt_is_one_line():
    code = "import symcost.cli as c, symcost.__main__ as m\ndef stop():\n raise KeyboardInterrupt\n"
    code += "c.main = stop\nimport sys\nsys.exit(m.main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"symcost: interrupted\n")


def test_a_fault_of_ours_is_one_line_and_says_so(monkeypatch, capsys):
    from symcost import verbs

    def broken(args):
        raise KeyError("B")

    monkeypatch.setattr(verbs, "chips", broken)
    assert main(["chips"]) == 2
    assert (
        capsys.readouterr().err == "symcost: a fault of symcost, not of the input: KeyError: 'B'\n"
    )


def test_the_unknown_is_one_symbol(capsys):
    assert main(["solve", "B > 3", "--for", ""]) == 2
    assert capsys.readouterr().err == "symcost: --for names no symbols; name one, as in --for B\n"
