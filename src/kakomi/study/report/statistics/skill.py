"""Statistics of strength: the ladder of levels, trends over strength, openings and mirror play."""

import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from kakomi.bots.mirror import images, mirror_of
from kakomi.contest.estimate import elo_of
from kakomi.draw.board_map import BoardMap
from kakomi.study.report.content import (
    Cell,
    Chart,
    DataPoint,
    GameLink,
    Number,
    Section,
    Series,
    Table,
    games_in_words,
    in_words,
)
from kakomi.study.report.estimates import BEYOND, Estimate, Trend, clipped, difference, holm, p_value, share
from kakomi.study.report.statistics.shared import (
    Measure,
    Step,
    elo_by_level,
    measures_of,
    number,
    steps,
    trend_of,
    turn_up_to_symmetry,
)
from kakomi.study.report.study import Study, extreme, mean_of, share_of, share_of_seat
from kakomi.study.report.trace import Trace

Ratings = Mapping[int, Estimate]
"""Elo points by level."""
AIMS = (0.6, 0.75)
ALIKE = 0.05
"""Bots with temperatures up to this differ only in effort."""


def skill(study: Study) -> Section | None:
    """Scores of neighbouring levels, their Elo points, and the effort needed to win 60 and 75 %; None without
    levels."""
    climbed = steps(study)
    if not climbed:
        return None
    ratings = elo_by_level(study)
    top = max(ratings)
    span = ratings[top].value - ratings[0].value
    numbers = [
        Number(
            f"times the effort for {100 * aim:.0f} % of games, at level {step.level - 1}",
            factor,
            "times",
            f"level {step.level} against level {step.level - 1}",
        )
        for step in climbed
        for aim in AIMS
        if (factor := effort_for(study, step, aim))
    ]
    return Section(
        key="skill",
        title="The ladder of skill",
        group="skill",
        finding=f"Level {top} is {span:.0f} Elo points above random play, {top} steps that each win "
        f"{100 * min(step.score.value for step in climbed):.0f} to "
        f"{100 * max(step.score.value for step in climbed):.0f} % against the one below.",
        means="Each level plays the one below on random openings, each from every seat; scores become Elo "
        "points, and steps add up. Where two levels differ in simulations alone, their score tells how "
        "many times the effort wins 60 or 75 % of games.",
        not_means="A long ladder shows that there is much to be gained by looking further ahead, and not "
        "that people find it deep; a ladder of bots of one kind ends where that kind does.",
        numbers=tuple(numbers),
        figures=(_chart(ratings), _table(study, climbed, ratings)),
        links=tuple(_upset(study)),
        summary=f"{top} levels of bots stand between random play and the strongest one here, each clearly "
        "better than the one below."
        if all(step.score.low > 0.5 for step in climbed)
        else "",
        method="The factor is the ratio of simulations to the power of the wanted Elo difference over the "
        "one that was found; it supposes that strength grows with the logarithm of effort between the two.",
    )


def effort_for(study: Study, step: Step, aim: float) -> Estimate | None:
    """The multiple of the lower level's effort that scores `aim` against it; None if the two differ in more
    than effort, or if the higher one isn't significantly stronger."""
    if step.level < 2:
        return None
    lower, higher = study.game.description.levels[step.level - 2 : step.level]
    ratio = higher.simulations / lower.simulations
    alike = lower.adviser is higher.adviser and max(lower.temperature, higher.temperature) <= ALIKE
    if not alike or ratio <= 1 or step.elo.low <= 0:
        return None
    wanted = elo_of(aim)
    most, value, least = (
        ratio ** (wanted / elo) if math.isfinite(elo) else 1.0
        for elo in (step.elo.low, step.elo.value, step.elo.high)
    )
    return Estimate(value, least, most, step.score.games, step.score.blocks)


def _chart(ratings: Ratings) -> Chart:
    points = tuple(
        DataPoint(
            level,
            one.value,
            one.low if one.error else None,
            one.high if one.error and math.isfinite(one.high) else None,
            f"{'random play' if not level else f'level {level}'}: {in_words(one, 'elo')}, "
            f"{games_in_words(one)}",
        )
        for level, one in sorted(ratings.items())
        if math.isfinite(one.low) or not one.error
    )
    labels = {float(level): str(level) if level else "random" for level in ratings}
    return Chart(
        "The ladder",
        "random play and levels of bots",
        "Elo points above level 1",
        (Series("Elo", points),),
        "The strength of each level as measured in this report.",
        "elo",
        labels,
    )


