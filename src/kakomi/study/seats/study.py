"""Several boards of a game, each with its repairs: what to play, and what it comes to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kakomi import catalog
from kakomi.core import Game
from kakomi.farm import Farm
from kakomi.study.seats.figures import BoardFigures, RepairFigures, board_figures, corrected
from kakomi.study.seats.repairs import Repair, repairs_of
from kakomi.study.seats.sample import SeatSample
from kakomi.study.tournament import Played, check_entrant

Tell = Callable[[float, str], None]
"""Called with the part done, from 0 to 1, and a few words about it."""


@dataclass(frozen=True)
class SeatStudy:
    """What each seat is worth on some boards among equals of one strength.

    The same study plays the same games on any number of cores, and one of more games begins with those of a
    shorter one. Raises ValueError without a board, for a bot that there is none of or that can't play, for a
    position that is none or over, and for options that a game hasn't.
    """

    boards: Sequence[Game]
    bot: str
    games: int
    """Of each sample: of each board, and of each repair that asks for games of its own."""
    seed: int = 1
    position: str = ""
    """Where games begin, as `str(position)`; then nothing is repaired. Empty: at the start."""
    options: Sequence[Mapping[str, int]] = ()
    """Options that are tried as repairs."""

    def __post_init__(self) -> None:
        if not self.boards:
            raise ValueError("there is no board to play on")
        for game in self.boards:
            check_entrant(self.bot, game)
            if self.position and game.position(self.position).is_over:
                raise ValueError("the game is over in this position: there is nothing to play")
            for changed in self.options:
                catalog.game(game.name, **{**game.options, **changed})
        if self.options and (self.position or any(game.players > 2 for game in self.boards)):
            raise ValueError("other options are tried as repairs of games for two from their start alone")

    def play(
        self, farm: Farm, folder: Path, tell: Tell = lambda part, words: None
    ) -> tuple[BoardFigures, ...]:
        """Play what the folder doesn't hold yet, and say what all games tell.

        Raises what `GameLog` and `play_games` raise, and ValueError if all games of a board are forfeits.
        """
        folder.mkdir(parents=True, exist_ok=True)
        plan = self._plan(tell)
        samples = list(dict.fromkeys(_samples(plan)))
        total = sum(sample.games for sample in samples)
        played: dict[SeatSample, list[Played]] = {}
        for place, sample in enumerate(samples):
            before = place * self.games

            def progress(done: int, before: int = before) -> None:
                tell((before + done) / total, f"{before + done} of {total} games")

            games = sample.play(farm, folder, progress)
            played[sample] = [one for one in games if one.reason != "forfeit"]
        return corrected([_board(sample, repairs, played) for sample, repairs in plan.items()])

    def _plan(self, tell: Tell) -> Mapping[SeatSample, list[Repair]]:
        """The games of each board, and its repairs."""

        def looking(done: int, of: int) -> None:
            tell(0.0, f"{done} of {of} first turns looked at")

        samples = [SeatSample(game, self.bot, self.games, self.seed, self.position) for game in self.boards]
        return {sample: repairs_of(sample, self.options, looking) for sample in samples}


def _samples(plan: Mapping[SeatSample, list[Repair]]) -> Iterator[SeatSample]:
    """All that is played, board by board."""
    for sample, repairs in plan.items():
        yield sample
        yield from (repair.sample for repair in repairs)


def _board(
    sample: SeatSample, repairs: Sequence[Repair], played: Mapping[SeatSample, list[Played]]
) -> BoardFigures:
    told: list[RepairFigures | None] = [repair.figures(played[repair.sample]) for repair in repairs]
    return board_figures(sample.game, played[sample], [one for one in told if one])
