"""Suggests a bot level to somebody based on their games against bots."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from django.utils.translation import gettext

from kakomi import catalog
from kakomi.bots import NUMBERS, levels_of
from kakomi.core import Game
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import selectors

FIRST_LEVEL = int(NUMBERS[0])
LOSSES = 2
"""The number of consecutive losses at a level after which the one below is suggested."""
WINS = 2
"""The number of consecutive wins after which the level above is suggested; one before the first loss."""

Reason = Literal["first", "same", "up", "down"]


class BotGame(NamedTuple):
    """A finished game against bots."""

    level: int
    """The level of the strongest bot."""
    won: bool
    lost: bool


@dataclass(frozen=True)
class Suggestion:
    """A suggested level, and the reason for it."""

    level: int = FIRST_LEVEL
    reason: Reason = "first"
    from_level: int = FIRST_LEVEL
    """The previous level, if it goes up or down."""

    @property
    def words(self) -> str:
        """The reason as a sentence."""
        match self.reason:
            case "up":
                said = gettext("Level {level}: you beat level {from_level}.")
            case "down":
                said = gettext("Level {level}: you lost twice to level {from_level}.")
            case "same":
                said = gettext("Level {level}: you haven’t beaten it yet.")
            case "first":
                said = gettext("Level {level}: good for a first game.")
        return said.format(level=self.level, from_level=self.from_level)


@dataclass(frozen=True)
class NextGame:
    """A form that opens a game like the last one, against bots of the suggested level."""

    game: str
    fields: tuple[tuple[str, object], ...]
    words: str
    """The reason for the level."""

    @staticmethod
    def after(game: Game, suggestion: Suggestion) -> "NextGame":
        """The next game after one with the same options."""
        level = str(suggestion.level)
        who: dict[str, object] = {"opponent": level, "side": "random"}
        if game.players > 2:
            who = {f"seat-{player}": level if player else "me" for player in range(game.players)}
            who["shuffle"] = 1
        return NextGame(game.name, (*game.options.items(), *who.items()), suggestion.words)


def suggested(games: Iterable[BotGame], last: int) -> Suggestion:
    """Suggest a level after games against bots, given the oldest first; `last` is the highest level. Losses
    at higher levels and wins at lower ones are ignored."""
    found, has_lost, run = Suggestion(), False, 0
    for game in games:
        if found.reason == "first":
            found = Suggestion(found.level, "same")
        has_lost |= game.lost
        if game.won and game.level >= found.level:
            run = max(run, 0) + 1
        elif game.lost and game.level <= found.level:
            run = min(run, 0) - 1
        if run >= (WINS if has_lost else 1) and found.level < last:
            found, run = Suggestion(min(game.level + 1, last), "up", game.level), 0
        elif run <= -LOSSES and found.level > FIRST_LEVEL:
            found, run = Suggestion(max(found.level - 1, FIRST_LEVEL), "down", found.level), 0
    return found


def suggestion_for(guest: Guest | None, game: str) -> Suggestion:
    """Suggest a level to a guest for a game."""
    return suggested(bot_games(guest).get(game, ()), levels_of(catalog.describe(game))[-1])


def bot_games(guest: Guest | None) -> dict[str, list[BotGame]]:
    """A guest's finished games against only bots that began at the start position, by game name, the oldest
    first."""
    found: dict[str, list[BotGame]] = {}
    for table in selectors.decided_tables(guest) if guest else ():
        seats = list(table.seats.all())
        own = [seat for seat in seats if guest and seat.guest_id == guest.pk]
        bots = [int(seat.bot) for seat in seats if seat.bot.isdecimal()]
        from_start = not table.begun["terms"].get("position")
        if from_start and len(own) == 1 and len(bots) == len(seats) - 1 and own[0].share is not None:
            share = own[0].share * len(seats)
            found.setdefault(table.game, []).append(BotGame(max(bots), share > 1, share < 1))
    return found
