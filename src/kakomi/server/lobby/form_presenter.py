"""The form for a seek or a challenge, as its page shows it."""

from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from kakomi.server.lobby.forms import DAYS_OFFERED, MOST_TIMES, SeekForm
from kakomi.server.lobby.terms import PLAYERS, has_option
from kakomi.server.tables.form_presenter import (
    FIRST_LIVE,
    Choice,
    ClockQuestion,
    Question,
    TableFormPresenter,
    clock_question,
)
from kakomi.server.whole_numbers import whole_number


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
