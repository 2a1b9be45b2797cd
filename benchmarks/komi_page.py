"""Publishing measured fair komis: the fitted curve, TOML for the game, Markdown and a picture."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import kakomi
from benchmarks.charts import as_file
from kakomi.core.known_results import FairKomi, KomiTable, MeasuredKomi, nearest_komi
from kakomi.study.report.content import Chart, DataPoint, Series
from kakomi.study.report.estimates import Fit, weighted_fit

APART = 0.22
"""The distance between the points of one size, so that their intervals don't overlap."""


@dataclass(frozen=True)
class KomiPoint:
    """The part of a measurement that the curve is fitted to."""

    size: int
    simulations: int
    fair: float
    error: float


@dataclass(frozen=True)
class KomiCurve:
    """The fair komi as a linear function of the size and the logarithm of the simulations per action."""

    fit: Fit

    def at(self, size: int, simulations: int) -> tuple[float, float, float]:
        """Return the fair komi, and the lower and upper end of its 95 % band."""
        place = _place(size, simulations)
        fair = float(place @ self.fit.coefficients)
        half = self.fit.quantile * math.sqrt(float(place @ self.fit.covariance @ place))
        return fair, fair - half, fair + half

    @property
    def slope(self) -> tuple[float, float]:
        """The change for one more point of size, and half the width of its 95 % interval."""
        return self._slope(1)

    @property
    def gain(self) -> tuple[float, float]:
        """The change for twice the simulations, and half the width of its 95 % interval."""
        return self._slope(2)

    def _slope(self, column: int) -> tuple[float, float]:
        half = self.fit.quantile * math.sqrt(float(self.fit.covariance[column, column]))
        return float(self.fit.coefficients[column]), half


def fitted_curve(points: Sequence[KomiPoint]) -> KomiCurve:
    """Fit the curve to measurements. Raises ValueError if they are too few, or of one size or strength."""
    known = [point for point in points if math.isfinite(point.error)]
    design = np.array([_place(point.size, point.simulations) for point in known]).reshape(-1, 3)
    if len(known) < 4 or np.linalg.matrix_rank(design) < 3:
        raise ValueError("a curve needs four measurements or more, of several sizes and strengths")
    values, errors = (np.array([getattr(point, name) for point in known]) for name in ("fair", "error"))
    return KomiCurve(weighted_fit(design, values, errors))


def _place(size: int, simulations: int) -> np.ndarray:
    return np.array([1.0, float(size), math.log2(simulations)])


def as_toml(table: KomiTable) -> str:
    """Return the text of `measured/komi.toml`."""
    lines = ["# Written by `python -m benchmarks.komi --write` (docs/komi.md)."]
    for row in table.measured:
        lines += ["", "[[measured]]", *_fields(row)]
    for one in table.curve:
        lines += ["", "[[curve]]", *_fields(one)]
    return "\n".join(lines) + "\n"


def dated_as_before(rows: Sequence[MeasuredKomi], before: Sequence[MeasuredKomi]) -> tuple[MeasuredKomi, ...]:
    """Return the rows, where unchanged ones keep their earlier date."""
    dates = {row.command: row for row in before}
    kept = [dates.get(row.command, row) for row in rows]
    return tuple(
        old if replace(old, date=row.date) == row else row for row, old in zip(rows, kept, strict=True)
    )


def _fields(row: FairKomi) -> list[str]:
    """Return the lines of a row as TOML."""
    told = {name: getattr(row, name) for name in row.__dataclass_fields__}
    return [f"{name} = {_as_toml(value)}" for name, value in told.items()]


def _as_toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {one}" for name, one in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def simulations_of(row: MeasuredKomi) -> int:
    """Return the simulations per action of a row's players."""
    return int(row.bot.rpartition("=")[2])


def page_table(game: str, table: KomiTable, curve: KomiCurve, reference: int) -> str:
    """Return the table, and the curve for players with `reference` simulations, as Markdown."""
    lines = [
        "| board | simulations | games | fair komi (95 %) | scale | measured by |",
        "| --- | ---: | ---: | --- | ---: | --- |",
        *(
            f"| {_board(row)} | {simulations_of(row):,} | {row.games} | {_interval(row)} | {row.scale:.1f} "
            f"| `{row.command}` |"
            for row in table.measured
        ),
        "",
        f"The curve, at {reference} simulations:",
        "",
        "| board | fair komi (95 % band) | bots name |",
        "| --- | --- | ---: |",
        *(f"| {_board(one)} | {_interval(one)} | {_named(game, one.options)} |" for one in table.curve),
        "",
        _coefficients(curve),
    ]
    return "\n".join(lines) + "\n"


def _coefficients(curve: KomiCurve) -> str:
    return (
        f"A point more of size adds {_with_half(curve.slope)}, twice the simulations add "
        f"{_with_half(curve.gain)}. Measurements scatter round the curve by "
        f"{curve.fit.scatter:.2f} times the variance that their intervals let expect "
        f"({curve.fit.freedom} degrees of freedom)."
    )


def _named(game: str, board: Mapping[str, int]) -> int:
    """Return the komi that bots name on a board, according to the table in the game's folder."""
    found = kakomi.game(game, **board)
    known = found.description.fair_komi(found.options)
    assert known
    return nearest_komi(known.fair, found.description.komi.allowed_given(found.options))


def _board(row: FairKomi) -> str:
    size, *others = row.options.items()
    return ", ".join([f"{size[1]}×{size[1]}", *(f"{name} {value}" for name, value in others)])


def _interval(row: FairKomi) -> str:
    return f"{row.fair:.1f} ({row.low:.1f} to {row.high:.1f})".replace("-", "−")


def _with_half(slope: tuple[float, float]) -> str:
    return f"{slope[0]:+.2f} ± {slope[1]:.2f}".replace("-", "−")


def picture(
    title: str, curve: Sequence[FairKomi], by_strength: Mapping[int, Sequence[FairKomi]], range_: float
) -> str:
    """Return a chart as an SVG file; komis above `range_` or below `-range_ / 2` are cut off."""
    middle = (len(by_strength) - 1) / 2
    measured = [
        Series(f"{simulations:,} simulations", _points(rows, (place - middle) * APART), form="points")
        for place, (simulations, rows) in enumerate(by_strength.items())
    ]
    chart = Chart(
        title,
        "size",
        "fair komi",
        (Series("the curve", _points(curve, 0.0), form="band"), *measured),
        "The curve with its 95 % band, and what was measured, with 95 % intervals.",
        y_range=(-range_ / 2, range_),
    )
    return as_file(chart, "komi")


def _points(rows: Sequence[FairKomi], shift: float) -> tuple[DataPoint, ...]:
    return tuple(
        DataPoint(row.options["size"] + shift, row.fair, row.low, row.high, told=_told(row)) for row in rows
    )


def _told(row: FairKomi) -> str:
    return f"size {row.options['size']}: {row.fair:.1f}, {row.low:.1f} to {row.high:.1f}".replace("-", "−")
