"""The komi that is fair, as games at many komis have measured it, beside the one of the report's games."""

from collections.abc import Iterator, Mapping, Sequence

from kakomi.core.fair_komi import FairKomi, MeasuredKomi
from kakomi.study.report.content import Cell, Chart, DataPoint, Section, Series, Table
from kakomi.study.report.study import Study
from kakomi.study.report.wording import options_in_words


def fair_komi(study: Study) -> Section | None:
    """What is known of the game's boards, this one's first; None where nothing is."""
    described = study.game.description
    known = described.fair_komis
    if not known.measured:
        return None
    here = described.without_komi(study.game.options)
    finding = _finding(study, described.fair_komi(study.game.options))
    return Section(
        key="fair-komi",
        title="The fair komi",
        group="fairness",
        finding=finding,
        means="At this komi both colours win equally often between equal players. It is where the share of "
        "wins crosses one half in games at many komis; the curve goes through all boards.",
        not_means="It is fair between these bots. Stronger players may make more of the first turn.",
        figures=(*_charts(known.measured, known.curve), _table(known.measured, here)),
        summary=finding if here in [one.options for one in known.measured] else "",
        method="The games of this report say nothing here: the commands in the table play those that do.",
    )


def _finding(study: Study, known: FairKomi | None) -> str:
    if known is None:
        return "The fair komi of this board was not measured; those of others were."
    komi = study.game.options[study.game.description.komi_option]
    return f"A komi of {_in_words(known)} is fair between equal bots; in these games it is {komi}."


def _charts(measured: Sequence[MeasuredKomi], curve: Sequence[FairKomi]) -> Iterator[Chart]:
    if not curve:
        return
    boards = [one.options for one in curve]
    nearest = [_narrowest(board, measured) for board in boards]
    yield Chart(
        "The fair komi by board",
        ", ".join(name.replace("_", " ") for name in boards[0]),
        "komi",
        (
            Series("curve", tuple(_point(x, one) for x, one in enumerate(curve)), "band"),
            Series("measured", tuple(_point(x, one) for x, one in enumerate(nearest) if one), "points"),
        ),
        "The curve with its 95 % band, and of what was measured on each board what is known best.",
        x_labels={x: ", ".join(map(str, board.values())) for x, board in enumerate(boards)},
    )


def _narrowest(board: Mapping[str, int], measured: Sequence[MeasuredKomi]) -> MeasuredKomi | None:
    here = [one for one in measured if one.options == board]
    return min(here, key=lambda one: one.high - one.low, default=None)


def _point(x: float, known: FairKomi) -> DataPoint:
    told = f"{options_in_words(known.options)}: {_in_words(known)}"
    if isinstance(known, MeasuredKomi):
        told += f", {known.bot}, {known.games:,} games"
    return DataPoint(x, known.fair, known.low, known.high, told)


def _table(measured: Sequence[MeasuredKomi], here: Mapping[str, int]) -> Table:
    rows = tuple(
        tuple(
            map(Cell, (options_in_words(one.options), one.bot, f"{one.games:,}", _in_words(one), one.command))
        )
        for one in sorted(measured, key=lambda one: one.options != here)
    )
    return Table("What was measured", ("board", "players", "games", "fair komi (95 %)", "measured by"), rows)


def _in_words(known: FairKomi) -> str:
    low, high = (f"{end:.1f}".replace("-", "−") for end in (known.low, known.high))
    return f"{known.fair:.1f} ({low} to {high})"