def _table(study: Study, climbed: list[Step], ratings: Ratings) -> Table:
    rows = []
    for step in climbed:
        level = study.game.description.levels[step.level - 1]
        title = (
            f"level {step.level} against level {step.level - 1}"
            if step.level > 1
            else "level 1 against random play"
        )
        factors = [effort_for(study, step, aim) for aim in AIMS]
        rows.append(
            (
                Cell(title),
                Cell(f"{level.simulations:,}"),
                Cell(f"{level.temperature:g}"),
                Cell(f"{step.score.games:,}"),
                Cell(number=Number("score", step.score, "percent", title)),
                Cell(number=Number("Elo", ratings[step.level], "elo", title)),
                *(
                    Cell(number=Number("effort", one, "times", title)) if one else Cell("–")
                    for one in factors
                ),
            )
        )
    columns = (
        "players",
        "simulations",
        "temperature",
        "games",
        "score",
        "Elo above level 1",
        "effort for 60 %",
        "effort for 75 %",
    )
    return Table(
        "Steps", columns, tuple(rows), "Simulations and temperature are those of the stronger player."
    )


def _upset(study: Study) -> list[GameLink]:
    """A link to a game that the highest level lost to a weaker player, in a list that may be empty."""
    sample, games = study.ladder[-1]
    lost = [
        trace
        for trace in games
        if trace.winner is not None and trace.seats[trace.winner] != str(sample.level)
    ]
    return [extreme(lost, lambda trace: trace.plies, f"Level {sample.level} loses")] if lost else []


REAL = 0.05
WHO = "levels, by the trend"


def trends(study: Study) -> Section | None:
    """The trend of every measure over the Elo points of the levels; None with too few levels."""
    ratings = elo_by_level(study)
    found = [
        (measure, trend) for measure in measures_of(study.game) if (trend := trend_of(study, measure[2]))
    ]
    if not found:
        return None
    corrected = holm([p_value(trend.slope_estimate, 0.0) for _, trend in found])
    real = [measure[0] for (measure, _), chance in zip(found, corrected, strict=True) if chance < REAL]
    rows = tuple(
        _row(measure, trend, chance) for (measure, trend), chance in zip(found, corrected, strict=True)
    )
    columns = (
        "number",
        "at the lowest level",
        "at the highest",
        f"change over {BEYOND} Elo",
        f"{BEYOND} Elo on",
        "so",
    )
    return Section(
        key="trends",
        title="Trends over strength",
        group="skill",
        finding=f"With strength these change beyond chance: {', '.join(real)}."
        if real
        else "Nothing here changes with strength beyond chance.",
        means="Straight lines through the numbers of all levels, over the Elo points that the levels have "
        f"in this report (level {max(ratings)} has {ratings[max(ratings)].value:.0f} more than level 1), "
        f"and the bands of these lines {BEYOND} points beyond the strongest player.",
        not_means="A line is a guess about where things go: nothing was played beyond the highest level, "
        "and what bends is not seen by it. The band grows where levels scatter round the line.",
        figures=(
            Table(
                "Trends",
                columns,
                rows,
                "Whether a line rises or falls is corrected by Holm's method for all rows.",
            ),
        ),
    )


def _row(measure: Measure, trend: Trend, chance: float) -> tuple[Cell, ...]:
    label, unit, _ = measure

    def shown(one: Estimate) -> Cell:
        return Cell(number=Number(label, clipped(one) if unit == "percent" else one, unit, WHO))

    change = trend.slope_estimate.scaled(BEYOND * (100 if unit == "percent" else 1))
    return (
        Cell(label),
        shown(trend.at(trend.lowest)),
        shown(trend.at(trend.highest)),
        Cell(number=Number(label, change, "points" if unit == "percent" else unit, WHO)),
        shown(trend.at(trend.highest + BEYOND)),
        Cell(("rises" if trend.slope_estimate.value > 0 else "falls") if chance < REAL else "may be level"),
    )


