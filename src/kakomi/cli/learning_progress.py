"""Progress of a learning run: occasional matches of its checkpoints against the levels, and an HTML page that
shows its strength, its losses and each round.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from kakomi.contest.estimate import elo_of
from kakomi.core import Description, Game
from kakomi.core.level_config import LEVELS, LevelConfig
from kakomi.core.line_file import add_row, rows_in
from kakomi.farm import Farm
from kakomi.learn.plan import Plan
from kakomi.learn.round_log import Round
from kakomi.learn.self_play import NETWORK, PATTERNS
from kakomi.study import matches
from kakomi.study.report.content import Chart, DataPoint, Series
from kakomi.study.report.page.charts import draw_chart
from kakomi.study.report.page.html import draw_table, resource

GAMES = 20
"""The number of games in a match."""
EVERY = 20 * 60.0
"""The fewest seconds between two matches."""
SECONDS = 0.1
"""The seconds of processor time that a checkpoint has for an action."""
ENTRANTS = {NETWORK: "net", PATTERNS: "patterns"}
"""By kind of learner, the prefix of the names of bots that play by what was learned."""
STRONGER, WEAKER = 0.65, 0.35
"""If levels have no Elo points: the scores from which the next match is one level up or down."""


@dataclass(frozen=True)
class LevelMatch:
    """The result of a match against a level."""

    network: str
    """The name of the checkpoint, of a network or of patterns."""
    level: int
    games: int
    score: float
    """The checkpoint's score, from 0 to 1."""
    low: float
    high: float
    """The end of the score's 95 % interval, which begins with `low`."""

    def above(self, share: float) -> float:
        """Return the Elo points above the level for a score, limited to what so many games can show."""
        least = 0.5 / self.games
        return elo_of(min(1 - least, max(least, share)))

    def __str__(self) -> str:
        elo, low, high = (
            f"{elo_of(score):+.0f}".replace("inf", "∞") for score in (self.score, self.low, self.high)
        )
        score = f"{100 * self.score:.0f} % of {self.games} games"
        return f"checkpoint {self.network} against level {self.level}: {score}, Elo {elo} ({low} to {high})"


def next_level(match: LevelMatch, levels: Sequence[LevelConfig]) -> int:
    """Return the level to play against next: the one closest in strength, according to a match."""
    known = {number: level.elo for number, level in enumerate(levels, 1) if level.elo is not None}
    if match.level in known:
        reached = known[match.level] + match.above(match.score)
        return min(known, key=lambda number: abs(known[number] - reached))
    step = (match.score >= STRONGER) - (match.score <= WEAKER)
    return min(max(match.level + step, 1), len(levels))


class StrengthTester:
    """Matches checkpoints of a run, at `SECONDS` an action, against the level closest in strength."""

    def __init__(self, folder: Path, game: Game, plan: Plan) -> None:
        self._path, self._game = folder / "verdicts.jsonl", game
        self._kind, self._mix = ENTRANTS[plan.student], plan.how.mix
        self.first_level = LEVELS if plan.origin else 1
        """The level of the first match; a run that begins with a network is no beginner."""
        self._next_at = time.monotonic() + EVERY
        self.matches = rows_in(self._path, LevelMatch)
        """The results of all matches, oldest first."""

    def is_due(self) -> bool:
        """Whether it is time for a match."""
        return time.monotonic() >= self._next_at

    def play_match(self, checkpoint: Path, farm: Farm) -> LevelMatch:
        """Play a match and return its result, which `keep` saves."""
        level = self.first_level
        if self.matches:
            level = next_level(self.matches[-1], self._game.description.levels)
        entrant = f"{self._kind}:{checkpoint},cpu={SECONDS},mix={self._mix:g}"
        pairings = matches.schedule(self._game, [entrant, str(level)], GAMES)
        statistics = matches.Statistics(pairings)
        with contextlib.closing(matches.play_games(pairings, farm)) as games:
            for played in games:
                statistics.add(played)
        estimate = statistics.estimate(*matches.entrant_names([entrant, str(level)]))
        assert estimate
        score, low, high = (round(value, 4) for value in (estimate.score, estimate.low, estimate.high))
        self._next_at = time.monotonic() + EVERY
        return LevelMatch(checkpoint.stem, level, len(pairings), score, low, high)

    def keep(self, match: LevelMatch) -> None:
        """Save the result of a match."""
        self.matches.append(match)
        add_row(self._path, match)


