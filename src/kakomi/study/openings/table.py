"""What the searches of a study come to: how often each first turn was played."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kakomi.core import Game
from kakomi.study.openings.classes import Key, Turn, TurnClass, TurnClasses
from kakomi.study.openings.trial import OpeningTrial
from kakomi.study.report.binomial import both_tails
from kakomi.study.report.estimates import Estimate, clipped, holm, mean, share

REAL = 0.05
"""A corrected p-value below it is called a difference."""


@dataclass(frozen=True)
class OpeningRow:
    """First turns that are alike, and how often they were played."""

    turn: str
    """The text of one of them."""
    actions: Turn
    """The same by number."""
    key: Key
    members: int
    """How many positions they lead to."""
    count: int
    share: Estimate
    """Of all searches, with its 95 % interval."""
    even: float | None
    """The share that they would have if each position after a first turn came as often; None where nobody
    lists them."""
    chance: float | None
    """The p-value of the difference between the two, corrected by Holm's method for all rows."""
    expected: Estimate | None
    """The share of the win that the searches that played them expected of them; None without any."""

    @property
    def differs(self) -> int:
        """1 where they come more often than evenly, −1 where less often, 0 where that may be chance."""
        if self.even is None or self.chance is None or self.chance >= REAL:
            return 0
        return 1 if self.share.value > self.even else -1


@dataclass(frozen=True)
class Reply:
    """Replies to a first turn that are alike, and how often they came."""

    turn: str
    """The text of one of them, as a reply to the first turn as its row spells it."""
    count: int
    share: Estimate
    """Of the searches that played that first turn."""


@dataclass(frozen=True)
class ExactShares:
    """How often the best first turns were played, where their values are known."""

    best: Estimate
    """Those of the largest margin."""
    kept: Estimate
    """Those that keep the result: win, draw or loss."""
    best_evenly: float
    """The shares of an even choice among all positions after a first turn."""
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
        """How many searches there are."""
        return len(self.trials)

    @property
    def expected(self) -> Estimate | None:
        """The share of the win that the searches expected of their first turns; None without any."""
        return self._expected(self.trials)

    @property
    def positions(self) -> int | None:
        """How many positions a first turn can lead to; None where nobody lists them."""
        return None if self.classes.all is None else sum(one.members for one in self.classes.all)

    @cached_property
    def rows(self) -> tuple[OpeningRow, ...]:
        """All classes of first turns, those that came most often first; where nobody lists them those that
        came."""
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
        """The replies to a first turn, the most frequent first; none if nobody was asked for them."""
        some = [trial for trial in self._by_class.get(row.key, ()) if len(trial.turns) > 1]
        counted = Counter(self._reply(row, trial) for trial in some)
        ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        spelled = self.classes.spelled
        return [Reply(spelled(turn), count, _share(count, len(some))) for turn, count in ordered]

    def exact_shares(self, margins: Mapping[Key, int]) -> ExactShares:
        """How often the best were played, by the margins of all classes for who begins."""
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
        """All classes, or those that came."""
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
        told = ((str(one.number), one.expected[0]) for one in some)
        found = mean((block, value, 1.0) for block, value in told if value is not None)
        return clipped(found) if found and found.has_interval else found

    def _reply(self, row: OpeningRow, trial: OpeningTrial) -> Turn:
        """The reply, as it is to the first turn as the row has it; of those that are alike the first one."""
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
