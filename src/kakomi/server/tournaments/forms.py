"""The form to create a tournament, and the form to correct a result."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext, gettext_lazy

from kakomi.core import Description
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import zone_names
from kakomi.server.lobby.terms import SeekTerms, boards_of, seats_of
from kakomi.server.site import clock
from kakomi.server.site.games import HOUR, MINUTE, span_label
from kakomi.server.site.language import why
from kakomi.server.tables.clock_texts import DAY_CLOCKS, LIVE_CLOCKS, clock_choices, parse_time_control
from kakomi.server.tables.table_request import LEVELS
from kakomi.server.tables.wording import level_label
from kakomi.server.tournaments.models import LONGEST_DESCRIPTION, LONGEST_NAME
from kakomi.server.tournaments.terms import (
    FINALS,
    KINDS,
    MOST_ENTRANTS,
    MOST_GROUPS,
    MOST_PROMOTED,
    MOST_REACH,
    MOST_ROUNDS,
    ROUND_DAYS,
    Kind,
    TournamentTerms,
)
from kakomi.server.tournaments.wording import REPEATS
from kakomi.session import Pace, Refused, usual_terms

_FIRST_CHOICE: Mapping[Pace, tuple[str, int]] = {"live": ("10+5", 15 * MINUTE), "days": ("3d", 3 * 24 * HOUR)}
"""The default time control and time until the beginning."""
_ALWAYS = ("name", "description", "size", "clock", "begins_at", "zone", "most", "is_rated", "takes_bots")
_LOCAL = "%Y-%m-%dT%H:%M"
"""The format in which browsers send a local date and time."""


class TournamentForm(forms.Form):
    """The organiser's choices; `agreed` has the resulting terms once the form is valid."""

    name = forms.CharField(max_length=LONGEST_NAME, label=gettext_lazy("Name"))
    description = forms.CharField(
        required=False,
        max_length=LONGEST_DESCRIPTION,
        label=gettext_lazy("Description"),
        help_text=gettext_lazy("Shown to everyone on the tournament’s page."),
        widget=forms.Textarea({"rows": 3}),
    )
    rounds = forms.IntegerField(min_value=1, max_value=MOST_ROUNDS, initial=5, label=gettext_lazy("Rounds"))
    legs = forms.TypedChoiceField(coerce=int, initial=1, label=gettext_lazy("Games per pairing"))
    groups = forms.IntegerField(min_value=2, max_value=MOST_GROUPS, initial=4, label=gettext_lazy("Groups"))
    promoted = forms.IntegerField(
        min_value=1,
        max_value=MOST_PROMOTED,
        initial=2,
        label=gettext_lazy("Finalists per group"),
    )
    final = forms.ChoiceField(label=gettext_lazy("Final"))
    losses = forms.TypedChoiceField(coerce=int, initial=1, label=gettext_lazy("Eliminated after"))
    seats = forms.TypedChoiceField(coerce=int, initial=4, label=gettext_lazy("Players per game"))
    reach = forms.IntegerField(
        min_value=1,
        max_value=MOST_REACH,
        initial=3,
        label=gettext_lazy("Challenge up to this many ranks above"),
    )
    size = forms.ChoiceField(label=gettext_lazy("Board"))
    clock = forms.ChoiceField(label=gettext_lazy("Time control"))
    round_days = forms.TypedChoiceField(
        coerce=int,
        initial=30,
        label=gettext_lazy("Round limit"),
        help_text=gettext_lazy(
            "When the round ends, the player to move loses any unfinished game, even with clocks paused."
        ),
    )
    begins_at = forms.DateTimeField(
        input_formats=[_LOCAL, f"{_LOCAL}:%S"],
        label=gettext_lazy("Starts on"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, _LOCAL),
    )
    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"), widget=forms.Select({"id": "zone", "translate": "no"})
    )
    repeat = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Repeat"),
        help_text=gettext_lazy(
            "When it starts, the next one opens with the same settings, at the same local time."
        ),
    )
    most = forms.IntegerField(
        min_value=2, max_value=MOST_ENTRANTS, initial=16, label=gettext_lazy("Maximum players")
    )
    filler = forms.ChoiceField(required=False, label=gettext_lazy("Bots to fill the last table"))
    is_rated = forms.BooleanField(required=False, label=gettext_lazy("Rated"))
    takes_late = forms.BooleanField(required=False, initial=True, label=gettext_lazy("Allow late entry"))
    takes_bots = forms.BooleanField(required=False, label=gettext_lazy("Allow bot accounts"))

    def __init__(
        self, description: Description, kind: Kind, pace: Pace, guest: Guest | None, *args: Any, **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.game, self.kind, self.pace, self.guest = description, kind, pace, guest
        self.agreed: TournamentTerms | None = None
        self._keep({*_ALWAYS, *kind.fields, *(("round_days",) if pace == "days" else ())})
        self._offer_choices()
        self.mark_faults()

    def offer(self, name: str, choices: Mapping[str, str]) -> None:
        """Set the choices of a field (value -> label), if the form has that field."""
        field = self.fields.get(name)
        if isinstance(field, forms.ChoiceField):
            field.choices = list(choices.items())

    def mark_faults(self) -> None:
        """Link each invalid field to its error for screen readers."""
        for field in self:
            if field.errors:
                field.field.widget.attrs |= {
                    "aria-invalid": "true",
                    "aria-describedby": f"{field.name}-wrong",
                }

    def _keep(self, wanted: set[str]) -> None:
        if not boards_of(self.game):
            wanted.discard("size")
        for name in set(self.fields) - wanted:
            del self.fields[name]

    def _offer_choices(self) -> None:
        fewest, most = seats_of(self.game)
        clocks = LIVE_CLOCKS if self.pace == "live" else DAY_CLOCKS
        self.offer("legs", {"1": gettext("one"), "2": gettext("two, with sides swapped")})
        self.offer("final", {name: str(label) for name, (label, _) in FINALS.items()})
        self.offer("losses", {"1": gettext("one loss"), "2": gettext("two losses")})
        self.offer("seats", {str(seats): str(seats) for seats in range(max(fewest, 3), most + 1)})
        self.offer("size", {str(size): str(size) for size in boards_of(self.game)})
        self.offer("clock", clock_choices(clocks))
        self.offer("round_days", {str(days): span_label(days * 24 * HOUR) for days in ROUND_DAYS})
        self.offer("zone", {name: name.replace("_", " ") for name in zone_names()})
        self.offer("repeat", {"": gettext("one"), **{name: str(label) for name, label in REPEATS.items()}})
        self.offer("filler", {"": gettext("none"), **{level: self._level(level) for level in LEVELS}})
        self._choose_first()

    def _choose_first(self) -> None:
        """Set initial values: the person's earlier choices that are still offered, otherwise the defaults."""
        control, until = _FIRST_CHOICE[self.pace]
        zone = self.guest.zone if self.guest else ""
        begins_at = (clock.now() + until) // MINUTE * MINUTE
        if not zone and not self.is_bound and "zone" not in self.initial:  # let the browser fill in the zone
            self.fields["zone"].widget.attrs["data-guess"] = ""
            self.fields["begins_at"].widget.attrs["data-moment"] = str(int(begins_at))
        chosen = {name: value for name, value in self.initial.items() if self._is_offered(name, value)}
        local = datetime.fromtimestamp(begins_at, ZoneInfo(zone or "UTC"))
        usual = {"clock": control, "zone": zone or "UTC", "begins_at": local.strftime(_LOCAL)}
        self.initial = {**usual, **chosen}

    def _is_offered(self, name: str, value: object) -> bool:
        field = self.fields.get(name)
        return not isinstance(field, forms.ChoiceField) or field.valid_value(str(value))

    def clean(self) -> None:
        """Create the terms, or add errors."""
        super().clean()
        if self.errors:
            return
        given = self.cleaned_data
        control = parse_time_control(given["clock"])
        assert control is not None  # all choices are valid
        sizes = (int(given["size"]),) if given.get("size") else ()
        now = clock.now()
        shown = given["begins_at"].replace(tzinfo=ZoneInfo(given["zone"]))
        agreed = TournamentTerms(
            name=" ".join(given["name"].split()),
            description="\n".join(given["description"].splitlines()),
            terms=SeekTerms(self.game.name, control, sizes=sizes, negotiate=usual_terms(self.game).negotiate),
            format=self.kind.make_format(given),
            begins_at=max(now, shown.timestamp()) if shown.timestamp() > now - MINUTE else shown.timestamp(),
            is_rated=given["is_rated"],
            most=given["most"],
            takes_late=given.get("takes_late", False),
            takes_bots=given["takes_bots"],
            filler=given.get("filler", ""),
            round_days=given.get("round_days", 0),
            repeat=given.get("repeat", ""),
        )
        try:
            agreed.check(now)
        except Refused as error:
            self.add_error(None, why(error))
        else:
            self.agreed = agreed

    def _level(self, level: str) -> str:
        words = level_label(self.game, int(level))
        return gettext("level {level}: {words}").format(level=level, words=words)


def carried_over(sent: Mapping[str, str]) -> dict[str, Any]:
    """The form's values to keep when somebody chooses another game, pace or kind."""
    kind = KINDS.get(sent.get("format", ""))
    shown = {*_ALWAYS, *(kind.fields if kind else ())}
    return {
        name: name in sent if isinstance(field, forms.BooleanField) else sent[name]
        for name, field in TournamentForm.base_fields.items()
        if name in (shown if isinstance(field, forms.BooleanField) else sent)
    }


def places_in(form: Mapping[str, str], seats: int) -> Sequence[int]:
    """The places in a correction (`place-0` and so on, each from 1). Raises Refused."""
    found = [form.get(f"place-{seat}", "") for seat in range(seats)]
    if not all(text in map(str, range(1, seats + 1)) for text in found):
        raise Refused(gettext("Choose a place for every player at the table; tied players get the same one."))
    return [int(text) for text in found]
