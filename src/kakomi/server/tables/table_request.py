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
from kakomi.session import MatchConfig, Refused, TimeControl

LEVELS = tuple(str(level) for level in NUMBERS)
"""The levels of bots in every game."""


def levels_for(description: Description) -> tuple[str, ...]:
    """The levels of bots in a game."""
    return tuple(str(level) for level in levels_of(description))


SeatKind: TypeAlias = Literal["me", "beside", "friend", "bot"]
"""The guest, a person at the same screen, a person by link, or a bot."""


def preset_options(description: Description) -> dict[str, int]:
    """The options that are offered first: a short game, as the first preset is the smallest."""
    return {option.name: option.presets[0] for option in description.options if option.presets}


@dataclass(frozen=True)
class SeatAssignment:
    """The occupant of a seat."""

    kind: SeatKind
    bot: str = ""
    """A bot's level."""

    @staticmethod
    def parse(text: str, levels: Sequence[str]) -> "SeatAssignment":
        """`me`, `beside`, `friend` or one of the levels. Raises ValueError for other texts, with the possible
        ones."""
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
    """The message for an unknown occupant of a seat, where bots have some levels."""
    said = gettext(
        "“{who}” can't sit here: choose somebody beside you, a friend, or a bot of level {first} to {last}."
    )
    return said.format(who=text[:20], first=levels[0], last=levels[-1])


@dataclass(frozen=True)
class TableRequest:
    """A table that can be opened; the form and the API make the same.

    Raises InvalidTableRequest, by field, if its parts contradict each other.
    """

    game: Game
    seats: tuple[SeatAssignment, ...]
    """For every player of the game."""
    legs: int = 1
    negotiate: bool = False
    swap: bool = False
    control: TimeControl | None = None
    position: str = ""
    """Where the game begins, as `str(position)` writes it; empty for the start."""
    leavers: str = ""
    """The level of the bot that goes on for who leaves, among three or more; empty: the seat passes."""
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
        """A request by what people choose; `options` have to be possible.

        A komi is negotiated only where there is one, and then the one among the options does not count.
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
                "In a rated game everybody plays for one seat: nobody can sit beside you."
            )
        return errors

    @property
    def config(self) -> MatchConfig:
        """Raises Refused if the match doesn't allow it."""
        return MatchConfig(
            self.game,
            games=self.legs,
            negotiate=self.negotiate,
            swap=self.swap,
            position=self.position,
            leavers=self.leavers,
        )


def begin_link(position: Position, **fields: object) -> str:
    """The address of the form for a game that begins at a position, with other fields filled in."""
    given = {**position.game.options, "position": str(position), **fields}
    return f"{reverse('begin', args=[position.game.name])}?{urlencode(given)}"


def contradictions(
    seats: Sequence[SeatAssignment], *, negotiate: bool, swap: bool, position: str = ""
) -> dict[str, str]:
    """Contradictions in a request, by field."""
    errors = {}
    if not any(seat.kind == "me" for seat in seats):
        errors["seats"] = gettext("One of the seats should be yours.")
    if negotiate and swap:
        errors["swap"] = gettext("Either the komi is negotiated or colours can be swapped: switch one off.")
    if position and (negotiate or swap):
        errors["position"] = gettext(
            "A game that begins at a position of its own has no komi to negotiate "
            "and no swap: switch them off."
        )
    return errors


NEEDS_ACCOUNTS = lazy_message("rated games are for people with an account: sign up, or play a casual one")


_ONE_OWNER = lazy_message("a bot plays no rated games against its owner, or against another bot of theirs")


_SEVERAL_SEATS = lazy_message("in a rated game everybody plays for one seat")


def why_unrated(game: Game, control: TimeControl | None, position: str = "") -> dict[str, str]:
    """What would have to be different for a game to be rated, by field of the form."""
    wrong = {}
    if control is None:
        wrong["clock"] = gettext("A rated game needs a clock: choose one, or play a casual game.")
    if position:
        wrong["position"] = gettext("A rated game begins at the start: leave this empty.")
    for option in game.description.options:
        if option.name not in ("size", "players") and not _is_usual(option, game):
            said = gettext("In a rated game it is {usual}.")
            wrong[option.name] = said.format(usual=" / ".join(map(str, _usual(option, game))))
    if game.description.size_class(game.options) is None:
        wrong["size"] = gettext("Boards of this size are not rated: choose a larger one.")
    return wrong


def _is_usual(option: Option, game: Game) -> bool:
    return game.options[option.name] in _usual(option, game)


def _usual(option: Option, game: Game) -> tuple[int, ...]:
    """What an option is in rated games: what is offered first, or its default."""
    return tuple(sorted({*option.presets, option.default_given(game.options)}))


def expect_ratable(terms: MatchConfig, control: TimeControl | None, guests: Iterable[Guest | None]) -> None:
    """Raises Refused for terms or people that no rated game has; None is a bot, or nobody yet."""
    for wrong in why_unrated(terms.game, control, terms.position).values():
        raise Refused(wrong)
    expect_rated_players([guest for guest in guests if guest])


def expect_rated_players(guests: Iterable[Guest]) -> None:
    """Raises Refused unless these people may play a rated game with each other."""
    people = list(guests)
    numbers = {guest.pk for guest in people}
    if len(numbers) < len(people):
        raise Refused(_SEVERAL_SEATS)
    if not all(map(has_account, people)):
        raise Refused(NEEDS_ACCOUNTS)
    if have_one_owner(people):
        raise Refused(_ONE_OWNER)


def has_account(guest: Guest | None) -> bool:
    """Whether somebody may play rated games."""
    return guest is not None and guest.handle is not None


class InvalidTableRequest(Refused):
    """A request for a table that can't be opened: the errors by field."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)
