"""Forms of the lobby, also as pages show them: a seek or a challenge, a quick game, one's settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from django import forms
from django.utils.translation import gettext, ngettext

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.server.accounts.models import Guest
from kakomi.server.language import why
from kakomi.server.lobby import selectors, services
from kakomi.server.lobby.conditions import MOST_GAMES
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.lobby.pairing import QuickWish
from kakomi.server.lobby.services import LONGEST_DAYS, Wish
from kakomi.server.lobby.terms import PLAYERS, SeekTerms, Side, boards_of, has_option, seats_of
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
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused
from kakomi.session.time_control import Pace

MOST_TIMES = 20
LIVE: Pace = "live"
DAYS_OFFERED = (1, 3, 7, 14, 30)


class SeekForm(TableForm):
    """A table's form without seats; `wish` is what it comes to once it is valid.

    `to` names whom one challenges, empty for everybody; `least` is the fewest who begin.
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
        """Make the wish, or say of every wrong field what would be right."""
        super().clean()
        invitees = self._invitees()
        if self.table_request is None:
            return
        game, control = self.table_request.game, self.table_request.control
        least = self._number("least", game.players, 2, game.players)
        times = self._number("times", 1, 1, MOST_TIMES)
        days = self._number("days", 7, 1, LONGEST_DAYS)
        if control is None:
            self.add_error("clock", gettext("Choose a clock: with one, every game comes to an end."))
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
        """All others are still to come."""
        others = [SeatAssignment("friend")] * (game.players - 1)
        return [SeatAssignment("me"), *others]

    def _range(self) -> tuple[int | None, int | None]:
        """The ratings of those who may join; in a challenge that is said by names."""
        if self.cleaned_data.get("to"):
            return None, None
        return self.cleaned_data.get("rating_low"), self.cleaned_data.get("rating_high")

    def _where(self) -> Side:
        side = self.cleaned_data.get("side") or "lot"
        if side in get_args(Side):
            return cast(Side, side)
        said = gettext("There is no such side: choose one of those offered, or let lots decide.")
        self.add_error("side", said)
        return "lot"

    def _invitees(self) -> list[Guest]:
        names = [name.strip().lstrip("@") for name in self.cleaned_data.get("to", "").split(",")]
        found, unknown = selectors.find_people(name for name in names if name)
        if unknown:
            said = gettext("Nobody here signs in as “{name}”. Write the name on their page, without spaces.")
            self.add_error("to", said.format(name=unknown[0][:30]))
        return found

    def _number(self, name: str, default: int, least: int, most: int) -> int:
        text = self.cleaned_data.get(name, "").strip()
        if not text:
            return default
        number = whole_number(text)
        if number is not None and least <= number <= most:
            return number
        said = gettext("Write a number from {least} to {most}.")
        self.add_error(name, said.format(least=least, most=most))
        return default


@dataclass(frozen=True)
class QuickOffer:
    """A game to play with anybody by one click."""

    description: Description
    least: int
    most: int

    @property
    def value(self) -> str:
        """As it is sent."""
        return f"{self.description.name}:{self.least}-{self.most}"

    @property
    def says(self) -> str:
        """For how many it is, where a game is offered for several numbers."""
        if seats_of(self.description) == (2, 2):
            return ""
        if self.least == self.most:
            return gettext("for {count}").format(count=self.most)
        return gettext("for {least} to {most}").format(least=self.least, most=self.most)

    @staticmethod
    def all() -> list["QuickOffer"]:
        """All that are offered: of games that more than two can play, those for two and those for more."""
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
    """The wish in a form: `play` (an offer's value), `pace`, `board`, `is_rated`. Raises Refused."""
    offer = next((offer for offer in QuickOffer.all() if offer.value == form.get("play")), None)
    pace, board = form.get("pace", LIVE), form.get("board", BOARDS[0])
    if offer is None or pace not in get_args(Pace) or board not in BOARDS:
        raise Refused(gettext("There is no such game to be had: choose one of those offered."))
    sizes = boards_of(offer.description)
    chosen = {"any": (), "small": sizes[:1], "large": sizes[-1:]}[board]
    is_rated = bool(form.get("is_rated"))
    name = offer.description.name
    return QuickWish(name, cast(Pace, pace), chosen, offer.least, offer.most, is_rated)


