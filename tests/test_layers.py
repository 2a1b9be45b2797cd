"""Imports point down only, dynamic ones too; Numba is the kernel's; `import kakomi` is light."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "kakomi"

ROOT = {""}  # `import kakomi` reaches the catalog, so only what lies above that may say it
FOUNDATION = {"boards", "kernel", "draw", "core"}
PLAYING = FOUNDATION | {"games", "catalog", "search", "records", "learn"}
ALLOWED: dict[str, set[str]] = {
    "kernel": set(),
    "boards": set(),
    "draw": {"boards"},
    "core": {"kernel", "boards", "draw"},
    "games": FOUNDATION,
    "catalog": {"games", "core"},
    "records": {"core"},
    "search": {"core", "kernel"},
    "learn": FOUNDATION | {"search"},
    "bots": {"search", "learn", "catalog"} | FOUNDATION,
    "protocol": PLAYING | {"bots"} | ROOT,
    "session": PLAYING | {"bots"} | ROOT,
    "study": PLAYING | {"bots", "protocol"} | ROOT,
    "research": PLAYING | {"bots", "protocol"} | ROOT,
    "server": PLAYING | {"bots", "protocol", "session", "study"} | ROOT,
    "cli": PLAYING | {"bots", "protocol", "session", "study", "server", "research"} | ROOT,
}
"""Part of the package -> the parts it may import (docs/architecture.md)."""

TOP = {"": set(ALLOWED), "__main__": {"cli"}}
"""The package's own `__init__` opens the doors to all of it, lazily."""


def part_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """Every module that the code names, at any depth: statements and literals given to `import_module`."""
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


def parts_imported(path: Path) -> set[str]:
    """The other parts of Kakomi that a file imports; "" stands for the package itself."""
    relative = path.relative_to(PACKAGE.parent)
    package = ".".join(relative.parts[:-1])
    found = set()
    for name in imported(ast.parse(path.read_text(encoding="utf-8")), package):
        if name != "kakomi.__version__" and f"{name}.".startswith("kakomi."):
            second = name.split(".")[1] if "." in name else ""
            found.add(second if (PACKAGE / second).is_dir() or (PACKAGE / f"{second}.py").exists() else "")
    return found - {part_of(path)}


def strings(path: Path) -> set[str]:
    """Every string of a file that could be the dotted name of a module of ours."""
    constants = (
        n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Constant)
    )
    return {str(n.value).split(":")[0] for n in constants if str(n.value).startswith("kakomi.")}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    part = part_of(path)
    allowed = ALLOWED[part] if part in ALLOWED else TOP[part]
    assert parts_imported(path) <= allowed


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_module_names_in_strings_point_down(path: Path) -> None:
    """A dynamic import of a name kept in a variable would otherwise slip through."""
    part = part_of(path)
    allowed = (ALLOWED[part] if part in ALLOWED else TOP[part]) | {part}
    named = {name.split(".")[1] for name in strings(path)}
    assert {name for name in named if name in ALLOWED} <= allowed


def test_every_part_has_its_place() -> None:
    parts = {part_of(path) for path in modules()}
    assert parts <= ALLOWED.keys() | TOP.keys()


def test_the_table_has_no_cycles() -> None:
    done: set[str] = set()
    while len(done) < len(ALLOWED):
        ready = {part for part, below in ALLOWED.items() if part not in done and below - ROOT <= done}
        assert ready, f"these import each other: {sorted(ALLOWED.keys() - done)}"
        done |= ready


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_kernel_names_numba(path: Path) -> None:
    if part_of(path) == "kernel":
        return
    names = imported(ast.parse(path.read_text(encoding="utf-8")), "kakomi")
    assert not {name.split(".")[0] for name in names} & {"numba", "llvmlite"}


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


def loaded_by(statement: str) -> set[str]:
    """The top-level modules, and Kakomi's own, that a fresh interpreter holds after a statement."""
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
    taken_along_by_numba = {"scipy", "PyYAML", "charset-normalizer"}  # where they happen to be installed
    assert distributions(loaded_by(statement)) - taken_along_by_numba == {"numpy", "numba", "llvmlite"}


def test_help_starts_without_the_compiler() -> None:
    loaded = loaded_by("import sys; sys.argv[1:] = ['--help']; from kakomi.cli import main")
    assert not distributions(loaded) & {"numpy", "numba", "llvmlite"}
