"""The komi that is fair, as games at many komis have measured it, beside the one of the report's games."""

from collections.abc import Mapping, Sequence

from kakomi.core.fair_komi import FairKomi, MeasuredKomi
from kakomi.study.report.content import Cell, Chart, DataPoint, Section, Series, Table
from kakomi.study.report.study import Study


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
        figures=(_chart(known.measured, known.curve), _table(known.measured, here)),
        summary=finding if here in [one.options for one in known.measured] else "",
        method="The games of this report say nothing here: the commands in the table play those that do.",
    )


def _finding(study: Study, known: FairKomi | None) -> str:
    if known is None:
        return "The fair komi of this board was not measured; those of others were."
    komi = study.game.options[study.game.description.komi_option]
    return f"A komi of {_in_words(known)} is fair between equal bots; in these games it is {komi}."


def _chart(measured: Sequence[MeasuredKomi], curve: Sequence[FairKomi]) -> Chart:
    strongest = {_named(one.options): one for one in measured}  # of one board the last one is
    boards = [_named(one.options) for one in curve] or list(strongest)
    place = {board: float(number) for number, board in enumerate(boards)}
    points = [(place[board], one) for board, one in strongest.items() if board in place]
    return Chart(
        "The fair komi by board",
        "board",
        "komi",
        (
            Series("curve", tuple(_point(place[_named(one.options)], one) for one in curve), "band"),
            Series("measured between the strongest", tuple(_point(x, one) for x, one in points), "points"),
        ),
        "The curve with its 95 % band, and what was measured on each board between the strongest bots.",
        x_labels={number: board for board, number in place.items()},
    )


def _point(x: float, known: FairKomi) -> DataPoint:
    told = f"{_named(known.options)}: {_in_words(known)}"
    return DataPoint(x, known.fair, known.low, known.high, told)


def _table(measured: Sequence[MeasuredKomi], here: Mapping[str, int]) -> Table:
    rows = tuple(
        tuple(map(Cell, (_named(one.options), one.bot, f"{one.games:,}", _in_words(one), one.command)))
        for one in sorted(measured, key=lambda one: one.options != here)
    )
    return Table("What was measured", ("board", "players", "games", "fair komi (95 %)", "measured by"), rows)


def _named(board: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in board.items())


def _in_words(known: FairKomi) -> str:
    low, high = (f"{end:.1f}".replace("-", "−") for end in (known.low, known.high))
    return f"{known.fair:.1f} ({low} to {high})"
