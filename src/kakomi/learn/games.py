"""Games that networks learn from: what was played, and what searches thought of it.

They are never tensors, so that what a network sees can change without new games. A run keeps its games in one
file, a line a game, written as each ends. Rows are positions of games, found again by replay when they are
wanted: games are played again from their actions, by the thousand, in compiled code.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from kakomi import records
from kakomi.core import Game, IllegalAction
from kakomi.core.line_file import FileInUseError, LineFile, whole_lines
from kakomi.kernel.records import EMPTY
from kakomi.learn.steps import replay, score_all

VERSION = 2
_POLICIES_IN = {1: "visits", 2: "policies"}
"""What the policies are called in each version that can be read."""
GameOf = Callable[..., Game]
"""Makes a game of its name and options, as `kakomi.game` does."""


@dataclass(frozen=True)
class TrainingGame:
    """A game from its start to its end. Actions are numbers of the game's."""

    game: Game
    actions: tuple[int, ...]
    policies: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Ply -> action -> how much it counts, where there is something to learn: visits of a thorough search, or
    weights of a policy."""
    player: str = ""
    """What played it, such as `checkpoint 12`."""
    batch: int = 0
    """The number of the batch of games to which it belongs."""

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold: actions by their texts."""
        texts = self.game.action_texts
        return {
            "kakomi_training_game": VERSION,
            "game": self.game.name,
            "options": dict(self.game.options),
            "player": self.player,
            "batch": self.batch,
            "actions": " ".join(texts[action] for action in self.actions),
            "policies": {
                str(ply): {texts[action]: count for action, count in each.items()}
                for ply, each in self.policies.items()
            },
        }

    @classmethod
    def from_json(cls, data: Any, game_of: GameOf) -> Self:
        """The game that `to_json` told. Raises ValueError for other data, saying what is wrong."""
        try:
            if (version := data["kakomi_training_game"]) not in _POLICIES_IN:
                raise ValueError(f"a training game of version {VERSION} or older is expected")
            game = game_of(data["game"], **data["options"])
            numbers = {text: number for number, text in enumerate(game.action_texts)}
            actions = tuple(numbers[text] for text in data["actions"].split())
            policies = {
                int(ply): {numbers[text]: int(count) for text, count in each.items()}
                for ply, each in data[_POLICIES_IN[version]].items()
            }
            return cls(game, actions, policies, str(data["player"]), int(data["batch"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is no training game: {type(error).__name__} {error}") from None

    def record(self) -> records.Record:
        """As a game record, which everything else here reads. Raises ValueError if the rules forbid it."""
        texts = self.game.action_texts
        try:
            return records.recorded(self.game, [texts[action] for action in self.actions], event=self.player)
        except IllegalAction as error:
            raise ValueError(str(error)) from None


def packed(games: Iterable[TrainingGame]) -> bytes:
    """Games in the least space, to travel between processes."""
    return zlib.compress(json.dumps([game.to_json() for game in games], separators=(",", ":")).encode())


def unpacked(data: bytes, game_of: GameOf) -> list[TrainingGame]:
    """The games that `packed` took."""
    return [TrainingGame.from_json(each, game_of) for each in json.loads(zlib.decompress(data))]


class GameLogError(Exception):
    """A file that holds something else than training games, or that another run has."""


class GameLog:
    """Training games in a file, to which this process alone adds.

    Raises GameLogError while another process has the file.
    """

    def __init__(self, path: Path, game_of: GameOf) -> None:
        self._game_of = game_of
        try:
            self._file = LineFile(path)
        except FileInUseError:
            raise GameLogError(f"{path.parent}: another run is going on in this folder") from None

    def add(self, game: TrainingGame) -> None:
        """Add a game, which is kept from now on."""
        self._file.add(json.dumps(game.to_json(), separators=(",", ":")).encode())

    def games(self) -> Iterator[TrainingGame]:
        """All games so far. Raises GameLogError for a line that is none, with its number."""
        return _games(self._file.path, self._file.lines(), self._game_of)

    def close(self) -> None:
        """Let others have the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def games_in(path: Path, game_of: GameOf) -> Iterator[TrainingGame]:
    """All games of a run, which may be going on meanwhile.

    Raises GameLogError for a line that is none, with its number, and OSError as `open` does.
    """
    return _games(path, whole_lines(path), game_of)


def _games(path: Path, lines: Iterable[bytes], game_of: GameOf) -> Iterator[TrainingGame]:
    for number, line in enumerate(lines, 1):
        try:
            yield TrainingGame.from_json(json.loads(line), game_of)
        except ValueError as error:
            raise GameLogError(f"{path}, line {number}: {error}") from None


def states_after(
    game: Game, actions: np.ndarray, starts: np.ndarray, plies: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The states, STATE [n], that come of the first `plies` (int64 [n]) of the actions that begin at `starts`
    (int64 [n]) in `actions` (int32), and which actions are legal in each, bool [n, A]."""
    n = len(starts)
    states = np.zeros(n, game.description.rules.STATE)
    masks = np.zeros((n, len(game.actions)), np.bool_)
    replay(game.board, states, game.scratch, actions, starts, plies, masks)
    return states, masks


def final_scores(game: Game, states: np.ndarray) -> np.ndarray:
    """The scores of states, float64 [n, players]."""
    found = np.zeros((len(states), game.players))
    score_all(game.board, states, found)
    return found


def flattened(games: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The actions of games, one behind the other (int32), and where each begins (int64)."""
    lengths = [len(actions) for actions in games]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if games else np.zeros(0)
    every = [np.asarray(actions, np.int32) for actions in games]
    return np.concatenate(every) if every else np.zeros(0, np.int32), starts.astype(np.int64)


@dataclass(frozen=True)
class Rows:
    """The rows of games of one board, oldest first. G is the number of games, n that of rows."""

    game: Game
    actions: np.ndarray
    """int32: the actions of all games, one game behind the other."""
    starts: np.ndarray
    """int64 [G]: where each game begins there."""
    shares: np.ndarray
    """float32 [G, players]: the share of the win of each player."""
    leads: np.ndarray
    """float32 [G, players]: each player's score less the best of the others', in points."""
    owners: np.ndarray
    """int8 [G, points]: who has a stone on each point at the end, or `EMPTY`."""
    games: np.ndarray
    """int32 [n]: the game of each row,"""
    plies: np.ndarray
    """int64 [n]: and how many actions came before."""
    policies: Sequence[tuple[np.ndarray, np.ndarray]]
    """[n]: the actions that a search thought of (int32), and how much each counts (float32)."""

    def __len__(self) -> int:
        return len(self.plies)

    @staticmethod
    def of(games: Sequence[TrainingGame]) -> "Rows":
        """The rows of some games of one board, at least of one."""
        game = games[0].game
        actions, starts = flattened([each.actions for each in games])
        ends, _ = states_after(game, actions, starts, np.array([len(each.actions) for each in games]))
        scores = final_scores(game, ends)
        chosen = [
            (number, ply, counts)
            for number, each in enumerate(games)
            for ply, counts in each.policies.items()
        ]
        return Rows(
            game,
            actions,
            starts,
            shares=shares_of(scores),
            leads=leads_of(scores),
            owners=_owners(game, ends),
            games=np.array([number for number, _, _ in chosen], np.int32),
            plies=np.array([ply for _, ply, _ in chosen], np.int64),
            policies=[_arrays(counts) for _, _, counts in chosen],
        )

    def replies(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """The actions that were considered after a row's, and their weights: the policy of a search if there
        was one, else what was played; none where the game was over."""
        number, ply = int(self.games[row]), int(self.plies[row]) + 1
        following = row + 1
        if following < len(self) and (self.games[following], self.plies[following]) == (number, ply):
            return self.policies[following]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.actions)
        at = self.starts[number] + ply
        return self.actions[at : min(at + 1, end)], np.ones(int(at < end), np.float32)


def shares_of(scores: np.ndarray) -> np.ndarray:
    """The share of the win of each player, float32, of scores [G, players]: winners share equally."""
    wins = scores == scores.max(axis=1, keepdims=True)
    shares: np.ndarray = (wins / wins.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def leads_of(scores: np.ndarray) -> np.ndarray:
    """Each player's score less the best of the others', float32 [G, players]."""
    best = np.stack(
        [np.delete(scores, player, axis=1).max(axis=1) for player in range(scores.shape[1])], axis=1
    )
    leads: np.ndarray = (scores - best).astype(np.float32)
    return leads


def _owners(game: Game, states: np.ndarray) -> np.ndarray:
    stones = states["stones"][:, : game.geometry.points].astype(np.int8)
    return np.where(stones == EMPTY, stones, stones % game.players)


def _arrays(counts: Mapping[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(list(counts), np.int32), np.array(list(counts.values()), np.float32)
