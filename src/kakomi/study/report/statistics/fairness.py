"""Statistics of the value of each seat, how games end, and the fair komi."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from kakomi.core.known_results import FairKomi, MeasuredKomi
from kakomi.study.report.content import (
    Cell,
    Chart,
    DataPoint,
    Figure,
    GameLink,
    Number,
    Section,
    Series,
    Table,
    in_words,
    options_in_words,
)
from kakomi.study.report.estimates import BEYOND, Estimate, Trend, clipped, holm, p_value, share
from kakomi.study.report.statistics.shared import (
    STRENGTH,
    Line,
    elo_by_level,
    number,
    strength_chart,
    trend_of,
)
from kakomi.study.report.study import Study, extreme, share_of, share_of_seat
from kakomi.study.report.trace import Trace

REAL = 0.05


def seats(study: Study) -> Section:
    """Each seat's share of the win, with a trend over strength."""
    names = study.game.player_names
    own = [_share_of_seat(study.games, seat) for seat in range(study.game.players)]
    even = 1 / study.game.players
    draws = " (draws shared)" if study.game.description.has_draws else ""
    numbers = [
        Number(f"{name} wins{draws}", one, "percent", study.best.title)
        for name, one in zip(names, own, strict=True)
        if one
    ]
    trend = trend_of(study, partial(_share_of_seat, seat=0))
    figures: list[Figure] = [
        *strength_chart(
            study,
            "What each seat wins",
            "share of the win",
            _lines(study),
            f"The share of the win of {'the first seat' if study.game.players == 2 else 'each seat'}, over "
            "the strength of the players. The line across is what would be even.",
            unit="percent",
            level=even,
        ),
        *_trend_chart(study, trend, even),
        *_test_table(study, even),
    ]
    first = own[0]
    assert first
    between = study.best.title if study.best.kind == "own" else f"games between players of {study.best.title}"
    return Section(
        key="seats",
        title=f"What a seat is worth{'' if study.game.players == 2 else ', and the order of turns'}",
        group="fairness",
        finding=_finding(study, own),
        means="How often each seat wins when all players are equally strong and begin on the empty board; "
        "a draw is shared.",
        not_means="It is no value under perfect play. Bots of one level make alike mistakes, and weak "
        "ones often understate what being first is worth; the trend shows which way it goes.",
        numbers=(*numbers, *_extrapolation(study, trend), *_paired(study)),
        figures=tuple(figures),
        links=tuple(_links(study)),
        summary=f"{names[0]} wins {in_words(first, 'percent')} of {between}.",
        method="Games with equal players are independent of each other. The trend is a straight line over "
        "the Elo points of the levels in this report, fitted to all levels and not to random play; its "
        "band widens where levels scatter more than chance.",
    )


def _share_of_seat(games: list[Trace], seat: int) -> Estimate | None:
    return share_of(games, share_of_seat(seat))


def _lines(study: Study) -> list[Line]:
    """A line for each seat; for two players, only the first seat's, which determines the other."""
    shown = range(1 if study.game.players == 2 else study.game.players)
    return [(study.game.player_names[seat], partial(_share_of_seat, seat=seat)) for seat in shown]


def _finding(study: Study, own: list[Estimate | None]) -> str:
    told = [
        f"{name} {in_words(one, 'percent')}"
        for name, one in zip(study.game.player_names, own, strict=True)
        if one
    ]
    return f"Of games of {study.best.title}, the seats win: {', '.join(told)}."


def _extrapolation(study: Study, trend: Trend | None) -> list[Number]:
    if trend is None:
        return []
    name, who = study.game.player_names[0], "levels, by the trend"
    strongest, beyond = (clipped(trend.at(trend.highest + more)) for more in (0, BEYOND))
    change = trend.slope_estimate.scaled(100 * BEYOND)
    note = "An extrapolation: nothing was played there."
    return [
        Number(f"{name} at the highest level", strongest, "percent", who),
        Number(f"{name} if it goes on for {BEYOND} Elo points", beyond, "percent", who, note),
        Number(f"change over {BEYOND} Elo points, in percentage points", change, "points", who),
    ]


def _trend_chart(study: Study, trend: Trend | None, even: float) -> list[Chart]:
    if trend is None:
        return []
    ratings = elo_by_level(study)
    measured = [
        DataPoint(
            ratings[sample.level].value,
            one.value,
            one.low,
            one.high,
            f"{sample.title}: {in_words(one, 'percent')}",
        )
        for sample, one in study.over_strength(lambda games: _share_of_seat(games, 0))
        if sample.kind == "self" and sample.level in ratings
    ]
    steps = [trend.lowest + part * (trend.highest + BEYOND - trend.lowest) / 24 for part in range(25)]
    line = [(x, clipped(trend.at(x))) for x in steps]
    band = [
        DataPoint(x, one.value, one.low, one.high, f"trend at {x:+.0f} Elo: {in_words(one, 'percent')}")
        for x, one in line
    ]
    return [
        Chart(
            "The trend, and where it leads",
            "Elo points above level 1",
            "share of the win",
            (Series("trend", tuple(band), "band"), Series("levels", tuple(measured), "points")),
            f"The first seat's share over measured strength. Right of {trend.highest:.0f} Elo points it is "
            "an extrapolation.",
            "percent",
            level=even,
        )
    ]


