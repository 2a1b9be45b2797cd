"""Progress of a run of learning: matches of its checkpoints against the levels, now and then, and one HTML
page that shows how strong it became, what it learned, and each round.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from kakomi.core import Description, Game
from kakomi.core.level_config import LEVELS, LevelConfig
from kakomi.core.line_file import add_row, rows_in
from kakomi.farm import Farm
from kakomi.learn.plan import Plan
from kakomi.learn.round_log import Round
from kakomi.learn.self_play import NETWORK, PATTERNS
from kakomi.study import tournament
from kakomi.study.report.content import Chart, DataPoint, Series
from kakomi.study.report.page.charts import draw_chart
from kakomi.study.report.page.html import draw_table, resource

GAMES = 20
"""Of a match."""
EVERY = 20 * 60.0
"""Seconds between one match and the next."""
SECONDS = 0.1
"""Of processor time that a checkpoint has for an action."""
ENTRANTS = {NETWORK: "net", PATTERNS: "patterns"}
"""How the name of a bot begins that plays by what was learned, by the kind of learner."""
STRONGER, WEAKER = 0.65, 0.35
"""Where levels have no Elo points: the scores from which the next match is one level up, or down."""


@dataclass(frozen=True)
class Verdict:
    """What a match against a level came to."""

    network: str
    """The checkpoint: a network, or patterns;"""
    level: int
    games: int
    score: float
    """its score, from 0 to 1,"""
    low: float
    high: float
    """and its 95 % interval."""

    def above(self, share: float) -> float:
        """The Elo points above the level that a score comes to, as far as so many games can tell."""
        least = 0.5 / self.games
        return tournament.elo_of(min(1 - least, max(least, share)))

    def __str__(self) -> str:
        elo, low, high = (
            f"{tournament.elo_of(score):+.0f}".replace("inf", "∞")
            for score in (self.score, self.low, self.high)
        )
        score = f"{100 * self.score:.0f} % of {self.games} games"
        return f"checkpoint {self.network} against level {self.level}: {score}, Elo {elo} ({low} to {high})"


def next_level(verdict: Verdict, levels: Sequence[LevelConfig]) -> int:
    """The level to play against next: the one that is about as strong, by a match."""
    known = {number: level.elo for number, level in enumerate(levels, 1) if level.elo is not None}
    if verdict.level in known:
        reached = known[verdict.level] + verdict.above(verdict.score)
        return min(known, key=lambda number: abs(known[number] - reached))
    step = (verdict.score >= STRONGER) - (verdict.score <= WEAKER)
    return min(max(verdict.level + step, 1), len(levels))


class Judge:
    """Has checkpoints of a run play, at `SECONDS` an action, against the level that is about as strong."""

    def __init__(self, folder: Path, game: Game, plan: Plan) -> None:
        self._path, self._game = folder / "verdicts.jsonl", game
        self._kind, self._mix = ENTRANTS[plan.student], plan.how.mix
        self.first_level = LEVELS if plan.origin else 1
        """That of the first match: who begins with a network is no beginner."""
        self._next_at = time.monotonic() + EVERY
        self.verdicts = rows_in(self._path, Verdict)
        """All so far, oldest first."""

    def is_due(self) -> bool:
        """Whether it is time for a match."""
        return time.monotonic() >= self._next_at

    def judge(self, checkpoint: Path, farm: Farm) -> Verdict:
        """Play a match; `keep` keeps its result."""
        level = self.first_level
        if self.verdicts:
            level = next_level(self.verdicts[-1], self._game.description.levels)
        entrant = f"{self._kind}:{checkpoint},cpu={SECONDS},mix={self._mix:g}"
        pairings = tournament.schedule(self._game, [entrant, str(level)], GAMES)
        statistics = tournament.Statistics(pairings)
        with contextlib.closing(tournament.play_games(pairings, farm)) as games:
            for played in games:
                statistics.add(played)
        estimate = statistics.estimate(*tournament.entrant_names([entrant, str(level)]))
        assert estimate
        score, low, high = (round(value, 4) for value in (estimate.score, estimate.low, estimate.high))
        self._next_at = time.monotonic() + EVERY
        return Verdict(checkpoint.stem, level, len(pairings), score, low, high)

    def keep(self, verdict: Verdict) -> None:
        """Add the result of a match to those so far."""
        self.verdicts.append(verdict)
        add_row(self._path, verdict)


UNITS = {"policy": "nats", "value": "nats", "leads": "points", "owner": "nats"}
"""The heads whose losses are shown, and in what."""


def progress_page(
    plan: Plan, boards: Sequence[Game], rounds: Sequence[Round], verdicts: Sequence[Verdict]
) -> str:
    """The whole page, which needs nothing from anywhere else; equal runs give equal pages."""
    description = boards[0].description
    hours = {ended.checkpoint: ended.hours for ended in rounds}
    judged = [verdict for verdict in verdicts if verdict.network in hours]
    strength = _strength(description, judged, hours)
    sections = [_section("strength", [strength] if strength else []), _section("losses", _losses(rounds))]
    return Template(files(__package__).joinpath("progress.html").read_text(encoding="utf-8")).substitute(
        name=escape(description.title),
        style=resource("page.css"),
        eyebrow=escape(f"{_boards(boards)} · {plan.student} · seed {plan.seed}"),
        summary=escape(_summary(rounds, judged)),
        sections="\n".join([*sections, _table(rounds, judged)]),
    )


def _boards(boards: Sequence[Game]) -> str:
    told = (
        [f"{name.replace('_', ' ')} {value}" for name, value in board.options.items()] for board in boards
    )
    return "; ".join(map(", ".join, told))


def _summary(rounds: Sequence[Round], verdicts: Sequence[Verdict]) -> str:
    if not rounds:
        return "No round has ended yet."
    last = rounds[-1]
    done = f"{len(rounds)} rounds, {last.games:,} games, {last.rows:,} positions, {last.hours:.1f} hours."
    return f"{done} Last match: {verdicts[-1]}." if verdicts else f"{done} No match has been played."


def _section(key: str, charts: Sequence[Chart]) -> str:
    """A section of charts that have their title and what is said of them in common; nothing without any."""
    if not charts:
        return ""
    drawn = "\n".join(draw_chart(chart, f"{key}-{number}") for number, chart in enumerate(charts))
    return (
        f'<section id="{key}-section"><h2>{escape(charts[0].title)}</h2>'
        f'<p class="finding">{escape(charts[0].about)}</p>{drawn}</section>'
    )


def _strength(
    description: Description, verdicts: Sequence[Verdict], hours: Mapping[str, float]
) -> Chart | None:
    """Elo points of the checkpoints that played; None if none did against a level that was measured."""
    elos = {number: level.elo for number, level in enumerate(description.levels, 1) if level.elo is not None}
    known = [verdict for verdict in verdicts if verdict.level in elos]
    if not known:
        return None
    points = tuple(_strength_point(verdict, elos[verdict.level], hours[verdict.network]) for verdict in known)
    met = {verdict.level for verdict in known}
    shown = [number for number in range(min(met), max(met) + 2) if number in elos]
    levels = (
        Series(f"level {number}", _level_line(elos[number], points), is_faint=True, is_labelled=True)
        for number in shown
    )
    return Chart(
        "How strong it is",
        "hours of work",
        "Elo",
        (Series("checkpoints", points), *levels),
        f"Checkpoints with {SECONDS:g} s of processor time an action. Whiskers are 95 % intervals of one "
        "match each. The Elo points of levels are those of the small boards on which they were measured.",
        unit="elo",
    )


def _level_line(elo: float, points: Sequence[DataPoint]) -> tuple[DataPoint, ...]:
    return DataPoint(0.0, elo), DataPoint(points[-1].x, elo)


def _strength_point(verdict: Verdict, level: int, hours: float) -> DataPoint:
    y, low, high = (level + verdict.above(share) for share in (verdict.score, verdict.low, verdict.high))
    return DataPoint(hours, y, low, high, f"{verdict}, after {hours:.1f} hours")


def _heads(rounds: Sequence[Round]) -> list[str]:
    return [head for head in UNITS if any(head in ended.losses for ended in rounds)]


def _losses(rounds: Sequence[Round]) -> list[Chart]:
    """The loss of each head after each round, a chart for each unit."""
    heads = _heads(rounds) if len(rounds) > 1 else []
    together = [[head for head in heads if UNITS[head] == unit] for unit in dict.fromkeys(UNITS.values())]
    return [_loss_chart(heads, rounds) for heads in together if heads]


def _loss_chart(heads: Sequence[str], rounds: Sequence[Round]) -> Chart:
    unit = UNITS[heads[0]]
    return Chart(
        "What it learned",
        "games",
        unit if len(heads) > 1 else f"{heads[0]}, in {unit}",
        tuple(Series(head, tuple(_loss_points(head, rounds))) for head in heads),
        "The mean loss of each head in the last steps of a round: cross entropies in nats, and in points how "
        "far a lead is from what was expected. Each round brings other games, so a loss may rise while the "
        "play gets better.",
    )


def _loss_points(head: str, rounds: Sequence[Round]) -> Iterator[DataPoint]:
    for ended in rounds:
        if head in ended.losses:
            loss = ended.losses[head]
            told = f"{head} {loss:.3f} {UNITS[head]} after {ended.games:,} games"
            yield DataPoint(ended.games, loss, told=told)


def _table(rounds: Sequence[Round], verdicts: Sequence[Verdict]) -> str:
    heads = _heads(rounds)
    told = {verdict.network: verdict for verdict in verdicts}
    rows = "".join(_row(_cells(ended, heads, told.get(ended.checkpoint))) for ended in rounds)
    titles = ["checkpoint", "hours", "games", "positions", "steps", *heads, "match"]
    return f"<section><h2>Rounds</h2>{draw_table('Rounds', titles, rows)}</section>" if rounds else ""


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _cells(ended: Round, heads: Sequence[str], verdict: Verdict | None) -> list[str]:
    losses = [f"{ended.losses[head]:.3f}" if head in ended.losses else "" for head in heads]
    counts = [f"{count:,}" for count in (ended.games, ended.rows, ended.steps)]
    return [ended.checkpoint, f"{ended.hours:.2f}", *counts, *losses, _match(verdict) if verdict else ""]


def _match(verdict: Verdict) -> str:
    low, high = f"{100 * verdict.low:.0f}", f"{100 * verdict.high:.0f}"
    return f"level {verdict.level}: {100 * verdict.score:.0f} % ({low}–{high}) of {verdict.games}"