UNITS = {"policy": "nats", "value": "nats", "leads": "points", "owner": "nats"}
"""The heads whose losses are shown, with their units."""


def progress_page(
    plan: Plan, boards: Sequence[Game], rounds: Sequence[Round], matches: Sequence[LevelMatch]
) -> str:
    """Return the complete page, which loads no other resources. Equal runs give equal pages."""
    description = boards[0].description
    hours = {ended.checkpoint: ended.hours for ended in rounds}
    judged = [match for match in matches if match.network in hours]
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


def _summary(rounds: Sequence[Round], matches: Sequence[LevelMatch]) -> str:
    if not rounds:
        return "No round has ended yet."
    last = rounds[-1]
    done = f"{len(rounds)} rounds, {last.games:,} games, {last.rows:,} positions, {last.hours:.1f} hours."
    return f"{done} Last match: {matches[-1]}." if matches else f"{done} No match has been played."


def _section(key: str, charts: Sequence[Chart]) -> str:
    """Return a section of charts that share their title and text; empty without charts."""
    if not charts:
        return ""
    drawn = "\n".join(draw_chart(chart, f"{key}-{number}") for number, chart in enumerate(charts))
    return (
        f'<section id="{key}-section"><h2>{escape(charts[0].title)}</h2>'
        f'<p class="finding">{escape(charts[0].about)}</p>{drawn}</section>'
    )


def _strength(
    description: Description, matches: Sequence[LevelMatch], hours: Mapping[str, float]
) -> Chart | None:
    """Return a chart of the checkpoints' Elo points; None if none played against a level with Elo points."""
    elos = {number: level.elo for number, level in enumerate(description.levels, 1) if level.elo is not None}
    known = [match for match in matches if match.level in elos]
    if not known:
        return None
    points = tuple(_strength_point(match, elos[match.level], hours[match.network]) for match in known)
    met = {match.level for match in known}
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


def _strength_point(match: LevelMatch, level: int, hours: float) -> DataPoint:
    y, low, high = (level + match.above(share) for share in (match.score, match.low, match.high))
    return DataPoint(hours, y, low, high, f"{match}, after {hours:.1f} hours")


def _heads(rounds: Sequence[Round]) -> list[str]:
    return [head for head in UNITS if any(head in ended.losses for ended in rounds)]


def _losses(rounds: Sequence[Round]) -> list[Chart]:
    """Return charts of the loss of each head after each round, one for each unit."""
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


def _table(rounds: Sequence[Round], matches: Sequence[LevelMatch]) -> str:
    heads = _heads(rounds)
    told = {match.network: match for match in matches}
    rows = "".join(_row(_cells(ended, heads, told.get(ended.checkpoint))) for ended in rounds)
    titles = ["checkpoint", "hours", "games", "positions", "steps", *heads, "match"]
    return f"<section><h2>Rounds</h2>{draw_table('Rounds', titles, rows)}</section>" if rounds else ""


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _cells(ended: Round, heads: Sequence[str], match: LevelMatch | None) -> list[str]:
    losses = [f"{ended.losses[head]:.3f}" if head in ended.losses else "" for head in heads]
    counts = [f"{count:,}" for count in (ended.games, ended.rows, ended.steps)]
    return [ended.checkpoint, f"{ended.hours:.2f}", *counts, *losses, _match(match) if match else ""]


def _match(match: LevelMatch) -> str:
    low, high = f"{100 * match.low:.0f}", f"{100 * match.high:.0f}"
    return f"level {match.level}: {100 * match.score:.0f} % ({low}–{high}) of {match.games}"
