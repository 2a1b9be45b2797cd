"""Openings: how often a player chooses each first turn, up to symmetry of the board (docs/openings.md)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec import Struct

from kakomi import catalog
from kakomi.bots import Bot, make_bot
from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.draw.board_map import BoardMap, draw_board
from kakomi.farm import Piece
from kakomi.openings import Key, Turn, TurnClass, TurnClasses, opening_map, shaded
from kakomi.study.report.content import (
    Cell,
    Number,
    Section,
    Table,
    in_words,
    margin_in_words,
    p_in_words,
    player_in_words,
)
from kakomi.study.report.estimates import Estimate, both_tails, clipped, holm, mean, share
from kakomi.study.trials import Study

REAL = 0.05
"""The significance level: a corrected p-value below it counts as a difference."""
MOST_FOLLOWED, MOST_REPLIES = 3, 5
"""How many first turns to list replies for, and how many replies for each."""
MOST_NAMED = 12
"""How many unplayed first turns to list."""


class OpeningTrial(Struct, frozen=True):
    """The turns that one search chose."""

    turns: tuple[tuple[str, ...], ...]
    """The actions of the first turn, and of later ones if requested."""
    expected: tuple[float | None, ...]
    """For each turn, the share of the win from 0 to 1 that the search for its last action expected for the
    player of the turn; None for a player that doesn't search."""


def try_opening(name: str, options: Mapping[str, Any], bot: str, turns: int, *, seed: int) -> OpeningTrial:
    """Let a bot play the first turns of a game for all seats.

    The same arguments give the same trial, unless the bot thinks by the clock.
    """
    player, position = make_bot(bot, seed=seed), catalog.game(name, **options).start()
    texts = position.game.action_texts
    played: list[tuple[str, ...]] = []
    expected: list[float | None] = []
    while len(played) < turns and not position.is_over:
        turn, position, share = _turn(player, position)
        played.append(tuple(texts[action] for action in turn))
        expected.append(share)
    return OpeningTrial(tuple(played), tuple(expected))


def _turn(player: Bot, position: Position) -> tuple[list[int], Position, float | None]:
    """The actions of a whole turn, the position after it, and the expected share of the win."""
    actions: list[int] = []
    expected = None
    while not actions or not position.is_between_turns:
        actions.append(player.choose(position))
        told = _expected(player, position, actions[-1])
        expected = expected if told is None else told
        position = position.play_action(actions[-1])
    return actions, position, expected


def _expected(player: Bot, position: Position, action: int) -> float | None:
    """The share of the win that the search for an action expected for its player."""
    lines = player.last_report.lines if player.last_report else ()
    return next((line.chances[position.to_move] for line in lines if line.action == action), None)


@dataclass(frozen=True)
class OpeningRow:
    """A class of equivalent first turns, and how often they were played."""

    turn: str
    """The text of one of them."""
    actions: Turn
    """The action numbers of the same turn."""
    key: Key
    members: int
    """The number of distinct positions that they lead to."""
    count: int
    share: Estimate
    """The share of all searches, with its 95 % interval."""
    even: float | None
    """The share if all positions after a first turn were equally frequent; None if turns aren't listed."""
    chance: float | None
    """The p-value of the difference between `share` and `even`, corrected by Holm's method for all rows."""
    expected: Estimate | None
    """The mean share of the win expected by the searches that chose them; None without any."""

    @property
    def differs(self) -> int:
        """1 if played significantly more often than evenly, −1 if less often, 0 if not significant."""
        if self.even is None or self.chance is None or self.chance >= REAL:
            return 0
        return 1 if self.share.value > self.even else -1


@dataclass(frozen=True)
class Reply:
    """A class of equivalent replies to a first turn, and how often they were played."""

    turn: str
    """The text of one of them, as a reply to the first turn in its `OpeningRow`."""
    count: int
    share: Estimate
    """The share of the searches that played that first turn."""


