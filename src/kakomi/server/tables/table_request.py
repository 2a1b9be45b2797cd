"""A request for a table: the game, the seats and the terms, and whether its result can count for ratings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.bots import NUMBERS, levels_of, make_bot
from kakomi.core import Description, Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.core.option import Option
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import have_one_owner
from kakomi.session import MatchConfig, Refused, TimeControl, usual_terms

LEVELS = tuple(str(level) for level in NUMBERS)
"""The levels of bots in every game."""


def levels_for(description: Description) -> tuple[str, ...]:
    """The levels of bots in a game."""
    return tuple(str(level) for level in levels_of(description))


SeatKind: TypeAlias = Literal["me", "beside", "friend", "bot"]
"""The guest, another person at the same screen, a person invited by link, or a bot."""


@dataclass(frozen=True)
class SeatAssignment:
    """The occupant of a seat."""

    kind: SeatKind
    bot: str = ""
    """A bot's level."""

    @staticmethod
    def parse(text: str, levels: Sequence[str]) -> "SeatAssignment":
        """Parse `me`, `beside`, `friend` or one of the levels. For other texts, raises ValueError with a
        message that states the possible ones."""
        match text:
            case "me" | "beside" | "friend":
                return SeatAssignment(text)
            case _ if text in levels:
                return SeatAssignment("bot", text)
        raise ValueError(unknown_sitter(text, levels))

    @property
    def bot_name(self) -> str:
        """The bot's name."""
        return make_bot(self.bot).name


def unknown_sitter(text: str, levels: Sequence[str]) -> str:
    """The error message for an unknown seat kind; `levels` are the bots' levels."""
    said = gettext(
        "“{who}” can’t play here: choose someone next to you, a friend, or a bot of level {first} to {last}."
    )
    return said.format(who=text[:20], first=levels[0], last=levels[-1])


@dataclass(frozen=True)
class TableRequest:
    """A validated request for a table, made by the form and the API.

    Raises InvalidTableRequest, with errors by field, if its parts contradict each other.
    """

    game: Game
    seats: tuple[SeatAssignment, ...]
    """One for every player of the game."""
    legs: int = 1
    negotiate: bool = False
    swap: bool = False
    control: TimeControl | None = None
    position: str = ""
    """The position at which the game begins, as `str(position)` writes it; empty for the start."""
    leavers: str = ""
    """The level of the bot that replaces a leaver in games for three or more; empty: the seat passes."""
    is_rated: bool = False

    def __post_init__(self) -> None:
        errors = contradictions(self.seats, negotiate=self.negotiate, swap=self.swap, position=self.position)
        if self.is_rated:
            errors |= self._why_unrated()
        if errors:
            raise InvalidTableRequest(errors)

    @staticmethod
    def of(
        description: Description,
        options: Mapping[str, int],
        seats: Sequence[SeatAssignment],
        *,
        is_match: bool = False,
        negotiate: bool = False,
        swap: bool = False,
        control: TimeControl | None = None,
        position: str = "",
        leavers: str = "",
        is_rated: bool = False,
    ) -> "TableRequest":
        """Build a request from people's choices; `options` must be valid.

        The komi is negotiated only in games that have one; the komi among the options is then ignored.
        """
        negotiate = negotiate and bool(description.komi_option)
        left_open = description.komi_option if negotiate else None
        chosen = {name: value for name, value in options.items() if name != left_open}
        game = catalog.game(description.name, **chosen)
        legs = max(description.match_games, game.players) if is_match else 1
        leavers = leavers if game.players > 2 else ""
        return TableRequest(game, tuple(seats), legs, negotiate, swap, control, position, leavers, is_rated)

    def _why_unrated(self) -> dict[str, str]:
        """Why such a game can't be rated, by field."""
        errors = why_unrated(self.game, self.control, self.position)
        kinds = [seat.kind for seat in self.seats]
        if "beside" in kinds or kinds.count("me") > 1:
            errors["seats"] = gettext(
                "In a rated game, each player has one seat: you can’t share this device."
            )
        return errors

    @property
    def config(self) -> MatchConfig:
        """The terms of the match. Raises Refused if they are invalid."""
        return MatchConfig(
            self.game,
            games=self.legs,
            negotiate=self.negotiate,
            swap=self.swap,
            position=self.position,
            leavers=self.leavers,
        )


def begin_link(position: Position, **fields: object) -> str:
    """The URL of the form for a game that begins at a position, with other fields filled in."""
    given = {**position.game.options, "position": str(position), **fields}
    return f"{reverse('begin', args=[position.game.name])}?{urlencode(given)}"


def contradictions(
    seats: Sequence[SeatAssignment], *, negotiate: bool, swap: bool, position: str = ""
) -> dict[str, str]:
    """Contradictions in a request, by field."""
    errors = {}
    if not any(seat.kind == "me" for seat in seats):
        errors["seats"] = gettext("Take one of the seats yourself.")
    if negotiate and swap:
        errors["swap"] = gettext("Komi negotiation and colour swap can’t be combined: turn one off.")
    if position and (negotiate or swap):
        errors["position"] = gettext(
            "Games from a custom position can’t have komi negotiation or a swap: turn them off."
        )
    return errors


NEEDS_ACCOUNTS = lazy_message("rated games require an account: sign up or play a casual game")


_ONE_OWNER = lazy_message("a bot can’t play rated games against its owner or its owner’s other bots")


_SEVERAL_SEATS = lazy_message("in a rated game, each player has one seat")


def why_unrated(game: Game, control: TimeControl | None, position: str = "") -> dict[str, str]:
    """The reasons why a game can't be rated, by field of the form; empty if it can."""
    wrong = {}
    if control is None:
        wrong["clock"] = gettext("Rated games require a time control: choose one or play a casual game.")
    if position:
        wrong["position"] = gettext("Rated games start from the usual position: leave this empty.")
    for option in game.description.options:
        usual = _usual(option, game)
        if option.name not in ("size", "players") and game.options[option.name] not in usual:
            said = gettext("Rated games use {usual}.")
            wrong[option.name] = said.format(usual=" / ".join(map(str, usual)))
    if game.description.size_class(game.options) is None:
        wrong["size"] = gettext("This board is too small for a rated game: choose a larger one.")
    return wrong


def _usual(option: Option, game: Game) -> tuple[int, ...]:
    """The values of an option in rated games: its presets, its default, and the fair komi."""
    others = game.description.without_komi(game.options)
    usual = usual_terms(game.description, others, negotiate=False).game.options[option.name]
    return tuple(sorted({*option.presets, option.default_given(game.options), usual}))


def expect_ratable(terms: MatchConfig, control: TimeControl | None, guests: Iterable[Guest | None]) -> None:
    """Raise Refused if these terms or people can't be rated. A guest of None is a bot or an empty seat."""
    for wrong in why_unrated(terms.game, control, terms.position).values():
        raise Refused(wrong)
    expect_rated_players([guest for guest in guests if guest])


def expect_rated_players(guests: Iterable[Guest]) -> None:
    """Raise Refused unless these people may play a rated game with each other."""
    people = list(guests)
    numbers = {guest.pk for guest in people}
    if len(numbers) < len(people):
        raise Refused(_SEVERAL_SEATS)
    if not all(map(has_account, people)):
        raise Refused(NEEDS_ACCOUNTS)
    if have_one_owner(people):
        raise Refused(_ONE_OWNER)


def has_account(guest: Guest | None) -> bool:
    """Whether somebody has an account, and so may play rated games."""
    return guest is not None and guest.handle is not None


class InvalidTableRequest(Refused):
    """A request for a table that can't be opened. `errors` maps fields to messages."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)
