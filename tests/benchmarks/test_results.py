"""Benchmark results are stored with their date and machine, and plotted with a line for each machine."""

import json
import re
from pathlib import Path

import pytest

from benchmarks import results


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    return tmp_path / "results"


def keep(folder: Path, date: str, machine: str, **figures: float) -> None:
    path = folder / "speed" / f"{date}-abc.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"date": date, "commit": "abc", "machine": machine, "figures": figures}))


def test_a_run_is_kept_with_its_machine(folder: Path) -> None:
    path = results.save("speed", {"rin": 3.5})
    kept = json.loads(path.read_text())
    assert kept["figures"] == {"rin": 3.5} and kept["machine"] == results.describe_machine()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d{4}", kept["date"])
    assert path.parent == folder / "speed" and path.stem == f"{kept['date']}-{kept['commit']}"


def test_a_line_for_each_machine_in_the_order_of_dates(folder: Path) -> None:
    keep(folder, "2026-02-01T0000", "big", rin=2)
    keep(folder, "2026-01-01T0000", "big", rin=1)
    keep(folder, "2026-01-15T0000", "small <1>", rin=0.5)
    assert results.read(folder) == {
        ("speed", "rin"): {
            "big": [("2026-01-01T0000", 1), ("2026-02-01T0000", 2)],
            "small <1>": [("2026-01-15T0000", 0.5)],
        }
    }
    page = results.page(folder)
    assert page.count("<polyline") == 2 and page.count("<circle") == 3
    assert "small &lt;1&gt;, 2026-01-15T0000: 0.5" in page and "<1>" not in page


def test_the_highest_value_is_at_the_top_and_nothing_at_the_bottom(folder: Path) -> None:
    drawing = results.draw({"m": [("a", 0.0), ("b", 10.0)]})
    left, right = results.EDGE, results.WIDTH - results.EDGE
    top, bottom = results.EDGE, results.HEIGHT - results.EDGE
    assert f'points="{left}.0,{bottom}.0 {right}.0,{top}.0"' in drawing
    assert re.findall(r">([^<]+)</text>", drawing) == ["0", "10", "a", "b"]


def test_without_results_there_is_a_page_too(folder: Path) -> None:
    assert "<h1>Benchmarks</h1>" in results.page(folder)
