"""What was measured of fair komis as text: TOML for the game's folder, Markdown for the documentation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import kakomi
from benchmarks.komi_curve import KomiCurve
from kakomi.core.fair_komi import FairKomi, KomiTable, MeasuredKomi, nearest_komi


def as_toml(table: KomiTable) -> str:
    """The file of a game's folder."""
    lines = ["# Written by `python -m benchmarks.komi --write` (docs/komi.md)."]
    for row in table.measured:
        lines += ["", "[[measured]]", *_fields(row)]
    for one in table.curve:
        lines += ["", "[[curve]]", *_fields(one)]
    return "\n".join(lines) + "\n"


def dated_as_before(rows: Sequence[MeasuredKomi], before: Sequence[MeasuredKomi]) -> tuple[MeasuredKomi, ...]:
    """The rows; one that stays as it was keeps its date."""
    dates = {row.command: row for row in before}
    kept = [dates.get(row.command, row) for row in rows]
    return tuple(
        old if replace(old, date=row.date) == row else row for row, old in zip(rows, kept, strict=True)
    )


def _fields(row: FairKomi) -> list[str]:
    """A row as TOML."""
    told = {name: getattr(row, name) for name in row.__dataclass_fields__}
    return [f"{name} = {_as_toml(value)}" for name, value in told.items()]


def _as_toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {one}" for name, one in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def simulations_of(row: MeasuredKomi) -> int:
    """How much the players of a row searched."""
    return int(row.bot.rpartition("=")[2])


def page_table(game: str, table: KomiTable, curve: KomiCurve, reference: int) -> str:
    """The table and the curve, which is told of players with `reference` simulations, as Markdown."""
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
        f"{_with_half(curve.gain)}. Measurements scatter round the curve by {curve.scatter:.2f} times the "
        f"variance that their intervals let expect ({curve.freedom} degrees of freedom)."
    )


def _named(game: str, board: Mapping[str, int]) -> int:
    """The komi that is named on a board by the table that is in the game's folder."""
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
