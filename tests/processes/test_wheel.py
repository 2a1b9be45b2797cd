"""A wheel that is built, and installed on its own outside the checkout."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import kakomi

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "kakomi"


def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), input="", capture_output=True, text=True, **options)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--quiet"]
    built = run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, ROOT)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


class Installed:
    """A fresh environment with the wheel, outside the checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        kept = (
            "PATH",
            "LANG",
            "PIP_CERT",
            "PIP_CONFIG_FILE",
            "PIP_INDEX_URL",
            "PIP_FIND_LINKS",
            "SSL_CERT_FILE",
        )
        home = {name: str(folder) for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
        self.environment = {name: os.environ[name] for name in kept if name in os.environ} | home

    def run(self, program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        environment = self.environment | environment
        return run(self.bin / program, *arguments, env=environment, cwd=self.folder)

    def pip(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run this environment's pip, which reads its configuration from the real home; Kakomi doesn't use
        that."""
        return run(sys.executable, "-m", "pip", "--python", self.bin / "python", *arguments)

    def kakomi(self, *arguments: str, **environment: str) -> str:
        done = self.run("kakomi", *arguments, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("alone")
    assert run(sys.executable, "-m", "venv", "--without-pip", folder / "venv").returncode == 0
    alone = Installed(folder)
    fetched = alone.pip("install", "--quiet", "--no-compile", wheel)
    if fetched.returncode != 0 and "CI" not in os.environ and "No matching distribution" in fetched.stderr:
        pytest.skip("no package index can be reached to install the wheel's dependencies from")
    assert fetched.returncode == 0, fetched.stderr
    return alone


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        f"kakomi/{path.relative_to(PACKAGE).as_posix()}"
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    metadata = {name for name in inside if name.split("/")[0].endswith(".dist-info")}
    assert inside - metadata == wanted
    for file in ("rules.md", "measured/levels.toml"):
        assert {f"kakomi/games/{name}/{file}" for name in kakomi.names()} <= wanted
    assert "kakomi/py.typed" in wanted
    assert any(name.endswith("licenses/LICENSE") for name in metadata)


def test_a_wheel_installed_alone_has_everything(installed: Installed) -> None:
    assert kakomi.__version__ in installed.kakomi("--version")
    games = installed.kakomi("games")
    for name in kakomi.names():
        assert name in games
        assert kakomi.catalog.describe(name).author in installed.kakomi("rules", name)
    code = "import kakomi; print(kakomi.__file__)"
    assert str(installed.folder) in installed.run("python", "-c", code).stdout


def test_a_wheel_installed_alone_plays_a_game(installed: Installed) -> None:
    seats = ["--seat", "0=bot:random", "--seat", "1=bot:1"]
    game = ["play", "rin", "--size", "4", *seats, "--seed", "1"]
    # Code compiled by other tests has the same sources or a different name.
    played = installed.kakomi(*game, KAKOMI_CACHE_DIR=os.environ["KAKOMI_CACHE_DIR"])
    assert "wins" in played or "draw" in played
    code = "import kakomi; p = kakomi.game('rin', size=4).start().play('1,1'); print(p.svg()[:4], p.text())"
    assert "<svg" in installed.run("python", "-c", code).stdout


def test_a_wheel_installed_alone_is_light(installed: Installed) -> None:
    """Users of the library alone get neither the site nor pictures, and messages name the extras for them."""
    listed = installed.pip("list", "--format", "freeze").stdout
    names = {line.split("==")[0].lower() for line in listed.splitlines()}
    light = {"kakomi", "numpy", "numba", "llvmlite", "msgspec", "click", "rich"}
    of_rich = {"markdown-it-py", "mdurl", "pygments"}
    assert names == light | of_rich
    code = """
import kakomi
from kakomi.research import VectorEnv
env = VectorEnv(kakomi.game("rin", size=4), 2, seed=1)
env.reset()
env.step(env.sample())
"""
    stepped = installed.run("python", "-c", code)
    assert stepped.returncode == 0, stepped.stderr
    served = installed.run("kakomi", "serve", "--no-browser")
    assert (served.returncode, served.stdout) == (1, "")
    assert re.fullmatch(r"kakomi: \w+ is not installed: pip install 'kakomi\[site\]', .*\n", served.stderr)
