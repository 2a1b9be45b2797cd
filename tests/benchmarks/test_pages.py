"""Tables that benchmarks insert into pages."""

from pathlib import Path

import pytest
from benchmarks.pages import replace_part, replace_rows

HEAD = ["| 100 ms | games |", "| --- | --- |"]
ROWS = "| 50 ms | games |\n| --- | --- |\n| Lin 9 | 1 |\n| Rive 4 | 2 |\n"
PAGE = f"Before\n<!-- table -->\n{ROWS}<!-- /table -->\nafter\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def test_a_part_is_replaced_whole(page: Path) -> None:
    replace_part(page, "table", "new\n")
    assert page.read_text() == "Before\n<!-- table -->\nnew\n<!-- /table -->\nafter\n"
    with pytest.raises(ValueError, match="no place for other"):
        replace_part(page, "other", "new\n")


def test_rows_of_other_games_stay(page: Path) -> None:
    replace_rows(page, "table", HEAD, ["| Rive 4 | 30 |", "| Ren 10 | 40 |"])
    table = page.read_text().splitlines()[2:-2]
    assert table == [*HEAD, "| Lin 9 | 1 |", "| Ren 10 | 40 |", "| Rive 4 | 30 |"]


def test_an_empty_part_gets_a_table(page: Path) -> None:
    replace_part(page, "table", "")
    replace_rows(page, "table", HEAD, ["| Lin 9 | 3 |"])
    assert page.read_text().splitlines()[2:-2] == [*HEAD, "| Lin 9 | 3 |"]
