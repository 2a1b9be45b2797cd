"""Seats and terms of a game, as the command line or the menu gives them."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kakomi.bots import DEFAULT_LEVEL, make_bot
from kakomi.core import Game
from kakomi.session import MatchConfig, Seat

PERSON = "human"
PERSON_SEAT = Seat()


@dataclass(frozen=True)
class SeatPlan:
    """Seats for any number of players: named ones first, then one person, then bots."""

    bot: str | None = DEFAULT_LEVEL
    """The bot on all remaining seats; None: people sit there too."""
    person: int = 0
    """The seat of the person at the terminal."""
    named: Mapping[int, str] = field(default_factory=dict)
    """Seat -> `human` or a bot's name."""

    def seats(self, game: Game) -> tuple[Seat, ...]:
        """The seats of a game. Raises ValueError for a seat that it hasn't, or a bot that can't play it."""
        players = game.players
        wanted = [self.person, *self.named]
        for seat in wanted:
            if not 0 <= seat < players:
                raise ValueError(f"there is no seat {seat}: this game has the seats 0 to {players - 1}")
        return tuple(self._seat(seat, game) for seat in range(players))

    def _seat(self, seat: int, game: Game) -> Seat:
        who = self.named.get(seat)
        if who is None:
            who = PERSON if self.bot is None or self._is_for_person(seat) else self.bot
        if who == PERSON:
            return PERSON_SEAT
        make_bot(who).check(game)
        return Seat(bot=who)

    def _is_for_person(self, seat: int) -> bool:
        return seat == self.person and PERSON not in self.named.values()


def parsed_seat(text: str) -> tuple[int, str]:
    """`0=human`, `1=bot:3`, `1=bot:random` as seat and who. Raises ValueError for anything else."""
    number, _, who = text.partition("=")
    number, who = number.strip(), who.strip().lower()
    if number.isdecimal() and who == PERSON:
        return int(number), PERSON
    if number.isdecimal() and who.startswith("bot:"):
        return int(number), who.removeprefix("bot:")
    raise ValueError(f"{text!r} should look like 0=human or 1=bot:3")


BY_LOT = "random"


@dataclass(frozen=True)
class PlayOptions:
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

    def seat_plan(self, game: Game) -> SeatPlan:
        """The seats. Raises ValueError for contradictory or impossible options."""
        return SeatPlan(
            bot=self._opponent(),
            person=player_named(game, self.person) if self.person else 0,
            named=dict(parsed_seat(text) for text in self.named),
        )

    def config(self, game: Game, given: Mapping[str, Any]) -> MatchConfig:
        """The configuration of the match; `given` are the typed options of the game. A given komi, or a
        position to begin at, leaves no komi to negotiate."""
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
