"""The tutorials are correct: their commands and Python code print what the pages say."""

import contextlib
import io
import re
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from docs.console import commands

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CLAIM = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def of_page(*pages: str) -> Any:
    return pytest.mark.parametrize(
        "page", [ROOT / "docs" / "tutorials" / f"{name}.md" for name in pages], ids=pages
    )


@of_page("play", "study")
def test_commands_print_what_the_page_says(page: Path) -> None:
    found = list(commands(page))
    assert found
    for command in found:
        printed = command.printed()
        difference = "\n".join(unified_diff(command.claimed, printed, "the page", "the program", lineterm=""))
        assert command.claims(printed), difference


@of_page("study", "research")
def test_python_prints_what_the_page_says(page: Path) -> None:
    """All blocks of a page form one program."""
    blocks = [
        text for language, text in BLOCK.findall(page.read_text(encoding="utf-8")) if language == "python"
    ]
    program = "\n".join(blocks)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, page.name, "exec"), {})
    assert CLAIM.findall(program) == printed.getvalue().splitlines()


def test_no_block_of_a_tutorial_is_left_out() -> None:
    """Blocks of `sh` run where PyTorch is installed (`tests/learn/test_examples.py`)."""
    languages = {
        page.stem: {name for name, _ in BLOCK.findall(page.read_text(encoding="utf-8"))} for page in PAGES
    }
    assert languages == {"play": {"console"}, "study": {"console", "python"}, "research": {"python", "sh"}}
