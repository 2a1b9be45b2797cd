"""What pairing has to know of the rounds so far: who met whom, who sat where, who had byes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from kakomi.contest.tournament.state import Game, Tournament


class History:
    """The past of a tournament's participants. A game counts from its pairing on, unless it wasn't played."""

    def __init__(self, tournament: Tournament) -> None:
        self.meetings: Counter[frozenset[str]] = Counter()
        """How often two met."""
        self.seats: dict[str, list[int]] = {name: [] for name in tournament.participants}
        """The seats of everybody's games, in order."""
        self.sizes: dict[str, Counter[int]] = {name: Counter() for name in tournament.participants}
        """How often everybody played at tables of each size."""
        self.byes: Counter[str] = Counter()
        """How often somebody sat out, or won without playing."""
        for played in tournament.rounds:
            self.byes.update(played.byes)
            for game in played.games:
                self._add(game)

    def _add(self, game: Game) -> None:
        seats, met = game.seats, game.met()
        if not met:
            self.byes.update(game.came())
            return
        for pair in combinations(met, 2):
            self.meetings[frozenset(pair)] += 1
        for name in met:
            self.seats[name].append(seats.index(name))
            self.sizes[name][len(seats)] += 1

    def met(self, one: str, other: str) -> int:
        """How often two met."""
        return self.meetings[frozenset((one, other))]

    def repeats(self, tables: Iterable[Sequence[str]]) -> int:
        """How many meetings at these tables would not be the first ones."""
        return sum(self.met(*pair) > 0 for table in tables for pair in combinations(table, 2))
