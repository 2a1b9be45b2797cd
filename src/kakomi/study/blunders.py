"""Blunders: how often bots throw away an exact result near the end of a game, by how many actions are left
(docs/blunders.md)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.core import Game
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.solve import check_provable
from kakomi.study.endings import CriticalPosition, examined
from kakomi.study.puzzle_finder import self_play
from kakomi.study.report.content import Cell, Section, Table, counted, in_words, player_in_words
from kakomi.study.report.estimates import Estimate, share
from kakomi.study.trials import Study

PARTS = 4
"""Columns of the table, from few actions left to many."""
BUDGET = 5_000_000
"""Positions that the solver may search in each game."""


class Asked(Struct, frozen=True):
    """A critical position, and how often each bot threw the result away there."""

    left: int
    """Actions left in the game."""
    best: int
    """The best result possible: 1 for a win, 0 for a draw."""
    chance: float
    """The share of legal actions that throw it away."""
    thrown: dict[str, int]
    """Bot → how often it threw the result away."""
    before: tuple[str, ...]
    """The actions from the start to the position."""


class GameTrial(Struct, frozen=True):
    """A game and its critical positions."""

    actions: int
    positions: int
    """Positions solved, counting back from the end."""
    is_cut_short: bool
    asked: tuple[Asked, ...]


@dataclass(frozen=True)
class Rate:
    """How often a result was thrown away in one column's critical positions."""

    positions: int
    estimate: Estimate | None
    """The share with its 95 % interval, with games as blocks; None without positions."""


@dataclass(frozen=True)
class Row:
    """A player's rate in each column, then overall."""

    player: str
    rates: tuple[Rate, ...]


class BlunderTable:
    """Blunder rates in the critical positions of a set of games."""

    def __init__(self, trials: Sequence[GameTrial], bots: Sequence[str], tries: int, most: int) -> None:
        self._trials, self._bots, self._tries = trials, bots, tries
        width = -(-most // PARTS)
        self.columns = tuple((first, min(first + width - 1, most)) for first in range(1, most + 1, width))
        """The range of actions left in each column, both ends included."""

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self._trials)

    @property
    def positions(self) -> int:
        """The number of positions solved."""
        return sum(trial.positions for trial in self._trials)

    @property
    def critical(self) -> int:
        """The number of solved positions in which a result could be thrown away."""
        return sum(len(trial.asked) for trial in self._trials)

    @property
    def cut_short(self) -> int:
        """The number of games in which the solver's budget ran out, or that were abandoned as endless."""
        return sum(trial.is_cut_short for trial in self._trials)

    @property
    def chance(self) -> Row:
        """How often random play would throw the result away: the share of such actions, exact for each
        position."""
        return self._row("random play", lambda asked: asked.chance)

    def rows(self) -> list[Row]:
        """The bots' rows, in the order given."""
        return [self._row(bot, self._thrown_by(bot)) for bot in self._bots]

    def _thrown_by(self, bot: str) -> Callable[[Asked], float]:
        return lambda asked: asked.thrown[bot] / self._tries

    def _row(self, player: str, value: Callable[[Asked], float]) -> Row:
        columns = [*self.columns, (self.columns[0][0], self.columns[-1][1])]
        return Row(player, tuple(self._rate(first, last, value) for first, last in columns))

    def _rate(self, first: int, last: int, value: Callable[[Asked], float]) -> Rate:
        values = list(self._values(first, last, value))
        return Rate(len(values), share(values))

    def _values(
        self, first: int, last: int, value: Callable[[Asked], float]
    ) -> Iterator[tuple[str, float, float]]:
        for number, trial in enumerate(self._trials):
            for asked in trial.asked:
                if first <= asked.left <= last:
                    yield str(number), value(asked), 1.0