@dataclass(frozen=True)
class ExactShares:
    """How often the best first turns were played, for games whose exact values are known."""

    best: Estimate
    """The share of turns with the largest margin."""
    kept: Estimate
    """The share of turns that keep the best result: win, draw or loss."""
    best_evenly: float
    """These are the shares if all positions after a first turn were equally frequent."""
    kept_evenly: float


class OpeningTable:
    """The first turns of some searches, counted up to symmetry.

    Raises ValueError without any search.
    """

    def __init__(self, game: Game, trials: Sequence[OpeningTrial]) -> None:
        if not trials:
            raise ValueError("no search was made")
        self.game, self.trials = game, trials
        self.classes = TurnClasses(game)

    @property
    def searches(self) -> int:
        """The number of searches."""
        return len(self.trials)

    @property
    def expected(self) -> Estimate | None:
        """The mean share of the win that the searches expected from their first turns; None if none did."""
        return self._expected(self.trials)

    @property
    def positions(self) -> int | None:
        """The number of positions after a first turn; None if they aren't listed."""
        return None if self.classes.all is None else sum(one.members for one in self.classes.all)

    @cached_property
    def rows(self) -> tuple[OpeningRow, ...]:
        """All classes of first turns, the most frequent first; only those played if turns aren't listed."""
        rows = sorted(map(self._row, self._listed), key=lambda row: (-row.count, row.actions))
        if self.positions is None:
            return tuple(rows)
        tested = [both_tails(row.count, self.searches, row.even or 0.0) for row in rows]
        corrected = zip(rows, holm(tested), strict=True)
        return tuple(OpeningRow(**{**vars(row), "chance": chance}) for row, chance in corrected)

    @property
    def played(self) -> tuple[OpeningRow, ...]:
        """The rows that came."""
        return tuple(row for row in self.rows if row.count)

    def replies(self, row: OpeningRow) -> list[Reply]:
        """The replies to a first turn, the most frequent first; empty if none were requested."""
        some = [trial for trial in self._by_class.get(row.key, ()) if len(trial.turns) > 1]
        counted = Counter(self._reply(row, trial) for trial in some)
        ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        spelled = self.classes.spelled
        return [Reply(spelled(turn), count, _share(count, len(some))) for turn, count in ordered]

    def exact_shares(self, margins: Mapping[Key, int]) -> ExactShares:
        """How often the best turns were played, given each class's margin for the first player."""
        most = max(margins.values())
        best = {key for key, margin in margins.items() if margin == most}
        kept = {key for key, margin in margins.items() if _result(margin) == _result(most)}
        return ExactShares(self._share_of(best), self._share_of(kept), self._evenly(best), self._evenly(kept))

    @cached_property
    def _by_class(self) -> Mapping[Key, list[OpeningTrial]]:
        found: dict[Key, list[OpeningTrial]] = defaultdict(list)
        known: dict[tuple[str, ...], Key] = {}
        for trial in self.trials:
            turn = trial.turns[0]
            if turn not in known:
                known[turn] = self.classes.class_of(self._numbers(turn)).key
            found[known[turn]].append(trial)
        return found

    @cached_property
    def _listed(self) -> tuple[TurnClass, ...]:
        """All classes, or those played if turns aren't listed."""
        if self.classes.all is not None:
            return self.classes.all
        played = (
            min((self.classes.class_of(self._numbers(trial.turns[0])) for trial in some), key=_by_turn)
            for some in self._by_class.values()
        )
        return tuple(played)

    def _row(self, one: TurnClass) -> OpeningRow:
        some = self._by_class.get(one.key, [])
        return OpeningRow(
            turn=self.classes.spelled(one.turn),
            actions=one.turn,
            key=one.key,
            members=one.members,
            count=len(some),
            share=_share(len(some), self.searches),
            even=None if self.positions is None else one.members / self.positions,
            chance=None,
            expected=self._expected(some),
        )

    def _expected(self, some: Sequence[OpeningTrial]) -> Estimate | None:
        told = ((str(place), one.expected[0]) for place, one in enumerate(some))
        found = mean((block, value, 1.0) for block, value in told if value is not None)
        return clipped(found) if found and found.has_interval else found

    def _reply(self, row: OpeningRow, trial: OpeningTrial) -> Turn:
        """The reply mapped to the row's first turn; the smallest of the equivalent ones."""
        first, second = map(self._numbers, trial.turns[:2])
        key = self.classes.key_after(row.actions)
        images = self.classes.images((*first, *second))
        after_row = [one for one in images if self.classes.key_after(one[: len(first)]) == key]
        return min(one[len(first) :] for one in after_row)

    def _numbers(self, turn: Iterable[str]) -> Turn:
        return tuple(map(self.game.action, turn))

    def _share_of(self, keys: set[Key]) -> Estimate:
        return _share(sum(len(self._by_class.get(key, ())) for key in keys), self.searches)

    def _evenly(self, keys: set[Key]) -> float:
        return sum(row.even or 0.0 for row in self.rows if row.key in keys)


