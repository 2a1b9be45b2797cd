"""The games of a match: pairings, which hold all that is needed to play them, random openings, and played
games with their records and log file.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, count, product
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from kakomi import catalog, records
from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.kernel import below, random_state
from kakomi.kernel.random import RandomState
from kakomi.records import Record, Result, Seat
from kakomi.study.results_file import ResultsFile, ResultsFileError


class GameLogError(ResultsFileError):
    """A file of games that can't be continued; the message says why."""


class MissingLibrary(ImportError):  # noqa: N818 (says what is the matter)
    """The library that fits ratings isn't installed."""


class Forfeit(Exception):  # noqa: N818 (what a player does, not an error of ours)
    """A player can't continue the game."""

    def __init__(self, player: int, reason: str) -> None:
        super().__init__(reason)
        self.player = player
        self.reason = reason


MOST_DRAWS = 20
"""The number of openings to try. If all are one-sided, the least one-sided is used."""
PLAYOUTS = 24
ONE_SIDED = 0.9
"""An opening is one-sided if a player's mean return in random playouts is at least this."""


def opening(game: Game, seed: int, plies: int) -> list[int]:
    """The random actions of an opening of at least `plies`, up to the end of a turn.

    It avoids passes and leaves the game open: neither over nor won by one side in nearly all random
    playouts. It depends only on the rules and the arguments.
    """
    if plies <= 0:
        return []
    rng = random_state(seed)
    drawn = []
    for _ in range(MOST_DRAWS):
        end = _wander(game.start(), plies, rng)
        lopsided = _one_sidedness(end, rng)
        if lopsided < ONE_SIDED:
            return end.played()
        drawn.append((lopsided, end.played()))
    return min(drawn)[1]


def _wander(position: Position, plies: int, rng: RandomState) -> Position:
    while not position.is_over and (position.ply < plies or position.turn):
        actions = _active(position)
        position = position.play_action(actions[below(rng, len(actions))])
    return position


def _active(position: Position) -> list[int]:
    """The legal actions without passes, unless there are only passes."""
    legal = position.legal_actions()
    return [action for action in legal if position.game.actions[action].kind != "pass"] or legal


def _one_sidedness(position: Position, rng: RandomState) -> float:
    """The largest mean return of a player in random playouts, 0 to 1; 2 if the game is over."""
    if position.is_over:
        return 2.0
    totals = [0.0] * position.game.players
    for _ in range(PLAYOUTS):
        *_, end = random_walk(position, rng)
        totals = [total + gain for total, gain in zip(totals, end.returns(), strict=True)]
    return max(totals) / PLAYOUTS


def random_walk(position: Position, rng: RandomState) -> Iterator[Position]:
    """The positions of a uniformly random playout, from the given one to the end."""
    yield position
    while not position.is_over:
        actions = position.legal_actions()
        position = position.play_action(actions[below(rng, len(actions))])
        yield position


class Pairing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A game on a schedule. Equal pairings are the same game."""

    number: int
    """Its number on the schedule, counted from 1."""
    game: str
    options: dict[str, int]
    seats: tuple[str, ...]
    """The name of the entrant in each seat."""
    opening: int
    """The seed of the opening; games with the same seed have the same opening."""
    opening_plies: int
    seed: int
    """The seed from which each bot's own seed is derived."""
    bots: tuple[str, ...] = ()
    """The bot or program for each seat, if entrants' names aren't their specifications."""
    position: str = ""
    """Where it begins, as `str(position)`, instead of an opening; empty for the game's start."""

    @cached_property
    def found_game(self) -> Game:
        """The game with its options. Raises ValueError if it doesn't exist."""
        return catalog.game(self.game, **self.options)

    @property
    def specs(self) -> tuple[str, ...]:
        """The bot or program for each seat: a bot as `make_bot` takes it, or `cmd:PROGRAM ARGS`."""
        return self.bots or self.seats

    @property
    def block(self) -> tuple[str, int, frozenset[str]]:
        """The block that it belongs to: games that differ only in seats, which are evaluated together."""
        return self.game, self.opening, frozenset(self.seats)

    def seed_of(self, player: int) -> int:
        """The seed of a player's bot."""
        return derived_seed(self.seed, player)


PLIES_A_PLAYER = 2
"""Random plies for each player at the start of a game, by default."""


