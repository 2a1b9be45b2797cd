"""Documentation and metadata: one version, working examples, valid links."""

import contextlib
import io
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import kakomi
from frugal import frugal
from sampling import sample

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "kakomi"


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
    """The printed lines of an example."""
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


PAGES = sorted((ROOT / "docs").glob("*.md"))


def name_of(page: Path) -> str:
    return page.stem


@pytest.mark.parametrize("page", sample(filter(python_blocks, PAGES), 3), ids=name_of)
def test_python_in_the_pages_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with frugal():
        for block in python_blocks(page):
            if "import kakomi" in block:
                run_block(block, page)


def test_other_python_in_the_pages_is_quoted_from_the_code() -> None:
    for page in PAGES:
        for block in python_blocks(page):
            if "import kakomi" in block:
                continue
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
    """A reference like `RULES N8` can be found in docs/rules.md."""
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
