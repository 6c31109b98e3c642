"""The wheel and the sdist hold every file of the clone that belongs there, byte for byte.

``python tests/packaged.py dist/*.whl dist/*.tar.gz`` in the clone. What is installed is then the
code that the whole suite has met; tests against it need only meet what an installation changes.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def tracked() -> dict[str, bytes]:
    """The files of the clone, but for hidden ones that no distribution needs."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().split("\0") if name and name != ".gitignore"]
    return {name: (ROOT / name).read_bytes() for name in names}


def of_wheel(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a wheel, less what describes it."""
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            if ".dist-info/" not in name:
                yield name, wheel.read(name)


def of_sdist(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files of an sdist, less what the build adds."""
    with tarfile.open(path) as sdist:
        for member in sdist.getmembers():
            held = sdist.extractfile(member)
            name = member.name.partition("/")[2]
            added = name in ("PKG-INFO", "setup.cfg") or ".egg-info/" in name
            if held is not None and not added:
                yield name, held.read()


def differing(held: dict[str, bytes], wanted: dict[str, bytes]) -> list[str]:
    """The names of files that are missing, too many, or not the same."""
    return sorted(name for name in held | wanted if held.get(name) != wanted.get(name))


def main(wheel: Path, sdist: Path) -> int:
    """Print what differs; 1 where something does."""
    clone = tracked()
    package = {name: text for name, text in clone.items() if name.startswith("symcost/")}
    wrong = [f"wheel: {name}" for name in differing(dict(of_wheel(wheel)), package)]
    wrong += [f"sdist: {name}" for name in differing(dict(of_sdist(sdist)), clone)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
