"""A played game of a match, and its record for `kakomi replay` and other readers."""

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from kakomi import records
from kakomi.records import Record, Result, Seat
from kakomi.study.tournament.pairing import Pairing


class Effort(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's effort, on average over the actions it chose."""

    actions: int
    seconds: float
    simulations: float | None = None
    """None for players who don't count any."""


def mean_effort(efforts: Sequence[Effort]) -> Effort:
    """Of a player in several games: means over all of its actions, of simulations in games that tell them."""
    counted = [(effort.simulations, effort.actions) for effort in efforts if effort.simulations is not None]
    return Effort(
        actions=sum(effort.actions for effort in efforts),
        seconds=_mean([(effort.seconds, effort.actions) for effort in efforts]) or 0.0,
        simulations=_mean(counted),
    )


def _mean(weighted: Sequence[tuple[float, int]]) -> float | None:
    """Of values with weights; None where these are all 0."""
    weights = sum(weight for _, weight in weighted)
    return sum(value * weight for value, weight in weighted) / weights if weights else None


class Played(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A played game. Players are numbered as in the game."""

    pairing: Pairing = field(name="fixture")
    """The game on the schedule; the file of a match calls it `fixture`."""
    opening: int
    """The number of actions in the opening."""
    actions: tuple[str, ...]
    winners: tuple[int, ...]
    """All players, if it was a draw."""
    scores: tuple[int | float, ...]
    reason: Literal["rules", "counted", "forfeit"]
    """"counted": cut off at the game's limit of plies and decided by the scores (RULES N12)."""
    loser: int | None = None
    """The player who forfeited the game."""
    failure: str = ""
    """The reason of the forfeit."""
    efforts: tuple[Effort, ...]
    chances: tuple[tuple[float, ...] | None, ...] | UnsetType = UNSET
    """For each action after the opening, the players' shares of the win that the mover's search expected of
    it, from 0 to 1; None where nothing was searched. Unset where nobody asked for them."""

    @property
    def plies(self) -> int:
        """The number of actions, with the opening's."""
        return len(self.actions)

    @property
    def shares(self) -> tuple[float, ...]:
        """What each seat gets of the win, from 0 to 1; winners share it."""
        each = 1 / len(self.winners)
        return tuple(each if seat in self.winners else 0.0 for seat in range(len(self.pairing.seats)))

    def share(self, one: str, other: str) -> float:
        """The score of one entrant against another: 1 for a win, ½ for a draw, 0 for a loss; for several
        seats the mean over all pairs of them."""
        seats = list(enumerate(self.pairing.seats))
        mine = [player in self.winners for player, name in seats if name == one]
        theirs = [player in self.winners for player, name in seats if name == other]
        return fmean((1 + won - lost) / 2 for won, lost in product(mine, theirs))


def efforts_of(name: str, games: Iterable[Played]) -> list[Effort]:
    """An entrant's efforts in some games, one for each seat that it had."""
    return [
        effort
        for played in games
        for seat, effort in zip(played.pairing.seats, played.efforts, strict=True)
        if seat == name
    ]


def record_of(played: Played, event: str = "") -> Record:
    """The record of a game."""
    pairing = played.pairing
    return records.recorded(
        pairing.found_game,
        played.actions,
        seats=tuple(
            Seat(name=name, bot=spec) for name, spec in zip(pairing.seats, pairing.specs, strict=True)
        ),
        event=event,
        result=Result(reason=played.reason, winners=played.winners, scores=played.scores),
        comment=_comment(played),
        position=pairing.position,
    )


def save_record(played: Played, folder: Path, event: str = "") -> Path:
    """Write a game's record to `game-0001.json` of a folder, unless it is there. Raises OSError."""
    path = folder / f"game-{played.pairing.number:04}.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        records.save(record_of(played, event), played.pairing.found_game, path)
    return path


def _comment(played: Played) -> str:
    lines = [f"The first {played.opening} actions are a random opening."] if played.opening else []
    if played.loser is not None:
        name = played.pairing.found_game.player_names[played.loser]
        lines.append(f"{name} forfeits: {played.failure}")
    return "\n".join(lines)
