"""Editable copies of the game `tally` and of Kakomi, with a separate cache."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
PACKAGE = TESTS.parent / "src" / "kakomi"

UNEDITED = "11111111"
EDITS = {
    "a rule": ("rules.py", "state.total += 1\n", "state.total += 2\n", "11111112"),
    "a helper's helper": ("deeper.py", "return 1", "return 2", "11111121"),
    "a constant read through its module": ("limits.py", "= 1", "= 2", "11111211"),
    "an imported constant that is a default argument": ("constants.py", "STEP = 1", "STEP = 2", "11112111"),
    "a file that constants are read from": ("number.txt", "1", "2", "12221111"),
    "the maker of a closure": ("factory.py", "return number", "return number + 1", "12111111"),
    "what a closure holds": ("factory.py", "made = make(", "made = make(1 + ", "12111111"),
    "what a table is filled with": ("constants.py", "= FROM_FILE\n", "= FROM_FILE + 1\n", "11221111"),
    "a helper that its author compiled": ("compiled.py", "return 1", "return 2", "21111111"),
    "the driver": ("loop.py", "states[0], out)", "states[0], out)\n    out[0] *= 2", "22222222"),
}
"""Name of an edit → a file of the game, the old text, the new text, and the resulting score."""

_PLAY = """
import sys
from importlib import import_module
from kakomi.kernel import use_mode

for copy in sys.argv[1:]:
    name, _, mode = copy.partition(":")
    with use_mode(mode or "compiled"):
        import_module(f"{name}.outcome").main()
"""


class Workshop:
    """A folder with one copy of Kakomi and many copies of the game under different names.

    One process plays them all, which takes a third of the time of separate processes.
    """

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self._folder = folder
        shutil.copytree(PACKAGE, folder / "kakomi", ignore=shutil.ignore_patterns("__pycache__"))
        for name in names:
            self._add(name)

    def _add(self, name: str) -> None:
        copy = self._folder / package(name)
        copy.mkdir()
        for source in (TESTS / "tally").glob("*.*"):
            (copy / source.name).write_text(source.read_text().replace("tally", copy.name))

    @property
    def kernels(self) -> list[Path]:
        """The compiled files."""
        return sorted((self._folder / "cache").glob("*.kernel"))

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace text in a file of Kakomi or of a copy."""
        path = self._folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def play(self, *copies: str, prelude: str = "") -> dict[str, tuple[str, str]]:
        """Play copies in a process, and return each one's score and what had to be compiled for it.

        A copy is given by its name, optionally followed by a colon and a mode; `prelude` is code to run
        first.
        """
        asked = [":".join([package(name), *mode]) for name, *mode in (copy.split(":") for copy in copies)]
        paths = {"PYTHONPATH": str(self._folder), "KAKOMI_CACHE_DIR": str(self._folder / "cache")}
        done = subprocess.run(
            [
                sys.executable,
                "-B",
                "-c",
                prelude + _PLAY,
                *asked,
            ],  # Python's own cache misses a second edit within a second
            env={"PATH": os.environ["PATH"], "HOME": str(self._folder)} | paths,
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        scores = [line.split() for line in done.stdout.splitlines()]
        return {copy: (score, compiled) for copy, (score, compiled) in zip(copies, scores, strict=True)}


def package(name: str) -> str:
    """The package name of a copy."""
    return "tally_" + re.sub(r"\W+", "_", name)