class SettingsForm(forms.ModelForm):
    """Which challenges somebody takes."""

    most_games = forms.IntegerField(required=False, min_value=1, max_value=MOST_GAMES)

    class Meta:
        model = LobbyGuest
        fields = ("challenges_from", "takes_live", "takes_days", "takes_rated", "takes_casual", "most_games")

    def clean(self) -> None:
        """Whoever takes no kind at all says so otherwise."""
        super().clean()
        given = self.cleaned_data
        if not (given.get("takes_live") or given.get("takes_days")):
            self.add_error("takes_live", gettext("Take live games, games over days, or both."))
        if not (given.get("takes_rated") or given.get("takes_casual")):
            self.add_error("takes_rated", gettext("Take rated games, casual games, or both."))


@dataclass(frozen=True)
class SeekFormPresenter(TableFormPresenter):
    """A form as it was sent, or as it is at first."""

    may_wait_days: bool = False
    """Whether whoever fills it in may play over days, and rated games."""

    @staticmethod
    def of_seek(form: SeekForm, *, may_wait_days: bool) -> "SeekFormPresenter":
        """The form, with its errors if it was sent."""
        return SeekFormPresenter(form.description, form.given, form.messages, may_wait_days=may_wait_days)

    @property
    def to(self) -> str:
        """Whom one challenges, as it was written."""
        return self.given.get("to", "")

    @property
    def to_wrong(self) -> str:
        return self.errors.get("to", "")

    @property
    def is_rated(self) -> bool:
        return self.is_on("is_rated", at_first=False)

    @property
    def negotiates(self) -> bool:
        return self.is_on("negotiate", at_first=False)

    def clock(self) -> ClockQuestion:
        """The choice of a clock; those over days only for who may."""
        wrong = self.errors.get("clock", "")
        return clock_question(
            self.given, wrong, first=FIRST_LIVE, may_be_none=False, has_days=self.may_wait_days
        )

    def side_of_owner(self) -> Question:
        """Where one sits."""
        given = self.given.get("side", "lot")
        offered = [("lot", gettext("by lot")), ("first", gettext("I begin"))]
        offered.append(("last", gettext("the other begins") if self.is_for_two else gettext("I come last")))
        choices = [Choice(value, label, value == given) for value, label in offered]
        help = gettext("In a rated game lots decide.") if self.may_wait_days else ""
        return Question("side", gettext("Who begins"), choices, help, wrong=self.errors.get("side", ""))

    @property
    def has_least(self) -> bool:
        """Whether fewer than all may begin."""
        return has_option(self.description, PLAYERS) and self.game.players > 2

    def least(self) -> Question:
        """With how many it may begin."""
        most = self.game.players
        given = whole_number(self.given.get("least"))
        chosen = str(most if given is None else min(given, most))
        choices = [Choice(str(number), str(number), str(number) == chosen) for number in range(2, most + 1)]
        help = gettext("It begins with so many if nobody else comes for a while.")
        return Question(
            "least", gettext("Begin with at least"), choices, help, wrong=self.errors.get("least", "")
        )

    @property
    def ratings(self) -> list[tuple[str, str, str, str]]:
        """The ends of the range of ratings: name, label, what was written, what is wrong."""
        labels = {"rating_low": gettext("Lowest rating"), "rating_high": gettext("Highest rating")}
        return [
            (name, label, str(self.given.get(name, "") or ""), self.errors.get(name, ""))
            for name, label in labels.items()
        ]

    def days(self) -> Question:
        """For how long it waits."""
        given = self.given.get("days", "") or "7"
        choices = [
            Choice(
                str(number),
                ngettext("{count} day", "{count} days", number).format(count=number),
                str(number) == given,
            )
            for number in DAYS_OFFERED
        ]
        return Question("days", gettext("It waits for"), choices, wrong=self.errors.get("days", ""))

    def times(self) -> Question:
        """How many games it may become."""
        given = self.given.get("times", "") or "1"
        help = gettext(
            "A standing seek is taken by several people, each for a game of their own: 1 to {most}."
        )
        return Question(
            "times",
            gettext("How often it may be taken"),
            (),
            help.format(most=MOST_TIMES),
            given,
            self.errors.get("times", ""),
        )