def schedule(
    game: Game,
    entrants: Sequence[str],
    games: int,
    *,
    seed: int = 1,
    opening_plies: int | None = None,
    first_number: int = 1,
) -> list[Pairing]:
    """A round-robin schedule of at least `games` games for every pair of entrants.

    Every group of entrants plays each opening once from each seat, so `games` is rounded up to whole
    openings. A shorter schedule is a prefix of a longer one. If a game has more seats than entrants, entrants
    have several seats, in all ways in which their numbers of seats differ by at most one. In a game for three
    or more, `games` counts for every group that plays together. An entrant given twice plays against itself,
    under the names of `entrant_names`. Raises ValueError for fewer than two entrants.
    """
    if len(entrants) < 2:
        raise ValueError("a match needs at least two entrants")
    names = entrant_names(entrants)
    specs = dict(zip(names, entrants, strict=True))
    groups = list(_groups(names, game.players))
    games_an_opening = game.players * (len(groups) if len(entrants) < game.players else 1)
    plies = PLIES_A_PLAYER * game.players if opening_plies is None else opening_plies
    numbers = count(first_number)
    return [
        Pairing(
            number=(number := next(numbers)),
            game=game.name,
            options=dict(game.options),
            seats=seats,
            bots=() if names == tuple(entrants) else tuple(specs[name] for name in seats),
            opening=derived_seed(seed, game.name, "opening", opening),
            opening_plies=plies,
            seed=derived_seed(seed, game.name, "game", number),
        )
        for opening in range(-(-games // games_an_opening))
        for group in groups
        for seats in _rotations(group)
    ]


def entrant_names(entrants: Sequence[str]) -> tuple[str, ...]:
    """A unique name for every entrant: `5` and `5 (2)` if the same one is entered twice."""
    names: list[str] = []
    for entrant in entrants:
        name, copies = entrant, 1
        while name in names:
            copies += 1
            name = f"{entrant} ({copies})"
        names.append(name)
    return tuple(names)


def _groups(entrants: Sequence[str], players: int) -> Iterator[tuple[str, ...]]:
    """Every choice of players in which entrants' numbers of seats differ by at most one."""
    for group in combinations_with_replacement(entrants, players):
        seats = Counter(group)
        numbers = [seats[entrant] for entrant in entrants]
        if max(numbers) - min(numbers) <= 1:
            yield group


def _rotations(group: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [group[-shift:] + group[:-shift] for shift in range(len(group))]


class Effort(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's mean effort per action."""

    actions: int
    seconds: float
    simulations: float | None = None
    """None for players that don't count simulations."""


def mean_effort(efforts: Sequence[Effort]) -> Effort:
    """A player's mean effort over several games, weighted by actions; the mean of simulations is over the
    games that count them."""
    counted = [(effort.simulations, effort.actions) for effort in efforts if effort.simulations is not None]
    return Effort(
        actions=sum(effort.actions for effort in efforts),
        seconds=_mean([(effort.seconds, effort.actions) for effort in efforts]) or 0.0,
        simulations=_mean(counted),
    )


def _mean(weighted: Sequence[tuple[float, int]]) -> float | None:
    """The weighted mean; None if all weights are 0."""
    weights = sum(weight for _, weight in weighted)
    return sum(value * weight for value, weight in weighted) / weights if weights else None


class Played(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A played game. Players are numbered as in the game."""

    pairing: Pairing = field(name="fixture")
    """The game on the schedule; called `fixture` in match files."""
    opening: int
    """The number of actions in the opening."""
    actions: tuple[str, ...]
    winners: tuple[int, ...]
    """Several players if the win is shared."""
    scores: tuple[int | float, ...]
    reason: Literal["rules", "counted", "forfeit"]
    """"counted": cut off at the game's limit of plies and decided by the scores (RULES N12)."""
    loser: int | None = None
    """The player who forfeited the game."""
    failure: str = ""
    """The reason of the forfeit."""
    efforts: tuple[Effort, ...]
    chances: tuple[tuple[float, ...] | None, ...] | UnsetType = UNSET
    """For each action after the opening, the players' shares of the win from 0 to 1 that the mover's search
    expected; None if nothing was searched. Unset if chances weren't requested."""

    @property
    def plies(self) -> int:
        """The number of actions, including the opening."""
        return len(self.actions)

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the win, from 0 to 1; winners share it equally."""
        each = 1 / len(self.winners)
        return tuple(each if seat in self.winners else 0.0 for seat in range(len(self.pairing.seats)))

    def share(self, one: str, other: str) -> float:
        """The score of one entrant against another: 1 for a win, ½ for a draw, 0 for a loss; with several
        seats, the mean over all pairs of their seats."""
        seats = list(enumerate(self.pairing.seats))
        mine = [player in self.winners for player, name in seats if name == one]
        theirs = [player in self.winners for player, name in seats if name == other]
        return fmean((1 + won - lost) / 2 for won, lost in product(mine, theirs))


def efforts_of(name: str, games: Iterable[Played]) -> list[Effort]:
    """An entrant's efforts in the given games, one for each of its seats."""
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
    """Write a game's record to a file such as `game-0001.json`, unless that exists. Raises OSError."""
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


FORMAT = "kakomi_match"


class GameLog(ResultsFile[Played]):
    """A file of finished games. Raises GameLogError where `ResultsFile` raises ResultsFileError."""

    form, noun, error = FORMAT, "match", GameLogError

    def __init__(self, path: str | os.PathLike[str], terms: Mapping[str, Any]) -> None:
        super().__init__(path, terms, Played)
        self.played = {played.pairing.number: played for played in self.rows}
        """Number of the pairing → game."""

    def add(self, played: Played) -> None:
        """Append a game. When this returns, it is on disk."""
        super().add(played)
        self.played[played.pairing.number] = played