def _by_turn(one: TurnClass) -> Turn:
    return one.turn


def _result(margin: int) -> int:
    """1 for a win, 0 for a draw, −1 for a loss."""
    return (margin > 0) - (margin < 0)


def _share(count: int, of: int) -> Estimate:
    found = share((str(number), float(number < count), 1.0) for number in range(of))
    assert found
    return found


class OpeningStudy(Study[OpeningTrial]):
    """Which first turns a player chooses, over many searches with different seeds.

    With two `turns` it also chooses the reply. Raises ValueError if the bot doesn't exist or can't play the
    game.
    """

    name, noun, kind, suffix = "openings", "search", OpeningTrial, ".svg"

    def __init__(
        self, game: Game, count: int = 100, seed: int = 1, *, bot: str = "10", turns: int = 1
    ) -> None:
        make_bot(bot).check(game)
        super().__init__(game, count, seed)
        self.bot, self.turns = bot, turns
        self.margins: Mapping[Key, int] | None = None
        """The margin of each class of first turns under best play, if the report should include it."""

    @property
    def terms(self) -> Mapping[str, Any]:
        """The bot, and the number of turns."""
        return {"bot": self.bot, "turns": self.turns}

    @property
    def bots(self) -> Sequence[str]:
        """The bot that searches."""
        return (self.bot,)

    def piece(self, number: int) -> Piece[OpeningTrial]:
        """The work of one search."""
        arguments = (self.game.name, dict(self.game.options), self.bot, self.turns)
        own = derived_seed(self.seed, self.game.name, "openings", number)
        return Piece(f"search {number + 1}", try_opening, arguments, own)

    def table(self) -> OpeningTable:
        """The table of the searches. Raises ValueError if there are none."""
        return OpeningTable(self.game, self.results)

    def written(self) -> str:
        """The map as an SVG document that follows the viewer's light or dark mode."""
        return draw_board(self.game.start().scene(), self._map(self.table()), "openings")

    def chapter(self) -> Section:
        """How often each first turn was played, up to symmetry, as a report section."""
        table, player = self.table(), player_in_words(self.bot)
        return Section(
            key=f"study-{self.digest:08x}",
            title=f"First turns of {player}, asked {times(table.searches)}",
            group="studies",
            finding=_finding(table),
            means="Turns that a rotation or reflection of the board makes alike, or that lead to the same "
            "position, are one. A turn differs where an even choice among all positions would seldom do so.",
            not_means="How often a turn is played doesn't say how good it is.",
            numbers=tuple(self._numbers(table, player)),
            figures=(self._rows(table), *self._replies(table), self._map(table)),
            method="p-values are corrected by Holm's method for all first turns; intervals are not.",
        )

    def _numbers(self, table: OpeningTable, player: str) -> list[Number]:
        found = (
            [Number("share of the win that the searches expect", table.expected, "percent", player)]
            if (table.expected)
            else []
        )
        if self.margins:
            exact = table.exact_shares(self.margins)
            for label, one, even in (
                ("of the best margin", exact.best, exact.best_evenly),
                ("keeps the result", exact.kept, exact.kept_evenly),
            ):
                note = f"an even choice: {100 * even:.0f} %"
                found.append(Number(label, one, "percent", player, note))
        return found

    def _rows(self, table: OpeningTable) -> Table:
        margins = self.margins
        columns = ("first turn", "positions", "came", "share", "evenly", "expected", "differs")
        rows = tuple(
            (*_cells(row), *([Cell(margin_in_words(margins[row.key]))] if margins else []))
            for row in table.played
        )
        best = ("best play",) if margins else ()
        return Table("First turns that came", (*columns, *best), rows, _never(table, margins))

    def _replies(self, table: OpeningTable) -> list[Table]:
        found = []
        for row in table.played[:MOST_FOLLOWED]:
            replies = table.replies(row)
            rows = tuple(
                (Cell(one.turn), Cell(f"{one.count:,}"), Cell(in_words(one.share, "percent")))
                for one in replies[:MOST_REPLIES]
            )
            if rows:
                title = f"After {row.turn}, {times(row.count)}: {len(replies)} replies"
                found.append(Table(title, ("reply", "came", "share"), rows))
        return found

    def _map(self, table: OpeningTable) -> BoardMap:
        found = opening_map(table.classes, ((row.actions, row.share.value) for row in table.played))
        about = (
            f"The stronger the tint, the more of {table.searches:,} searches put their first stone there; "
            f"places that are alike share what came to them. The strongest stands for "
            f"{100 * found.most:.1f} %."
        )
        if found.elsewhere:
            about += f" {100 * found.elsewhere:.1f} % of first turns touch no place."
        said = "{place}: the first stone of {percent} % of searches"
        return shaded(found, f"Where {player_in_words(self.bot)} begins", about, said)


