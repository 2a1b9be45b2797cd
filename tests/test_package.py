"""What is built and written round the code: a wheel that stands alone, one version, examples that run."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import kakomi

ROOT = Path(__file__).resolve().parent.parent
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


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        f"kakomi/{path.relative_to(PACKAGE).as_posix()}"
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    metadata = {name for name in inside if name.split("/")[0].endswith(".dist-info")}
    assert inside - metadata == wanted
    assert {f"kakomi/games/{name}/rules.md" for name in kakomi.names()} <= wanted
    assert "kakomi/py.typed" in wanted
    assert any(name.endswith("licenses/LICENSE") for name in metadata)


class Installed:
    """A fresh environment with a wheel in it, away from the checkout."""

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
        """Our pip, which reads its configuration from the real home; only Kakomi is kept away from it."""
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


@pytest.mark.slow
def test_a_wheel_installed_alone_has_everything(installed: Installed) -> None:
    assert kakomi.__version__ in installed.kakomi("--version")
    games = installed.kakomi("games")
    for name in kakomi.names():
        assert name in games
        assert kakomi.catalog.describe(name).author in installed.kakomi("rules", name)
    code = "import kakomi; print(kakomi.__file__)"
    assert str(installed.folder) in installed.run("python", "-c", code).stdout


@pytest.mark.slow
def test_a_wheel_installed_alone_plays_a_game(installed: Installed) -> None:
    seats = ["--seat", "0=bot:random", "--seat", "1=bot:1"]
    game = ["play", "rin", "--size", "4", *seats, "--simulations", "10", "--seed", "1"]
    # What another test compiled is of the same sources, or has another name.
    played = installed.kakomi(*game, KAKOMI_CACHE_DIR=os.environ["KAKOMI_CACHE_DIR"])
    assert "wins" in played or "draw" in played
    code = "import kakomi; p = kakomi.game('rin', size=4).start().play('1,1'); print(p.svg()[:4], p.text())"
    assert "<svg" in installed.run("python", "-c", code).stdout


@pytest.mark.slow
def test_a_wheel_installed_alone_is_light(installed: Installed) -> None:
    """Whoever learns gets neither the site nor pictures, and is told what brings them."""
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


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_one_version_everywhere() -> None:
    assert "version" in project()["project"]["dynamic"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (\d\S*)", changes, re.MULTILINE)
    assert first
    assert first[1] == kakomi.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {kakomi.__version__}" in citation


def test_the_published_address_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    cited = re.search(r"^repository-code: *\"?([^\s\"]+)", citation, re.MULTILINE)
    assert project()["project"].get("urls", {}).get("Repository") == (cited[1] if cited else None)


@pytest.mark.parametrize("page", ["bibliography", "glossary"])
def test_pages_of_terms_name_files_that_exist(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?!src/)[a-z]+/[a-z_/]*(?:\.py)?)`", text)
    assert len(named) > 15
    assert [path for path in named if not (ROOT / "src" / "kakomi" / path).exists()] == []


def test_the_lock_holds_every_dependency_with_hashes_and_no_index() -> None:
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    groups = project()["dependency-groups"]
    extras = project()["project"]["optional-dependencies"]
    installed = ("site", "images", "services", "plots", "study", "research")
    wanted = project()["project"]["dependencies"] + groups["dev"]
    for requirement in [*wanted, *(each for extra in installed for each in extras[extra])]:
        name = re.split(r"[<>=!~\[ ]", requirement)[0]
        assert name == "kakomi" or re.search(rf"^{re.escape(name)}==[^ ]+ .*\\$", locked, re.MULTILINE), name
    assert "://" not in locked
    pinned = re.findall(r"^[a-z0-9].*==.*\n((?:    --hash=.*\n)*)", locked, re.MULTILINE)
    assert pinned
    assert all(pinned)


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run_block(block: str, page: Path) -> list[str]:
    """The lines that an example prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, page.name, "exec"), {})
    return printed.getvalue().splitlines()


def test_the_readme_shows_python_that_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each `print` is followed by a comment with what it prints."""
    monkeypatch.chdir(tmp_path)
    (block,) = python_blocks(ROOT / "README.md")
    claimed = re.findall(r"^\s*print\(.*\)  # (.*)$", block, re.MULTILINE)
    assert claimed
    assert run_block(block, ROOT / "README.md") == claimed


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_python_in_the_pages_runs_or_is_quoted_from_the_code(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in python_blocks(page):
        if "import kakomi" in block:
            run_block(block, page)
        else:
            sources = [*PACKAGE.rglob("*.py"), *(ROOT / "tests" / "sixth_game").rglob("*.py")]
            assert any(block in path.read_text(encoding="utf-8") for path in sources), block


def test_the_readme_begins_with_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^    make play\b.*\n    make test\b", readme, re.MULTILINE)
    assert readme.index("make play") < readme.index("## ")


def linked_files() -> list[tuple[Path, str]]:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    pattern = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)|<img[^>]* src=\"([^\"]+)\"")
    found = [(page, a or b) for page in pages for a, b in pattern.findall(page.read_text(encoding="utf-8"))]
    return [
        (page, target) for page, target in found if "://" not in target and not target.startswith("mailto:")
    ]


def test_links_between_the_pages_lead_somewhere() -> None:
    links = linked_files()
    assert links
    assert [(page.name, target) for page, target in links if not (page.parent / target).exists()] == []


def test_numbered_rules_that_are_cited_exist() -> None:
    """`RULES N8` in a comment or a test can be followed into docs/rules.md."""
    rules = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"^- \*?\*?([A-Z]\d+)\b", rules, re.MULTILINE))
    assert {"R1", "V8", "L6", "N12", "G9"} <= numbers
    cited = set()
    for folder in ("src", "tests", "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".md"):
                text = path.read_text(encoding="utf-8")
                for group in re.findall(r"RULES ((?:[RVLNG]\d+(?:, | and | to |-)?)+)", text):
                    cited |= set(re.findall(r"[RVLNG]\d+", group))
    assert cited
    assert cited <= numbers


def test_an_environment_that_is_a_link_is_not_emptied(tmp_path: Path) -> None:
    project, other = tmp_path / "project", tmp_path / "other"
    for folder in (project, other):
        folder.mkdir()
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, project)
    (other / "kept").touch()
    (project / ".venv").symlink_to(other)
    made = subprocess.run(["make", "setup"], cwd=project, capture_output=True, text=True, check=False)
    assert made.returncode and ".venv is a link to" in made.stderr
    assert (other / "kept").exists()
