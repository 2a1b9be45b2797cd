"""The form by which somebody starts a tournament, and the one by which a director corrects a result."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from kakomi.contest.tournament import AnyFormat, Elimination, RoundRobin, Swiss, Tables
from kakomi.core import Description
from kakomi.server import clock
from kakomi.server.language import why
from kakomi.server.lobby.terms import SeekTerms, boards_of, seats_of
from kakomi.server.tables.clock_texts import DAY_CLOCKS, clock_label, parse_time_control
from kakomi.server.tables.table_request import LEVELS
from kakomi.server.tables.wording import level_label
from kakomi.server.tournaments.models import LONGEST_NAME
from kakomi.server.tournaments.terms import MOST_ENTRANTS, MOST_ROUNDS, ROUND_DAYS, TournamentTerms
from kakomi.session import Refused
from kakomi.session.time_control import DAY

BEGINS_IN = (0.04, 1, 3, 7, 14, 30)
"""The days until it begins that are offered; the first is an hour."""
_FORMATS = {
    "swiss": gettext_lazy("Swiss: those with about the same points meet, nobody twice"),
    "round robin": gettext_lazy("everybody plays everybody"),
    "double": gettext_lazy("everybody plays everybody twice"),
    "knock-out": gettext_lazy("knock-out: who loses a game is out"),
    "two losses": gettext_lazy("knock-out after two losses"),
}


class TournamentForm(forms.Form):
    """What an organiser chooses; `agreed` is what it comes to once the form is valid."""

    name = forms.CharField(max_length=LONGEST_NAME, label=gettext_lazy("Name"))
    format = forms.ChoiceField(label=gettext_lazy("Format"))
    rounds = forms.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        initial=5,
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy("Counts for Swiss and for tables of several."),
    )
    size = forms.ChoiceField(label=gettext_lazy("Board"))
    clock = forms.ChoiceField(label=gettext_lazy("Clock"), initial="3d")
    round_days = forms.TypedChoiceField(
        coerce=int,
        initial=30,
        label=gettext_lazy("A round lasts at most"),
        help_text=gettext_lazy(
            "Then whoever is to act in a game loses it, whether clocks stand still or not."
        ),
    )
    begins_in = forms.TypedChoiceField(coerce=float, initial=3, label=gettext_lazy("Begins in"))
    most = forms.IntegerField(
        min_value=2, max_value=MOST_ENTRANTS, initial=16, label=gettext_lazy("Players at most")
    )
    filler = forms.ChoiceField(required=False, label=gettext_lazy("Bots that fill the last table"))
    is_rated = forms.BooleanField(required=False, label=gettext_lazy("Rated"))
    takes_late = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("People may enter after it has begun (Swiss and tables of several)"),
    )
    takes_bots = forms.BooleanField(
        required=False, label=gettext_lazy("Accounts of bots may take part, marked as such")
    )

    def __init__(self, description: Description, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.description = description
        self.agreed: TournamentTerms | None = None
        self._offer("format", self._formats())
        self._offer("size", {str(size): str(size) for size in boards_of(description)} or {"": "–"})
        self._offer("clock", {text: _clock(text) for text in DAY_CLOCKS})
        self._offer("round_days", {str(days): _days(days) for days in ROUND_DAYS})
        self._offer(
            "begins_in",
            {str(days): _days(days) if days >= 1 else gettext("an hour") for days in BEGINS_IN},
        )
        self._offer("filler", {"": gettext("none"), **{level: _level(level) for level in LEVELS}})
        if not boards_of(description):
            del self.fields["size"]
        for field in self:
            if field.errors:
                field.field.widget.attrs |= {
                    "aria-invalid": "true",
                    "aria-describedby": f"{field.name}-wrong",
                }

    def _formats(self) -> dict[str, str]:
        fewest, most = seats_of(self.description)
        offered = {name: str(label) for name, label in _FORMATS.items()} if fewest == 2 else {}
        several = gettext("tables of {seats}: everybody meets the others as evenly as can be")
        return offered | {
            f"tables {seats}": several.format(seats=seats) for seats in range(max(fewest, 3), most + 1)
        }

    def _offer(self, name: str, choices: Mapping[str, str]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices.items())

    def clean(self) -> None:
        """Make what is agreed, or say what would be right."""
        super().clean()
        if self.errors:
            return
        given = self.cleaned_data
        control = parse_time_control(given["clock"])
        assert control is not None  # one of the choices
        config = _format(given["format"], given["rounds"])
        sizes = (int(given["size"]),) if given.get("size") else ()
        now = clock.now()
        agreed = TournamentTerms(
            name=" ".join(given["name"].split()),
            terms=SeekTerms(self.description.name, control, sizes=sizes),
            format=config,
            begins_at=now + given["begins_in"] * DAY,
            is_rated=given["is_rated"],
            most=given["most"],
            takes_late=given["takes_late"],
            takes_bots=given["takes_bots"],
            filler=given["filler"],
            round_days=given["round_days"],
        )
        try:
            agreed.check(now)
        except Refused as error:
            self.add_error(None, why(error))
        else:
            self.agreed = agreed


def _format(name: str, rounds: int) -> AnyFormat:
    match name.split():
        case ["tables", seats]:
            return Tables(seats=int(seats), rounds=rounds)
        case ["round", "robin"]:
            return RoundRobin()
        case ["double"]:
            return RoundRobin(legs=2)
        case ["knock-out"]:
            return Elimination()
        case ["two", "losses"]:
            return Elimination(losses=2)
    return Swiss(rounds=rounds)


def _clock(text: str) -> str:
    control = parse_time_control(text)
    return clock_label(control) if control else text


def _days(count: float) -> str:
    days = round(count)
    return gettext("{days} days").format(days=days) if days > 1 else gettext("a day")


def _level(level: str) -> str:
    return f"{gettext('level')} {level}: {level_label(int(level))}"


def places_in(form: Mapping[str, str], seats: int) -> Sequence[int]:
    """The places of a correction, `place-0` and so on, each from 1. Raises Refused."""
    found = [form.get(f"place-{seat}", "") for seat in range(seats)]
    if not all(text in map(str, range(1, seats + 1)) for text in found):
        raise Refused(gettext("Choose a place for everybody at the table; equals have the same."))
    return [int(text) for text in found]
