"""The lobby's forms and their presenters: a seek or a challenge, a quick game, and settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from django import forms
from django.utils.translation import gettext, ngettext

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import selectors, services
from kakomi.server.lobby.conditions import MOST_GAMES
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.lobby.pairing import QuickWish
from kakomi.server.lobby.services import LONGEST_DAYS, Wish
from kakomi.server.lobby.terms import PLAYERS, SeekTerms, Side, boards_of, has_option, seats_of
from kakomi.server.site.language import why
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables.form_presenter import (
    FIRST_LIVE,
    Choice,
    ClockQuestion,
    Question,
    TableFormPresenter,
    clock_question,
)
from kakomi.server.tables.forms import TableForm
from kakomi.server.tables.table_request import SeatAssignment
from kakomi.session import Refused
from kakomi.session.time_control import Pace

MOST_TIMES = 20
LIVE: Pace = "live"
DAYS_OFFERED = (1, 3, 7, 14, 30)


class SeekForm(TableForm):
    """A table's form without seats. `wish` is the result once it is valid.

    `to` lists the people to challenge, empty for an open seek; `least` is the minimum number of players.
    """

    to = forms.CharField(required=False, max_length=300)
    least = forms.CharField(required=False)
    times = forms.CharField(required=False)
    days = forms.CharField(required=False)
    is_rated = forms.BooleanField(required=False)
    rating_low = forms.IntegerField(required=False, min_value=-9_999, max_value=9_999)
    rating_high = forms.IntegerField(required=False, min_value=-9_999, max_value=9_999)

    def __init__(self, description: Description, guest: Guest, *args: Any, **named: Any) -> None:
        super().__init__(description, *args, **named)
        self.guest = guest
        self.wish: Wish | None = None

    def clean(self) -> None:
        """Create the wish, or add an error to every invalid field."""
        super().clean()
        invitees = self._invitees()
        if self.table_request is None:
            return
        game, control = self.table_request.game, self.table_request.control
        least = self._number("least", game.players, 2, game.players)
        times = self._number("times", 1, 1, MOST_TIMES)
        days = self._number("days", 7, 1, LONGEST_DAYS)
        if control is None:
            self.add_error("clock", gettext("Choose a time control."))
        if self.errors or control is None:
            return
        request = self.table_request
        terms = SeekTerms.of(
            game,
            control,
            is_match=request.legs > 1,
            negotiate=request.negotiate,
            swap=request.swap,
            side=self._where(),
            leavers=request.leavers,
        )
        kind = Seek.Kind.CHALLENGE if invitees else Seek.Kind.OPEN
        is_rated = bool(self.cleaned_data.get("is_rated"))
        times = times if terms.pace == "days" and not invitees else 1
        self.wish = Wish(kind, terms, is_rated, least, game.players, times, days, *self._range(), invitees)
        try:
            services.check_wish(self.guest, self.wish)
        except Refused as error:
            self.add_error("to" if invitees else None, why(error))

    def _seats(self, game: Game) -> list[SeatAssignment]:
        """The owner, and free seats for the others."""
        others = [SeatAssignment("friend")] * (game.players - 1)
        return [SeatAssignment("me"), *others]

    def _range(self) -> tuple[int | None, int | None]:
        """The range of ratings that may join; a challenge has none."""
        if self.cleaned_data.get("to"):
            return None, None
        return self.cleaned_data.get("rating_low"), self.cleaned_data.get("rating_high")

    def _where(self) -> Side:
        side = self.cleaned_data.get("side") or "lot"
        if side in get_args(Side):
            return cast(Side, side)
        said = gettext("Choose one of the sides in the list, or “random”.")
        self.add_error("side", said)
        return "lot"

    def _invitees(self) -> list[Guest]:
        names = [name.strip().lstrip("@") for name in self.cleaned_data.get("to", "").split(",")]
        found, unknown = selectors.find_people(name for name in names if name)
        if unknown:
            said = gettext("There is no player called “{name}”. Enter a username, without spaces.")
            self.add_error("to", said.format(name=unknown[0][:30]))
        return found

    def _number(self, name: str, default: int, least: int, most: int) -> int:
        text = self.cleaned_data.get(name, "").strip()
        if not text:
            return default
        number = whole_number(text)
        if number is not None and least <= number <= most:
            return number
        said = gettext("Enter a number from {least} to {most}.")
        self.add_error(name, said.format(least=least, most=most))
        return default


@dataclass(frozen=True)
class QuickOffer:
    """A game that a single click starts looking for."""

    description: Description
    least: int
    most: int

    @property
    def value(self) -> str:
        """The form value."""
        return f"{self.description.name}:{self.least}-{self.most}"

    @property
    def says(self) -> str:
        """The number of players in words; empty for a game that is always for two."""
        if seats_of(self.description) == (2, 2):
            return ""
        if self.least == self.most:
            return gettext("{count} players").format(count=self.most)
        return gettext("{least} to {most} players").format(least=self.least, most=self.most)

    @staticmethod
    def all() -> list["QuickOffer"]:
        """All offers. Games for two or more players are offered once for two and once for more."""
        found = []
        for name in catalog.names():
            description = catalog.describe(name)
            least, most = seats_of(description)
            if least == 2 < most:
                found.append(QuickOffer(description, 2, 2))
                least = 3
            found.append(QuickOffer(description, least, most))
        return found


BOARDS = ("any", "small", "large")


def quick_wish(form: Mapping[str, str]) -> QuickWish:
    """The wish from a form with `play` (an offer's value), `pace`, `board` and `is_rated`. Raises Refused."""
    offer = next((offer for offer in QuickOffer.all() if offer.value == form.get("play")), None)
    pace, board = form.get("pace", LIVE), form.get("board", BOARDS[0])
    if offer is None or pace not in get_args(Pace) or board not in BOARDS:
        raise Refused(gettext("Choose one of the games in the list."))
    sizes = boards_of(offer.description)
    chosen = {"any": (), "small": sizes[:1], "large": sizes[-1:]}[board]
    is_rated = bool(form.get("is_rated"))
    name = offer.description.name
    return QuickWish(name, cast(Pace, pace), chosen, offer.least, offer.most, is_rated)


class SettingsForm(forms.ModelForm):
    """Which challenges a guest takes."""

    most_games = forms.IntegerField(required=False, min_value=1, max_value=MOST_GAMES)

    class Meta:
        model = LobbyGuest
        fields = ("challenges_from", "takes_live", "takes_days", "takes_rated", "takes_casual", "most_games")

    def clean(self) -> None:
        """Require at least one pace and one rating mode; taking no challenges has its own field."""
        super().clean()
        given = self.cleaned_data
        if not (given.get("takes_live") or given.get("takes_days")):
            self.add_error("takes_live", gettext("Accept live games, correspondence games, or both."))
        if not (given.get("takes_rated") or given.get("takes_casual")):
            self.add_error("takes_rated", gettext("Accept rated games, casual games, or both."))


@dataclass(frozen=True)
class SeekFormPresenter(TableFormPresenter):
    """Presents a blank or submitted seek form."""

    may_wait_days: bool = False
    """Whether the viewer may play over days and rated games."""

    @staticmethod
    def of_seek(form: SeekForm, *, may_wait_days: bool) -> "SeekFormPresenter":
        """Present a form, with its errors if it was submitted."""
        return SeekFormPresenter(form.description, form.given, form.messages, may_wait_days=may_wait_days)

    @property
    def to(self) -> str:
        """The people to challenge, as typed."""
        return self.given.get("to", "")

    @property
    def is_rated(self) -> bool:
        return self.is_on("is_rated", at_first=False)

    def clock(self) -> ClockQuestion:
        """The choice of a time control; those over days only if the viewer may play over days."""
        wrong = self.errors.get("clock", "")
        return clock_question(
            self.given, wrong, first=FIRST_LIVE, may_be_none=False, has_days=self.may_wait_days
        )

    def side_of_owner(self) -> Question:
        """The choice of the owner's seat."""
        given = self.given.get("side", "lot")
        offered = [("lot", gettext("random")), ("first", gettext("I go first"))]
        offered.append(("last", gettext("opponent goes first") if self.is_for_two else gettext("I go last")))
        choices = [Choice(value, label, value == given) for value, label in offered]
        help = gettext("In rated games, sides are random.") if self.may_wait_days else ""
        return Question("side", gettext("Side"), choices, help, wrong=self.errors.get("side", ""))

    @property
    def has_least(self) -> bool:
        """Whether the game can begin with fewer than all players."""
        return has_option(self.description, PLAYERS) and self.game.players > 2

    def least(self) -> Question:
        """The choice of the minimum number of players."""
        most = self.game.players
        given = whole_number(self.given.get("least"))
        chosen = str(most if given is None else min(given, most))
        choices = [Choice(str(number), str(number), str(number) == chosen) for number in range(2, most + 1)]
        help = gettext("The game starts with this many if no one else joins for a while.")
        return Question(
            "least", gettext("Start with at least"), choices, help, wrong=self.errors.get("least", "")
        )

    @property
    def ratings(self) -> list[tuple[str, str, str, str]]:
        """The limits of the rating range: name, label, typed text, error."""
        labels = {"rating_low": gettext("Minimum rating"), "rating_high": gettext("Maximum rating")}
        return [
            (name, label, str(self.given.get(name, "") or ""), self.errors.get(name, ""))
            for name, label in labels.items()
        ]

    def days(self) -> Question:
        """The choice of the lifetime in days."""
        given = self.given.get("days", "") or "7"
        choices = [
            Choice(
                str(number),
                ngettext("{count} day", "{count} days", number).format(count=number),
                str(number) == given,
            )
            for number in DAYS_OFFERED
        ]
        return Question("days", gettext("Expires after"), choices, wrong=self.errors.get("days", ""))

    def times(self) -> Question:
        """The question of how many games it may become."""
        given = self.given.get("times", "") or "1"
        help = gettext("An open challenge can be accepted 1 to {most} times, each time for a separate game.")
        return Question(
            "times",
            gettext("Number of games"),
            (),
            help.format(most=MOST_TIMES),
            given,
            self.errors.get("times", ""),
        )
