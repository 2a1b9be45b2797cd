"""A missing library of an extra is reported in one line."""

import importlib
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kakomi.extras import EXTRAS, install_hint, needs_extra

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
LEARNED = {"ray"}
"""Extras with libraries only in the environment of `make test-learn`."""


def without(module: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run the program without an importable module."""
    start = f"from kakomi.cli.main import main; main({arguments!r})"
    command = [sys.executable, "-c", f"import sys; sys.modules[{module!r}] = None; {start}"]
    return subprocess.run(command, input="y\n", capture_output=True, text=True)


@pytest.mark.parametrize("command", ["serve", "backup", "restore"])
def test_the_site_names_its_extra(command: str, tmp_path: Path) -> None:
    backup = tmp_path / "a-backup"
    if command == "restore":
        backup.touch()
    files = [] if command == "serve" else [str(backup)]
    done = without("django", command, *files)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1  # the question of `restore` is on the same line
    assert "django is not installed" in done.stderr
    assert "pip install 'kakomi[site]'" in done.stderr


def test_a_match_names_the_extra_of_clusters() -> None:
    done = without("ray", "match", "random", "1", "--game", "rin", "--ray", "auto")
    assert done.returncode == 1
    assert done.stderr == (
        "kakomi: ray is not installed: pip install 'kakomi[ray]', or in a checkout pip install '.[ray]'\n"
    )


def test_what_no_extra_brings_is_no_matter_of_installing() -> None:
    assert install_hint(ModuleNotFoundError(name="kakomi.nowhere")) is None
    assert install_hint(ModuleNotFoundError(name="numpy")) is None


def test_a_fault_of_our_own_is_not_taken_for_a_missing_library() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'kakomi\.nowhere'"), needs_extra("site"):
        importlib.import_module("kakomi.nowhere")
    missing = r"no_such_library is not installed: pip install 'kakomi\[site\]'"
    with pytest.raises(ModuleNotFoundError, match=missing), needs_extra("site"):
        importlib.import_module("no_such_library")


def test_every_extra_that_commands_need_brings_the_modules_of_its_list() -> None:
    """In both directions: every missing library is attributed to its extra, and installing the extra
    helps."""
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    distributions = packages_distributions()
    for name, modules in EXTRAS.items():
        if name == "learn" and find_spec("torch") is None:  # installed separately, since its builds differ
            continue
        wanted = [each for each in map(Requirement, extras[name]) if each.name != "kakomi"]
        here = {each.name for each in wanted if each.marker is None or each.marker.evaluate()}
        if name in LEARNED and not any(distributions.get(module) for module in modules):
            continue
        brought = [{_spelt(each) for each in distributions.get(module, ())} for module in modules]
        assert here == set().union(*brought), name
        assert len(wanted) - len(here) == brought.count(set()), name
    assert EXTRAS.keys() == extras.keys() - {"examples", "cuda", "wasm"}  # no command needs these


def _spelt(distribution: str) -> str:
    """A distribution's name as spelled in requirements."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def test_time_zones_are_there_without_those_of_the_system() -> None:
    code = "import zoneinfo; zoneinfo.reset_tzpath(to=[]); print(zoneinfo.ZoneInfo('Europe/Berlin'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "Europe/Berlin", done.stderr


def test_environments_bring_what_the_checkers_of_their_libraries_render_with() -> None:
    """Gymnasium's `check_env` requests pixels in every mode."""
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert "kakomi[images]" in extras["research"]
