"""What the command line wishes for, made into terms and seats."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kakomi.bots import DEFAULT_LEVEL
from kakomi.cli.playing.arrangement import PERSON, Arrangement, parsed_seat
from kakomi.core import Game
from kakomi.session import MatchConfig

BY_LOT = "random"


@dataclass(frozen=True)
class Wishes:
    """The options of `kakomi play` that say who plays and how."""

    level: str | None
    human: bool
    person: str | None
    named: tuple[str, ...]
    seconds: float | None
    simulations: int | None
    is_match: bool
    swap: bool
    position_text: str | None = None

    def arrangement(self, game: Game) -> Arrangement:
        """Who sits where. Raises ValueError for wishes that contradict each other or can't be."""
        return Arrangement(
            bot=self._opponent(),
            person=player_named(game, self.person) if self.person else 0,
            named=dict(parsed_seat(text) for text in self.named),
        )

    def terms(self, game: Game, given: Mapping[str, Any]) -> MatchConfig:
        """What the match is about; `given` are the game's options as they were typed: who gives a komi
        doesn't negotiate it, nor who begins at a position."""
        komi = game.description.komi_option
        settled = self.swap or self.position_text is not None
        return MatchConfig(
            game,
            games=max(game.description.match_games, game.players) if self.is_match else 1,
            negotiate=bool(komi) and komi not in given and game.players == 2 and not settled,
            swap=self.swap,
            position="" if self.position_text is None else str(game.position(self.position_text)),
        )

    def _opponent(self) -> str | None:
        """The bot that opponents are; None for people."""
        wished = {
            "--human": PERSON if self.human else None,
            "--bot": self.level,
            "--time": f"time:{self.seconds:g}" if self.seconds else None,
            "--simulations": f"simulations:{self.simulations}" if self.simulations else None,
        }
        given = [(name, value) for name, value in wished.items() if value]
        if len(given) > 1:
            raise ValueError(f"{given[0][0]} and {given[1][0]} exclude each other")
        who = given[0][1].lower() if given else DEFAULT_LEVEL
        return None if who == PERSON else who


def player_named(game: Game, text: str) -> int:
    """A player by number, by name, or drawn by lot (RULES G1). Raises ValueError for anything else."""
    if text.lower() == BY_LOT:
        return secrets.randbelow(game.players)
    for player, name in enumerate(game.player_names):
        if text.lower() in (str(player), name.lower()):
            return player
    names = ", ".join(f"{player} ({name})" for player, name in enumerate(game.player_names))
    raise ValueError(f"there is no player {text!r}: you can be {names} or {BY_LOT}")