def _paired(study: Study) -> list[Number]:
    """The first seat's share after random openings played from both sides, so that strengths cancel out."""
    if study.game.players > 2 or not study.ladder:
        return []
    values = [(trace.block, trace.shares[0], 1.0) for _, games in study.ladder for trace in games]
    sizes: dict[str, int] = {}
    for block, *_ in values:
        sizes[block] = sizes.get(block, 0) + 1
    found = share(value for value in values if sizes[value[0]] == 2)
    name = f"{study.game.player_names[0]} after random openings, played from both sides"
    note = "Openings are drawn so that they are not one-sided, so this leans towards even."
    return [Number(name, found, "percent", "neighbouring levels", note)] if found else []


def _test_table(study: Study, even: float) -> list[Table]:
    """A table of whether seats differ from even, corrected for multiple testing."""
    rows = []
    for sample, games in study.strengths:
        for seat in range(1 if study.game.players == 2 else study.game.players):
            one = _share_of_seat(games, seat)
            if one:
                rows.append((sample, study.game.player_names[seat], one, p_value(one, even)))
    corrected = holm([chance for *_, chance in rows])
    cells = tuple(
        (
            Cell(sample.title),
            Cell(name),
            Cell(number=number(study, name, one, "percent", sample)[0]),
            Cell(f"{chance:.3f}" if chance >= 0.001 else "< 0.001"),
            Cell("differs from even" if chance < REAL else "may be even"),
        )
        for (sample, name, one, _), chance in zip(rows, corrected, strict=True)
    )
    columns = (STRENGTH, "seat", "share of the win", "p, corrected", "so it")
    about = "p-values are corrected by Holm's method for all rows together."
    return [Table("Does a seat differ from even?", columns, cells, about)]


def _links(study: Study) -> list[GameLink]:
    found = []
    for seat, name in enumerate(study.game.player_names):
        won = [trace for trace in study.games if trace.winner == seat]
        if won:
            found.append(extreme(won, lambda trace: -trace.plies, f"A short win of {name}"))
    return found


ENDINGS = {
    "rules": "ended by the rules",
    "counted": "cut off and counted",
    "resignation": "resigned",
    "time": "lost on time",
    "forfeit": "forfeited",
    "agreement": "drawn by agreement",
}


def endings(study: Study) -> Section:
    """Completion, draws and other ways in which games end."""
    draws = share_of(study.games, lambda trace: trace.is_draw)
    rules = share_of(study.games, lambda trace: trace.ending == "rules")
    assert draws and rules
    drawn = [trace for trace in study.games if trace.is_draw]
    cut = [trace for trace in study.games if trace.ending == "counted"]
    charts = strength_chart(
        study,
        "Draws",
        "share of games",
        [("draws", lambda games: share_of(games, lambda trace: trace.is_draw))],
        "How many games end without a sole winner, over the strength of the players.",
        unit="percent",
    )
    never = "The rules of this game allow no draw." if not study.game.description.has_draws else ""
    return Section(
        key="endings",
        title="How games end",
        group="fairness",
        finding=f"{in_words(rules, 'percent')} of games end by the rules, {in_words(draws, 'percent')} "
        "without a sole "
        f"winner. {never}".strip(),
        means="Completion is the share of games that the rules bring to an end; a draw is a game that "
        "nobody wins alone.",
        not_means="A game that is cut off at its limit of actions is counted apart and is neither a draw "
        "nor a time-out: its result is what the scores say at that moment.",
        numbers=(
            *number(study, "ended by the rules", rules, "percent"),
            *number(study, "without a sole winner", draws, "percent"),
        ),
        figures=(_table(study), *(charts if study.game.description.has_draws else ())),
        links=(
            *([GameLink(drawn[0].id, "A drawn game", drawn[0].plies)] if drawn else []),
            *([GameLink(cut[0].id, "A game that was cut off", cut[0].plies)] if cut else []),
        ),
        summary=f"{in_words(draws, 'percent')} of its games are drawn."
        if study.game.description.has_draws
        else "",
    )


def _ends(trace: Trace, by: str) -> bool:
    return trace.ending == by


def _table(study: Study) -> Table:
    seen = [
        ending
        for ending in ENDINGS
        if any(trace.ending == ending for _, games in study.strengths for trace in games)
    ]
    rows = []
    for sample, games in study.strengths:
        cells = [Cell(sample.title), Cell(f"{len(games):,}")]
        for ending in seen:
            one = share_of(games, partial(_ends, by=ending))
            assert one
            cells.append(Cell(number=Number(ENDINGS[ending], one, "percent", sample.title)))
        rows.append(tuple(cells))
    return Table("Endings", (STRENGTH, "games", *(ENDINGS[ending] for ending in seen)), tuple(rows))


def fair_komi(study: Study) -> Section | None:
    """The measured fair komis of the game's boards, this one first; None if there are none."""
    described = study.game.description
    known = described.fair_komis
    if not known.measured:
        return None
    here = described.without_komi(study.game.options)
    finding = _fair_komi_finding(study, described.fair_komi(study.game.options))
    return Section(
        key="fair-komi",
        title="The fair komi",
        group="fairness",
        finding=finding,
        means="At this komi both colours win equally often between equal players. It is where the share of "
        "wins crosses one half in games at many komis; the curve goes through all boards.",
        not_means="It is fair between these bots. Stronger players may make more of the first turn.",
        figures=(*_charts(known.measured, known.curve), _fair_komi_table(known.measured, here)),
        summary=finding if here in [one.options for one in known.measured] else "",
        method="The games of this report say nothing here: the commands in the table play those that do.",
    )


def _fair_komi_finding(study: Study, known: FairKomi | None) -> str:
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


def _fair_komi_table(measured: Sequence[MeasuredKomi], here: Mapping[str, int]) -> Table:
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
