"""The curve through measured komis agrees with the files of measurements."""

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.komi import CELLS, PAGE, REFERENCE, curve_of
from benchmarks.komi_page import KomiPoint, as_toml, dated_as_before, fitted_curve, page_table

from kakomi import catalog
from kakomi.core.known_results import FILE

LIN = catalog.describe("lin")
TABLE = LIN.fair_komis
BOARDS = [(size, simulations) for size in (5, 7, 9, 11, 13) for simulations in (100, 400)]


def test_the_file_in_the_folder_is_as_it_is_written() -> None:
    path = LIN.measured_file(FILE)
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


def truth(size: int, simulations: int) -> float:
    return 2 + 0.4 * size - 0.3 * math.log2(simulations)


def points(rng: np.random.Generator, error: float) -> list[KomiPoint]:
    return [KomiPoint(*board, truth(*board) + float(rng.normal(0, error)), error) for board in BOARDS]


def test_it_goes_on_to_sizes_that_were_not_measured() -> None:
    curve = fitted_curve([KomiPoint(*board, truth(*board), 0.5) for board in BOARDS])
    fair, low, high = curve.at(19, 400)
    assert fair == pytest.approx(truth(19, 400)) and low < fair < high
    assert curve.slope[0] == pytest.approx(0.4) and curve.gain[0] == pytest.approx(-0.3)
    assert curve.fit.scatter == pytest.approx(0)
    nearer = curve.at(9, 400)
    assert nearer[2] - nearer[1] < (high - low) / 2, "the band is wider where nothing was measured"


@pytest.mark.parametrize(("size", "simulations"), [(9, 400), (19, 100)])
def test_the_band_holds_the_truth_as_often_as_it_says(size: int, simulations: int) -> None:
    rng, runs, held = np.random.default_rng(5), 1000, 0
    for _ in range(runs):
        _, low, high = fitted_curve(points(rng, 1.5)).at(size, simulations)
        held += low <= truth(size, simulations) <= high
    assert 0.93 < held / runs < 0.98


def test_measurements_that_lie_far_from_a_plane_widen_the_band() -> None:
    good = points(np.random.default_rng(2), 0.2)
    bent = [replace(point, fair=point.fair + (point.size - 9) ** 2) for point in good]
    narrow, wide = fitted_curve(good).at(9, 400), fitted_curve(bent).at(9, 400)
    assert fitted_curve(bent).fit.scatter > 10
    assert wide[2] - wide[1] > 5 * (narrow[2] - narrow[1])


def test_an_unbounded_measurement_counts_for_nothing() -> None:
    good = points(np.random.default_rng(2), 0.2)
    more = [*good, KomiPoint(9, 400, 70.0, math.inf)]
    assert fitted_curve(more).at(9, 400) == fitted_curve(good).at(9, 400)


def test_too_few_measurements_make_no_curve() -> None:
    with pytest.raises(ValueError, match="four"):
        fitted_curve(points(np.random.default_rng(1), 1.0)[:3])
    with pytest.raises(ValueError, match="several sizes"):
        fitted_curve([KomiPoint(9, 100 * n, 3.0, 1.0) for n in range(1, 8)])
