"""The level of the bot that suits somebody, found from their games against bots."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from django.utils.translation import gettext

from kakomi import catalog
from kakomi.bots import NUMBERS, levels_of
from kakomi.core import Description, Game
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import selectors
from kakomi.server.tables.table_request import preset_options

FIRST_LEVEL = int(NUMBERS[0])
LOSSES = 2
"""So many losses in succession at a level, and the one below is suggested."""
WINS = 2
"""So many wins in succession, and it is the one above; until the first loss a single one will do."""

Reason = Literal["first", "same", "up", "down"]


class BotGame(NamedTuple):
    """A finished game against bots."""

    level: int
    """The level of the strongest."""
    won: bool
    lost: bool


@dataclass(frozen=True)
class Suggestion:
    """A level, and why it is that one."""

    level: int = FIRST_LEVEL
    reason: Reason = "first"
    from_level: int = FIRST_LEVEL
    """The level before, where it goes up or down."""

    @property
    def words(self) -> str:
        """The reason as a sentence."""
        match self.reason:
            case "up":
                said = gettext("Level {level}, since you won at level {from_level}.")
            case "down":
                said = gettext("Level {level}, since you lost twice at level {from_level}.")
            case "same":
                said = gettext("Level {level}, until you win there.")
            case "first":
                said = gettext("Level {level}, for a first game.")
        return said.format(level=self.level, from_level=self.from_level)


@dataclass(frozen=True)
class NextGame:
    """A form that opens a game like the last one, against bots of the level that suits."""

    game: str
    fields: tuple[tuple[str, object], ...]
    words: str
    """Why it is that level."""

    @staticmethod
    def after(game: Game, suggestion: Suggestion) -> "NextGame":
        """The game after one with these options."""
        level = str(suggestion.level)
        who: dict[str, object] = {"opponent": level, "side": "random"}
        if game.players > 2:
            who = {f"seat-{player}": level if player else "me" for player in range(game.players)}
            who["shuffle"] = 1
        return NextGame(game.name, (*game.options.items(), *who.items()), suggestion.words)


def suggested(games: Iterable[BotGame], last: int) -> Suggestion:
    """The level after games against bots, the oldest first; `last` is the highest. Games that were harder and
    lost, or easier and won, say nothing."""
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
    """The level for a guest in a game."""
    return suggested(bot_games(guest).get(game, ()), levels_of(catalog.describe(game))[-1])


def bot_games(guest: Guest | None) -> dict[str, list[BotGame]]:
    """A guest's finished games against bots alone and from the start, by the name of the game, the oldest
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


def first_options(description: Description, suggestion: Suggestion) -> dict[str, int]:
    """The options that are offered first: of a first game the smallest board."""
    options = preset_options(description)
    if suggestion.reason != "first":
        return options
    return dict(catalog.game(description.name, **{**options, **description.quick}).options)
