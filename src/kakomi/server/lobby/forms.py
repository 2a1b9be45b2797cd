"""Forms of the lobby: a seek or a challenge, a quick game, and which challenges somebody takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from django import forms
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.server.accounts.models import Guest
from kakomi.server.language import why
from kakomi.server.lobby import selectors, services
from kakomi.server.lobby.conditions import MOST_GAMES
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.lobby.pairing import QuickWish
from kakomi.server.lobby.services import LONGEST_DAYS, Wish
from kakomi.server.lobby.terms import SeekTerms, Side, boards_of, seats_of
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