MOST_ROWS = 10
FEWEST_GAMES = 5
"""First turns in fewer games get no share of the win."""


def openings(study: Study) -> Section | None:
    """First turns of the strongest players' games without an opening or a set position; None without any."""
    games = [trace for trace in study.games if not trace.opening and not trace.position and trace.plies]
    if not games:
        return None
    groups = _groups(study, games)
    ordered = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    favourite, first = ordered[0]
    chosen = share_of(games, frozenset(first).__contains__)
    assert chosen
    return Section(
        key="openings",
        title="Openings",
        group="skill",
        finding=f"{len(groups)} different first turns were played; {_spelled(study, favourite)} comes in "
        f"{in_words(chosen, 'percent')} of games.",
        means="First turns that a rotation or reflection of the board makes alike are one. The share of "
        "the win is that of whoever plays it.",
        not_means="A first turn that wins often is not proven to be good: few games are behind each, and "
        "the answers to it were as strong as these bots are.",
        figures=(_openings_table(study, ordered, games), _map(study, games)),
        links=tuple(GameLink(one[0].id, f"Begins with {_spelled(study, turn)}") for turn, one in ordered[:3]),
    )


def _groups(study: Study, games: list[Trace]) -> dict[tuple[int, ...], list[Trace]]:
    found: dict[tuple[int, ...], list[Trace]] = defaultdict(list)
    for trace in games:
        found[first_turn(study, trace)].append(trace)
    return found


def first_turn(study: Study, trace: Trace) -> tuple[int, ...]:
    """The actions of the first turn, mapped to one representative of all symmetric turns."""
    return turn_up_to_symmetry(study.game, trace.actions[: int((trace.turns == 0).sum())])


def _spelled(study: Study, turn: tuple[int, ...]) -> str:
    return " ".join(study.game.action_texts[action] for action in turn)


def _openings_table(study: Study, ordered: list, games: list[Trace]) -> Table:
    scored = [(turn, some, _score(some), _score(_others(games, some))) for turn, some in ordered[:MOST_ROWS]]
    tested = [
        p_value(difference(own, rest), 0.0) if own and rest and own.games >= FEWEST_GAMES else 1.0
        for _, _, own, rest in scored
    ]
    corrected = holm(tested)
    rows = []
    for (turn, some, own, _), chance in zip(scored, corrected, strict=True):
        chosen = share_of(games, frozenset(some).__contains__)
        assert chosen and own
        rows.append(
            (
                Cell(
                    _spelled(study, turn), link=GameLink(some[0].id, f"Begins with {_spelled(study, turn)}")
                ),
                Cell(f"{len(some):,}"),
                Cell(number=Number("played", chosen, "percent", study.best.title)),
                Cell(number=Number("wins", own, "percent", study.best.title))
                if own.games >= FEWEST_GAMES
                else Cell("–"),
                Cell("yes" if chance < REAL else "may be chance"),
            )
        )
    columns = ("first turn", "games", "of all games", "share of the win", "differs from the others")
    about = (
        "Whether a first turn differs is tested against all others, corrected by Holm's method for all rows."
    )
    return Table(f"The {len(rows)} first turns that come most often", columns, tuple(rows), about)


def _others(games: list[Trace], some: list[Trace]) -> list[Trace]:
    left_out = frozenset(some)
    return [trace for trace in games if trace not in left_out]


def _score(games: list[Trace]) -> Estimate | None:
    return share((trace.block, trace.shares[int(trace.movers[0])], 1.0) for trace in games)


def _map(study: Study, games: list[Trace]) -> BoardMap:
    """How often the first turn touches each place, averaged over the symmetries."""
    counts: dict[str, float] = defaultdict(float)
    symmetries = study.game.known_symmetries
    for trace in games:
        turn = trace.actions[: int((trace.turns == 0).sum())]
        for symmetry in symmetries:
            for action in turn:
                target = study.game.actions[symmetry.actions[action]].target
                if target:
                    counts[target] += 1 / len(symmetries)
    most = max(counts.values(), default=1.0)
    return BoardMap(
        "Where games begin",
        f"The stronger the tint, the more often the first turn goes there, in {len(games):,} games of "
        f"{study.best.title}; places that are alike share their games.",
        {name: (count / most, None) for name, count in counts.items()},
        {
            name: f"{name}: in the first turn of {100 * count / len(games):.1f} % of games"
            for name, count in counts.items()
        },
    )