class BlunderStudy(Study[GameTrial]):
    """How often bots throw away exact results near the end of a game.

    The bot `player` plays games against itself. The solver works back through the last `most` positions of
    each, within a budget of `budget` positions per game. Wherever a result can be thrown away, each bot in
    `asked` chooses an action `tries` times.

    Raises ValueError if the game has more than two players or can't be solved, or if a bot doesn't exist,
    can't play the game or is named twice.
    """

    name, noun, kind = "blunders", "game", GameTrial

    def __init__(
        self,
        game: Game,
        count: int = 100,
        seed: int = 1,
        *,
        asked: Sequence[str],
        player: str = "5",
        most: int = 24,
        tries: int = 1,
        budget: int = BUDGET,
    ) -> None:
        check_provable(game)
        for bot in (player, *asked):
            make_bot(bot).check(game)
        if len(set(asked)) < len(asked):
            raise ValueError("a bot is named twice")
        super().__init__(game, count, seed)
        self.asked, self.player = tuple(asked), player
        self.most, self.tries, self.budget = most, tries, budget

    @property
    def terms(self) -> Mapping[str, Any]:
        """The bots, and the limits of the search."""
        names = ("asked", "player", "most", "tries", "budget")
        return {name: getattr(self, name) for name in names}

    @property
    def bots(self) -> Sequence[str]:
        """The bot that plays the games, then the bots tested in them."""
        return (self.player, *self.asked)

    def piece(self, number: int) -> Piece[GameTrial]:
        """The work of playing one game and testing the bots in it."""
        fixed = (self.player, self.asked, self.tries, self.most, self.budget)
        own = derived_seed(self.seed, self.game.name, "blunders", number)
        return Piece(f"game {number + 1}", try_game, (self.game.name, dict(self.game.options), *fixed), own)

    def table(self) -> BlunderTable:
        """The table of the finished games."""
        return BlunderTable(self.results, self.asked, self.tries, self.most)

    def chapter(self) -> Section:
        """The blunder rates as a report section."""
        table = self.table()
        heads = [f"{first}–{last}" if first < last else f"{first}" for first, last in table.columns]
        counts = tuple(Cell(f"{rate.positions:,}") for rate in table.chance.rates)
        rows = [(Cell("positions"), *counts)]
        rows += [
            (Cell(player_in_words(row.player)), *map(_cell, row.rates))
            for row in (table.chance, *table.rows())
        ]
        short = f"; in {table.cut_short:,} the solver came less far back" if table.cut_short else ""
        return Section(
            key=f"study-{self.digest:08x}",
            title=f"Blunders in {counted(table.games)} of {player_in_words(self.player)} with itself",
            group="studies",
            finding=f"Of the last {self.most} actions {table.positions:,} positions were solved, "
            f"{table.critical:,} of them critical{short}.",
            means="In a critical position one action wins, draws or loses what another doesn't. The share of "
            "them in which a bot threw away the best result.",
            not_means="Only ends that the solver reaches are counted, in positions that this bot came to.",
            figures=(Table("Results thrown away", ("actions left", *heads, "all"), tuple(rows)),),
            method="Intervals rest on the differences between games, each of which counts the same.",
        )


def try_game(
    name: str,
    options: Mapping[str, Any],
    player: str,
    bots: Sequence[str],
    tries: int,
    most: int,
    budget: int,
    *,
    seed: int,
) -> GameTrial:
    """Play a game of one bot against itself, and test all bots `tries` times in each critical position.

    The last `most` positions are examined, as far back as the solver gets within `budget` positions. The
    same arguments give the same trial.
    """
    game = catalog.game(name, **options)
    line = list(self_play(game, player, seed))
    if not line[-1].is_over:  # endless: self-play gave up, so no ending can be solved
        return GameTrial(len(line) - 1, 0, True, ())
    found = examined(line, most, budget)
    asked = tuple(_asked(critical, bots, tries, seed) for critical in found.critical)
    return GameTrial(len(line) - 1, found.positions, found.is_cut_short, asked)


def _asked(critical: CriticalPosition, bots: Sequence[str], tries: int, seed: int) -> Asked:
    texts = critical.position.game.action_texts
    return Asked(
        left=critical.left,
        best=max(critical.results.values()),
        chance=critical.chance,
        thrown={bot: _thrown(critical, bot, tries, seed) for bot in bots},
        before=tuple(texts[action] for action in critical.position.played()),
    )


def _thrown(critical: CriticalPosition, bot: str, tries: int, seed: int) -> int:
    """How often a bot throws the result away. Each try has its own seed and a new bot, without memory."""
    seeds = (derived_seed(seed, bot, critical.left, number) for number in range(tries))
    chosen = (make_bot(bot, seed=own).choose(critical.position) for own in seeds)
    return sum(map(critical.throws_away, chosen))


def _cell(rate: Rate) -> Cell:
    return Cell(in_words(rate.estimate, "percent") if rate.estimate else "–")
