"""The form that opens a table, as its page shows it. For clocks it asks the pace, then one of that pace."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import cached_property
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.core.option import Option
from kakomi.server.boardview.presenters import BoardPresenter
from kakomi.server.games import allowed_label, player_label
from kakomi.server.language import translate
from kakomi.server.tables.clock_texts import DAY_CLOCKS, LIVE_CLOCKS, parse_time_control, short_clock_label
from kakomi.server.tables.forms import (
    BOT,
    BY_LOT,
    CUSTOM,
    DAY_CLOCK,
    LIVE_CLOCK,
    OTHER,
    TableForm,
    resolve_options,
    written,
)
from kakomi.server.tables.suggestion import Suggestion
from kakomi.server.tables.table_request import LEVELS, levels_for
from kakomi.server.tables.wording import level_label

NO_CLOCK = ""
FIRST_LIVE, FIRST_DAYS = "10+5", "3d"
"""What is chosen of a pace at first."""


@dataclass(frozen=True)
class Choice:
    """One of several."""

    value: str
    label: str
    is_chosen: bool
    note: str = ""


@dataclass(frozen=True)
class Question:
    """A field of the form."""

    name: str
    label: str
    choices: Sequence[Choice] = ()
    help: str = ""
    other: str | None = None
    """The typed value beside the choices, where one is possible."""
    wrong: str = ""


@dataclass(frozen=True)
class ClockQuestion(Question):
    """The choices are paces; beside two of them there are clocks of that pace."""

    live: Sequence[Choice] = ()
    days: Sequence[Choice] = ()

    @property
    def paces(self) -> list[tuple[str, str, Sequence[Choice]]]:
        """The field, its label and the clocks, for each pace that is offered."""
        labels = (
            ("clock_live", gettext("Live clock"), self.live),
            ("clock_days", gettext("Clock over days"), self.days),
        )
        return [pace for pace in labels if pace[2]]


def clock_question(
    given: Mapping[str, str],
    wrong: str,
    *,
    first: str = NO_CLOCK,
    may_be_none: bool = True,
    has_days: bool = True,
) -> ClockQuestion:
    """The choice as it was sent, whether by pace or as one text, or `first`."""
    asked = given.get("clock", first)
    pace = _pace_of(asked)
    offered = [
        (NO_CLOCK, gettext("none"), may_be_none),
        (LIVE_CLOCK, gettext("live"), True),
        (DAY_CLOCK, gettext("over days"), has_days),
        (CUSTOM, gettext("other"), True),
    ]
    typed = given.get("clock_other", "") if asked == CUSTOM else asked if pace == CUSTOM else ""
    live = asked if asked in LIVE_CLOCKS else given.get("clock_live", FIRST_LIVE)
    days = asked if asked in DAY_CLOCKS else given.get("clock_days", FIRST_DAYS)
    return ClockQuestion(
        "clock",
        gettext("Clock"),
        [Choice(value, label, value == pace) for value, label, is_offered in offered if is_offered],
        gettext(
            "5+3 is five minutes, and three seconds more each turn; 30 is thirty seconds for each turn; "
            "3d is three days for each turn."
        ),
        typed,
        wrong,
        _clocks(LIVE_CLOCKS, live),
        _clocks(DAY_CLOCKS, days) if has_days else (),
    )


def _pace_of(asked: str) -> str:
    """Which of the first choices a clock belongs to."""
    if asked in LIVE_CLOCKS:
        return LIVE_CLOCK
    if asked in DAY_CLOCKS:
        return DAY_CLOCK
    return asked if asked in (NO_CLOCK, LIVE_CLOCK, DAY_CLOCK) else CUSTOM


def _clocks(offered: Sequence[str], chosen: str) -> list[Choice]:
    return [Choice(value, short_clock_label(parse_time_control(value)), value == chosen) for value in offered]


ME, BESIDE, FRIEND = "me", "beside", "friend"
MOST_SIDE_BY_SIDE = 8
"""The most values that are offered as buttons. Of more values only the presets are buttons."""


@dataclass(frozen=True)
class TableFormPresenter:
    """A form as it was sent, or as it is at first."""

    description: Description
    given: Mapping[str, str]
    errors: Mapping[str, str] = field(default_factory=dict)
    suggestion: Suggestion = field(default_factory=Suggestion)
    may_be_rated: bool = False
    """Whether its sender may play rated games."""

    @staticmethod
    def of(form: TableForm, suggestion: Suggestion) -> "TableFormPresenter":
        """The form, with its errors if it was sent, for somebody whom a level suits."""
        return TableFormPresenter(form.description, form.given, form.messages, suggestion, form.may_be_rated)

    @property
    def is_new(self) -> bool:
        """Whether the form is still untouched."""
        return "sent" not in self.given

    @cached_property
    def game(self) -> Game:
        """The game as chosen so far; invalid options have their defaults."""
        options, _ = resolve_options(self.description, self.given)
        return catalog.game(self.description.name, **options)

    @property
    def is_for_two(self) -> bool:
        """Whether there is one opponent."""
        return self.game.players == 2

    @property
    def has_error(self) -> bool:
        """Whether something was wrong."""
        return bool(self.errors)

    def options(self) -> Iterator[Question]:
        """The game's options; one that can't be anything else is left out."""
        for option in self.description.options:
            allowed = option.allowed_given(self.game.options)
            if len(allowed) > 1:
                yield self._option(option, allowed)

    def _option(self, option: Option, allowed: Sequence[int]) -> Question:
        wrong = self.errors.get(option.name, "")
        given = written(self.given, option.name)
        value = given if wrong else str(self.game.options[option.name])
        offered = allowed if len(allowed) <= MOST_SIDE_BY_SIDE else option.presets
        labels = [str(number) for number in offered]
        is_other = self.given.get(option.name) == OTHER or value not in labels
        choices = [Choice(label, label, label == value and not is_other) for label in labels]
        has_other = len(offered) < len(allowed)
        if labels and has_other:
            choices.append(Choice(OTHER, gettext("other"), is_other))
        hint = gettext("{help} ({allowed})") if has_other else "{help}"
        return Question(
            option.name,
            translate(option.title),
            choices,
            hint.format(help=translate(option.help), allowed=allowed_label(allowed)),
            (given or value if is_other else "") if has_other else None,
            wrong,
        )

    def opponent(self) -> Question:
        """Whom to play, where there is one opponent."""
        given = self.given.get("opponent", BOT)
        chosen = BOT if given in self._all_levels else given
        offered = (
            (BOT, gettext("a bot")),
            (BESIDE, gettext("somebody beside you")),
            (FRIEND, gettext("a friend by link")),
        )
        choices = [Choice(value, label, value == chosen) for value, label in offered]
        return Question("opponent", gettext("Opponent"), choices, wrong=self.errors.get("opponent", ""))

    def level(self) -> Question:
        """The choice of a bot's level."""
        given = self.given.get("opponent", "")
        chosen = given if given in self._all_levels else self.given.get("level", str(self.suggestion.level))
        return Question(
            "level",
            gettext("Level"),
            self._levels(chosen),
            self.suggestion.words,
            wrong=self.errors.get("level", ""),
        )

    def _levels(self, chosen: str) -> list[Choice]:
        said = gettext("{level}: {words}")
        labels = {level: level_label(self.description, int(level)) for level in self._all_levels}
        return [
            Choice(level, said.format(level=level, words=label), level == chosen)
            for level, label in labels.items()
        ]

    @property
    def _all_levels(self) -> tuple[str, ...]:
        return levels_for(self.description)

    def side(self) -> Question:
        """Which colour, where there are two."""
        given = self.given.get("side", BY_LOT)
        first, second = (player_label(self.description, player) for player in (0, 1))
        offered = (
            (BY_LOT, gettext("by lot"), ""),
            ("0", gettext("first"), first),
            ("1", gettext("second"), second),
        )
        choices = [Choice(value, label, value == given, note) for value, label, note in offered]
        help = ""
        if self.description.komi_option:
            help = gettext("If the komi is negotiated, the first names it and the second chooses a colour.")
        return Question("side", gettext("You play"), choices, help, wrong=self.errors.get("side", ""))

    def seats(self) -> Iterator[Question]:
        """The choice of seats for more than two players."""
        for player in range(self.game.players):
            name = f"seat-{player}"
            chosen = self.given.get(name) or (str(self.suggestion.level) if player else ME)
            choices = [
                Choice(ME, gettext("you"), chosen == ME),
                Choice(BESIDE, gettext("somebody beside you"), chosen == BESIDE),
                Choice(FRIEND, gettext("a friend by link"), chosen == FRIEND),
                *(
                    Choice(level, gettext("a bot of level {level}").format(level=level), level == chosen)
                    for level in self._all_levels
                ),
            ]
            yield Question(
                name, player_label(self.description, player), choices, wrong=self.errors.get(name, "")
            )

    def leavers(self) -> Question:
        """What becomes of the seat of somebody who leaves, among several."""
        chosen = self.given.get("leavers", "")
        said = gettext("a bot of level {level} plays on")
        choices = [Choice("", gettext("it passes until the end"), chosen not in LEVELS)]
        choices += [Choice(level, said.format(level=level), level == chosen) for level in LEVELS]
        help = gettext(
            "Who resigns or runs out of time has left. If their seat passes, it can’t win. If a bot plays "
            "on, the bot can; in a rated game whoever left comes last all the same."
        )
        return Question("leavers", gettext("The seat of somebody who leaves"), choices, help)

    def clock(self) -> ClockQuestion:
        """The choice of a clock."""
        return clock_question(self.given, self.errors.get("clock", ""))

    def is_on(self, name: str, *, at_first: bool) -> bool:
        """Whether a switch is on: it is sent only then."""
        return at_first if self.is_new else bool(self.given.get(name))

    @property
    def negotiates(self) -> bool:
        return self.is_on("negotiate", at_first=not self.position)

    @property
    def swaps(self) -> bool:
        return self.is_on("swap", at_first=False)

    @property
    def plays_match(self) -> bool:
        return self.is_on("match", at_first=False)

    @property
    def shuffles(self) -> bool:
        return self.is_on("shuffle", at_first=False)

    @property
    def position(self) -> str:
        """Where the game begins, as it was sent."""
        return self.given.get("position", "")

    @property
    def board(self) -> BoardPresenter | None:
        """The position to begin at; None for the start, or where what was sent is none."""
        try:
            position = self.game.position(self.position) if self.position else None
        except ValueError:
            return None
        return BoardPresenter(position, is_interactive=False) if position else None

    @property
    def position_wrong(self) -> str:
        return self.errors.get("position", "")

    @property
    def is_rated(self) -> bool:
        return bool(self.given.get("rated"))

    @property
    def rated_wrong(self) -> str:
        return self.errors.get("rated", "")

    @property
    def swap_wrong(self) -> str:
        return self.errors.get("swap", "")

    @property
    def seats_wrong(self) -> str:
        return self.errors.get("seats", "")
