"""Imports that import-linter cannot see, and that `import kakomi` is light.

`make check` checks the contracts in pyproject.toml, which cover executed import statements. The tests here
cover imports for type checkers, module names in strings, and imports of the package itself.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import metrics

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "src" / "kakomi"


CONTRACTS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


def contract(name: str) -> dict:
    """The contract of pyproject.toml with this id."""
    return next(each for each in CONTRACTS["contracts"] if each["id"] == name)


LAYERS = [{part.strip() for part in layer.split("|")} for layer in contract("layers")["layers"]]
"""The parts of the package, highest first; those in one set don't import each other."""
PARTS = set().union(*LAYERS)
RANKS = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}
SITE = {name.removeprefix("kakomi.") for name in contract("parts")["source_modules"]}
LAB = {name.removeprefix("kakomi.") for name in contract("parts")["forbidden_modules"]}


def below(part: str) -> set[str]:
    """The parts that a part may import. "" is the package itself, which imports the catalog."""
    if part == "":
        return PARTS
    allowed = set().union(*LAYERS[RANKS[part] + 1 :]) - (LAB if part in SITE else set())
    return allowed | {""} if "catalog" in allowed else allowed


def part_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """Every module imported in the code, at any depth, by statements or literal arguments of
    `import_module`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                origin = absolute(module or "", package, level)
                yield from (f"{origin}.{alias.name}" for alias in names)
            case ast.Call(func=function, args=[ast.Constant(value=str(name)), *rest]):
                if called(function) in ("import_module", "__import__"):
                    base = rest[0].value if rest and isinstance(rest[0], ast.Constant) else package
                    yield absolute(name.lstrip("."), base, len(name) - len(name.lstrip(".")))
            case _:
                pass


def called(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def absolute(module: str, package: str, level: int) -> str:
    if level == 0:
        return module
    steps = package.split(".")
    base = ".".join(steps[: len(steps) - level + 1])
    return f"{base}.{module}" if module else base


def strings(tree: ast.AST) -> Iterator[str]:
    """Every string that could be the dotted name of one of our modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and str(node.value).startswith("kakomi."):
            yield str(node.value).split(":")[0]


def parts_among(names: Iterator[str]) -> set[str]:
    """The parts that dotted names belong to. `kakomi.game` belongs to the package itself, ""."""
    steps = [name.split(".") for name in names if name != "kakomi.__version__"]
    ours = [step[1] if len(step) > 1 else "" for step in steps if step[0] == "kakomi"]
    return {part if part in PARTS else "" for part in ours}


def faults(path: Path) -> set[str]:
    """The parts that a file must not import but does, and Numba outside the kernel."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    part, package = part_of(path), ".".join(path.relative_to(PACKAGE.parent).parts[:-1])
    names = set(imported(tree, package))
    found = parts_among(iter(names)) | (parts_among(strings(tree)) - {""})
    compilers = {name.split(".")[0] for name in names} & {"numba", "llvmlite"}
    return found - {part} - below(part) | (set() if part == "kernel" else compilers)


def test_whatever_names_a_module_points_down() -> None:
    wrong = {str(path.relative_to(PACKAGE)): faults(path) for path in sorted(PACKAGE.rglob("*.py"))}
    assert {name: parts for name, parts in wrong.items() if parts} == {}


def test_every_part_has_its_place() -> None:
    assert {part_of(path) for path in PACKAGE.rglob("*.py")} <= PARTS | {""}


def test_the_check_sees_what_it_should(tmp_path: Path) -> None:
    code = """
def late():
    from ..search import playout
    import importlib
    importlib.import_module("kakomi.cli.main")
    importlib.import_module(".text", "kakomi.draw")
    __import__("numba")
"""
    found = set(imported(ast.parse(code), "kakomi.games.rin"))
    assert {"kakomi.games.search.playout", "kakomi.cli.main", "kakomi.draw.text", "numba"} <= found


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from kakomi.session import Match",
            {"session"},
        ),
        ("def late():\n    import kakomi.server.urls", {"server"}),
        ("NAME = 'kakomi.cli.main'", {"cli"}),
        ("import kakomi", {""}),
        ("from kakomi import game", {""}),
        ("from kakomi import __version__", set()),
        ("from kakomi.kernel import driver", set()),
        ("import numba", {"numba"}),
    ],
)
def test_what_points_up_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, parts: set[str]
) -> None:
    """In a file of `core`, which may import neither the session nor the package itself."""
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path / "kakomi")
    file = tmp_path / "kakomi" / "core" / "text.py"
    file.parent.mkdir(parents=True)
    file.write_text(code)
    assert faults(file) == parts


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement loads in a fresh interpreter."""
    code = f"import sys; old = set(sys.modules); {statement}; new = set(sys.modules) - old; print(*new)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


def distributions(modules: set[str]) -> set[str]:
    """The installed distributions that modules belong to."""
    owners = packages_distributions()
    return {owner for name in modules for owner in owners.get(name.split(".")[0], [])} - {"kakomi"}


def test_import_loads_only_the_standard_library() -> None:
    assert not distributions(loaded_by("import kakomi; kakomi.__version__"))


def test_a_position_needs_numpy_and_numba_alone() -> None:
    statement = "import kakomi; p = kakomi.game('rin', size=4).start(); p = p.play('0,0'); p.text(); p.svg()"
    # Where they happen to be installed:
    taken_along_by_numba = {"scipy", "PyYAML", "charset-normalizer", "coverage", "cffi", "pycparser"}
    assert distributions(loaded_by(statement)) - taken_along_by_numba == {"numpy", "numba", "llvmlite"}


def test_numba_is_loaded_when_rules_run_and_not_before() -> None:
    needed = "import kakomi.research, kakomi.search, kakomi.session, kakomi.solve, kakomi.protocol.gtp"
    statement = f"{needed}; g = kakomi.game('rin', size=4)"
    assert not distributions(loaded_by(statement)) & {"numba", "llvmlite"}
    assert "numba" in distributions(loaded_by(f"{statement}; g.start()"))


def test_interpreted_rules_need_no_numba() -> None:
    interpreted = "import os; os.environ['KAKOMI_KERNEL'] = 'interpreted'"
    statement = f"{interpreted}; import kakomi; p = kakomi.game('rin', size=4).start().play('0,0'); p.legal()"
    assert distributions(loaded_by(statement)) == {"numpy"}


def test_the_library_loads_neither_the_site_nor_the_lab() -> None:
    library = sorted(PARTS - SITE - LAB - {"cli", "__main__"})
    loaded = loaded_by("; ".join(f"import kakomi.{part}" for part in library))
    assert not [name for name in loaded if name.startswith("kakomi.") and name.split(".")[1] in SITE | LAB]


def test_help_starts_without_the_compiler() -> None:
    loaded = loaded_by("import sys; sys.argv[1:] = ['--help']; from kakomi.cli import main")
    assert not distributions(loaded) & {"numpy", "numba", "llvmlite"}


def test_the_diagram_in_the_docs_is_current() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert f"```text\n{metrics.diagram()}\n```" in page, "python -m tests.metrics --diagram"
