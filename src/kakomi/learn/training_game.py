"""Games that networks learn from: what was played, and what searches thought of it.

They are never tensors, so that what a network sees can change without new games.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from kakomi import records
from kakomi.core import Game, IllegalAction

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
