"""The files that hold what was measured agree with each other."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from benchmarks.komi import CELLS, PAGE, REFERENCE, curve_of
from benchmarks.komi_page import as_toml, dated_as_before, page_table

from kakomi import catalog
from kakomi.core.fair_komi import FILE

LIN = catalog.describe("lin")
TABLE = LIN.fair_komis


def test_the_file_in_the_folder_is_as_it_is_written() -> None:
    path = LIN.file(FILE)
    assert path and path.read_text(encoding="utf-8") == as_toml(TABLE)


def test_it_holds_a_row_for_every_cell() -> None:
    assert [row.command for row in TABLE.measured] == [cell.command for cell in CELLS]
    assert [row.games for row in TABLE.measured] == [cell.games for cell in CELLS]


def test_the_curve_is_the_one_of_its_rows_and_the_page_tells_both() -> None:
    curve, told = curve_of("lin", TABLE.measured)
    for found, kept in zip(told, TABLE.curve, strict=True):
        assert found.options == kept.options
        assert [found.fair, found.low, found.high] == pytest.approx(
            [kept.fair, kept.low, kept.high], abs=0.02
        )
    assert page_table("lin", TABLE, curve, REFERENCE) in PAGE.read_text(encoding="utf-8")


def test_the_picture_is_well_formed() -> None:
    root = ElementTree.parse(PAGE.parent / "images" / "lin-komi.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall(".//{*}circle")) == len(TABLE.curve) + sum(
        row.options in [one.options for one in TABLE.curve] for row in TABLE.measured
    )


def test_a_row_that_stays_as_it_was_keeps_its_date() -> None:
    first, second, *_ = TABLE.measured
    later = [replace(first, date="2027-01-01"), replace(second, date="2027-01-01", games=900)]
    assert [row.date for row in dated_as_before(later, TABLE.measured)] == [first.date, "2027-01-01"]
