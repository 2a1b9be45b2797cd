"""Training games: the actions played, and the policies that searches found.

They aren't stored as tensors, so that the network's inputs can change without new games. A run keeps its
games in one file, one per line, written as each ends. Rows are positions of games, reconstructed when needed
by replaying thousands of games in compiled code.
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
from kakomi.networks.steps import judge_all, replay
from kakomi.search.report import leads_of

VERSION = 2
_POLICIES_IN = {1: "visits", 2: "policies"}
"""Readable version of the format → its name for the policies."""
GameOf = Callable[..., Game]
"""Makes a game from its name and options, as `kakomi.game` does."""


@dataclass(frozen=True)
class TrainingGame:
    """A complete game. Actions are action numbers."""

    game: Game
    actions: tuple[int, ...]
    policies: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Ply → action → weight, for plies to learn from: the visits of a thorough search, or the weights of a
    policy."""
    player: str = ""
    """What played it, such as `checkpoint 12`."""
    batch: int = 0
    """The number of the batch of games that it belongs to."""

    def to_json(self) -> dict[str, Any]:
        """The game as JSON data, with actions as texts."""
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
        """The game from the data of `to_json`. Raises ValueError, saying what is wrong, for other data."""
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
        """The game as a `Record`. Raises ValueError if an action is illegal."""
        texts = self.game.action_texts
        try:
            return records.recorded(self.game, [texts[action] for action in self.actions], event=self.player)
        except IllegalAction as error:
            raise ValueError(str(error)) from None


def packed(games: Iterable[TrainingGame]) -> bytes:
    """Compress games for sending between processes."""
    return zlib.compress(json.dumps([game.to_json() for game in games], separators=(",", ":")).encode())


def unpacked(data: bytes, game_of: GameOf) -> list[TrainingGame]:
    """The games from the output of `packed`."""
    return [TrainingGame.from_json(each, game_of) for each in json.loads(zlib.decompress(data))]


class GameLogError(Exception):
    """A file that holds something other than training games, or that another run has open."""


class GameLog:
    """A file of training games, locked by this process.

    Raises GameLogError while another process has it open.
    """

    def __init__(self, path: Path, game_of: GameOf) -> None:
        self._game_of = game_of
        try:
            self._file = LineFile(path)
        except FileInUseError:
            raise GameLogError(f"{path.parent}: another run is going on in this folder") from None

    def add(self, game: TrainingGame) -> None:
        """Append a game. When this returns, it is on disk."""
        self._file.add(json.dumps(game.to_json(), separators=(",", ":")).encode())

    def games(self) -> Iterator[TrainingGame]:
        """All games so far. Raises GameLogError, with the line number, for an invalid line."""
        return _games(self._file.path, self._file.lines(), self._game_of)

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def games_in(path: Path, game_of: GameOf) -> Iterator[TrainingGame]:
    """All games of a run, which may be in progress.

    Raises GameLogError, with the line number, for an invalid line, and OSError as `open` does.
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
    """Replay the first `plies` (int64 [n]) actions of games that begin at `starts` (int64 [n]) in `actions`
    (int32); return the states, STATE [n], and which actions are legal in each, bool [n, A]."""
    n = len(starts)
    states = np.zeros(n, game.description.rules.STATE)
    masks = np.zeros((n, len(game.actions)), np.bool_)
    replay(game.board, states, game.scratch, actions, starts, plies, masks)
    return states, masks


def judged(game: Game, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The scores of states, float64 [n, players], and the owner of each point, int8 [n, points]."""
    found, owners = (
        np.zeros((len(states), game.players)),
        np.zeros((len(states), game.geometry.points), np.int8),
    )
    judge_all(game.board, states, found, owners)
    return found, owners


def flattened(games: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The concatenated actions of games (int32), and the index where each begins (int64)."""
    lengths = [len(actions) for actions in games]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if games else np.zeros(0)
    every = [np.asarray(actions, np.int32) for actions in games]
    return np.concatenate(every) if every else np.zeros(0, np.int32), starts.astype(np.int64)


@dataclass(frozen=True)
class Rows:
    """The rows of games on one board, oldest first. G is the number of games, n that of rows."""

    game: Game
    actions: np.ndarray
    """int32: the concatenated actions of all games."""
    starts: np.ndarray
    """int64 [G]: the index in `actions` where each game begins."""
    shares: np.ndarray
    """float32 [G, players]: each player's share of the win."""
    leads: np.ndarray
    """float32 [G, players]: each player's score less the best of the others', in points."""
    owners: np.ndarray
    """int8 [G, points]: the owner of each point at the end (`kakomi.kernel.contract.owner`), or `EMPTY`."""
    games: np.ndarray
    """int32 [n]: the index of each row's game."""
    plies: np.ndarray
    """int64 [n]: the number of actions before each row."""
    policies: Sequence[tuple[np.ndarray, np.ndarray]]
    """[n]: the actions of each row's policy (int32), and their weights (float32)."""

    def __len__(self) -> int:
        return len(self.plies)

    @staticmethod
    def of(games: Sequence[TrainingGame]) -> "Rows":
        """The rows of one or more games on one board."""
        game = games[0].game
        actions, starts = flattened([each.actions for each in games])
        ends, _ = states_after(game, actions, starts, np.array([len(each.actions) for each in games]))
        scores, owners = judged(game, ends)
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
            owners=owners,
            games=np.array([number for number, _, _ in chosen], np.int32),
            plies=np.array([ply for _, ply, _ in chosen], np.int64),
            policies=[_arrays(counts) for _, _, counts in chosen],
        )

    def replies(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """The actions of the next ply's policy and their weights. Without a policy it is the action that was
        played; empty if the game was over."""
        number, ply = int(self.games[row]), int(self.plies[row]) + 1
        following = row + 1
        if following < len(self) and (self.games[following], self.plies[following]) == (number, ply):
            return self.policies[following]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.actions)
        at = self.starts[number] + ply
        return self.actions[at : min(at + 1, end)], np.ones(int(at < end), np.float32)


def shares_of(scores: np.ndarray) -> np.ndarray:
    """Each player's share of the win, float32 [G, players], from scores [G, players]; winners share it."""
    wins = scores == scores.max(axis=1, keepdims=True)
    shares: np.ndarray = (wins / wins.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def _arrays(counts: Mapping[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(list(counts), np.int32), np.array(list(counts.values()), np.float32)