MIRROR = "mirror:"


def mirror(study: Study) -> Section | None:
    """What a copying player wins in each seat, compared with an equal player; None without such games."""
    found = [(sample, games) for sample, games in study.samples.items() if sample.kind == "mirror" and games]
    if not found:
        return None
    sample, games = found[0]
    rows = [
        (seat, _mirror_score(games, seat), _equal(study, sample.level, seat))
        for seat in range(study.game.players)
    ]
    tests = holm([p_value(difference(own, equal), 0.0) if own and equal else 1.0 for _, own, equal in rows])
    second = rows[-1][1]
    told = in_words(second, "percent") if second else "none"
    copied = mean_of(games, lambda trace: copied_share(study, trace))
    return Section(
        key="mirror",
        title="Mirror strategies",
        group="skill",
        finding=f"Who copies level {sample.level} as second player wins {told} of games.",
        means="One player answers each turn by its image under half a turn of the board, or a reflection, "
        "as long as that is legal, and else as its level plays. If copying wins as much as playing does, "
        "the game needs a rule against it.",
        not_means="The level doesn't know that it is copied, and sets no trap; people soon would. That "
        "copying fails against this level is no proof that it always does.",
        numbers=(
            *(_number(study, seat, own, sample.title) for seat, own, _ in rows if own),
            *number(study, "turns that were copied", copied, "percent", sample),
        ),
        figures=(_mirror_table(study, rows, tests),),
        links=_links(games),
    )


def _number(study: Study, seat: int, own: Estimate, who: str) -> Number:
    return Number(f"who copies as {study.game.player_names[seat]} wins", own, "percent", who)


def _seat(trace: Trace) -> int:
    """The seat that copies."""
    return next(seat for seat, name in enumerate(trace.seats) if name.startswith(MIRROR))


def _mirror_score(games: list[Trace], seat: int) -> Estimate | None:
    return share((trace.block, trace.shares[seat], 1.0) for trace in games if _seat(trace) == seat)


def _equal(study: Study, level: int, seat: int) -> Estimate | None:
    """The seat's share of the win when a level plays itself."""
    games = next((games for sample, games in study.strengths if sample.level == level), [])
    return share_of(games, share_of_seat(seat))


def copied_share(study: Study, trace: Trace) -> float:
    """The fraction of the copying player's turns that are images of the turn before."""
    symmetry, seat = mirror_of(study.game), _seat(trace)
    turns: dict[int, list[int]] = {}
    for turn, action in zip(trace.turns.tolist(), trace.actions, strict=True):
        turns.setdefault(turn, []).append(action)
    movers = {turn: int(mover) for turn, mover in zip(trace.turns.tolist(), trace.movers, strict=True)}
    answers = [(before, after) for before, after in pairwise(turns) if movers[after] == seat]
    if symmetry is None or not answers:
        return 0.0
    same = sum(images(symmetry, tuple(turns[before])) == turns[after] for before, after in answers)
    return same / len(answers)


def _mirror_table(
    study: Study, rows: list[tuple[int, Estimate | None, Estimate | None]], tests: list[float]
) -> Table:
    cells = []
    for (seat, own, equal), chance in zip(rows, tests, strict=True):
        name = study.game.player_names[seat]
        scores = [Cell(number=Number(name, one, "percent")) if one else Cell("–") for one in (own, equal)]
        cells.append((Cell(name), *scores, Cell("differs" if chance < REAL else "may be chance")))
    columns = ("seat", "who copies wins", "an equal player wins", "so it")
    return Table("Copying and playing", columns, tuple(cells), "Corrected by Holm's method for both seats.")


def _links(games: list[Trace]) -> tuple[GameLink, ...]:
    won = [trace for trace in games if trace.winner == _seat(trace)]
    lost = [trace for trace in games if trace.winner not in (_seat(trace), None)]
    found = [(won, "Copying wins"), (lost, "Copying loses")]
    return tuple(extreme(some, lambda trace: -trace.plies, label) for some, label in found if some)