def times(count: int) -> str:
    """`once`, `30 times`."""
    return "once" if count == 1 else f"{count} times"


def _finding(table: OpeningTable) -> str:
    there_are = "" if table.positions is None else f" of {len(table.rows)}"
    in_all = "" if table.positions is None else f", {table.positions} positions in all"
    more, less = ([row.turn for row in table.rows if row.differs == sign] for sign in (1, -1))
    told = [f"more often than evenly: {' · '.join(more)}"] if more else []
    told += [f"less often: {' · '.join(less)}"] if less else []
    differs = (
        f"Beyond chance {'; '.join(told)}." if told else "None differs from an even choice beyond chance."
    )
    return f"{len(table.played)}{there_are} first turns came{in_all}. {differs}"


def _cells(row: OpeningRow) -> tuple[Cell, ...]:
    differs = {1: "more", -1: "less", 0: "–"}[row.differs]
    told = (
        row.turn,
        str(row.members),
        f"{row.count:,}",
        in_words(row.share, "percent"),
        "–" if row.even is None else f"{100 * row.even:.1f} %",
        in_words(row.expected, "percent") if row.expected else "–",
        differs if row.chance is None or row.chance >= 1 else f"{differs}, {p_in_words(row.chance)}",
    )
    return tuple(map(Cell, told))


def _never(table: OpeningTable, margins: Mapping[Key, int] | None) -> str:
    """The first turns that were never played, as a note."""
    rows = [row for row in table.rows if not row.count]
    named = [
        f"{row.turn} ({margin_in_words(margins[row.key])})" if margins else row.turn
        for row in rows[:MOST_NAMED]
    ]
    return f"Never: {' · '.join(named)}{' …' if len(rows) > MOST_NAMED else ''}." if rows else ""
