"""Every benchmark can be imported, since they run rarely and aren't type-checked."""

from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("[a-z]*.py")))
def test_a_benchmark_finds_what_it_names(name: str) -> None:
    try:
        import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("kakomi", "benchmarks"):
            raise
        pytest.skip(f"{error.name} is not installed")
