"""The form that opens a table, as its page shows it. Clocks are chosen by pace first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import cached_property
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.core.option import Option
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.site.games import allowed_label, player_label
from kakomi.server.site.language import translate
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
"""The default clock of each pace."""


@dataclass(frozen=True)
class Choice:
    """One choice of a question."""

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
    """The typed value beside the choices; None where none is possible."""
    wrong: str = ""


@dataclass(frozen=True)
class ClockQuestion(Question):
    """The choice of a pace, with a choice of clocks for the live and the correspondence pace."""

    live: Sequence[Choice] = ()
    days: Sequence[Choice] = ()

    @property
    def paces(self) -> list[tuple[str, str, Sequence[Choice]]]:
        """The field, its label and the clocks for each pace with clocks to choose from."""
        labels = (
            ("clock_live", gettext("Time control"), self.live),
            ("clock_days", gettext("Time control (correspondence)"), self.days),
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
    """The question about the clock. The choice is the one sent, whether by pace or as text, or `first`."""
    asked = given.get("clock", first)
    pace = _pace_of(asked)
    offered = [
        (NO_CLOCK, gettext("none"), may_be_none),
        (LIVE_CLOCK, gettext("live"), True),
        (DAY_CLOCK, gettext("correspondence"), has_days),
        (CUSTOM, gettext("custom"), True),
    ]
    typed = given.get("clock_other", "") if asked == CUSTOM else asked if pace == CUSTOM else ""
    live = asked if asked in LIVE_CLOCKS else given.get("clock_live", FIRST_LIVE)
    days = asked if asked in DAY_CLOCKS else given.get("clock_days", FIRST_DAYS)
    return ClockQuestion(
        "clock",
        gettext("Time control"),
        [Choice(value, label, value == pace) for value, label, is_offered in offered if is_offered],
        gettext("5+3: 5 minutes + 3 seconds per turn. 30: 30 seconds per turn. 3d: 3 days per turn."),
        typed,
        wrong,
        _clocks(LIVE_CLOCKS, live),
        _clocks(DAY_CLOCKS, days) if has_days else (),
    )


def _pace_of(asked: str) -> str:
    """The pace that a clock's text belongs to."""
    if asked in LIVE_CLOCKS:
        return LIVE_CLOCK
    if asked in DAY_CLOCKS:
        return DAY_CLOCK
    return asked if asked in (NO_CLOCK, LIVE_CLOCK, DAY_CLOCK) else CUSTOM


def _clocks(offered: Sequence[str], chosen: str) -> list[Choice]:
    return [Choice(value, short_clock_label(parse_time_control(value)), value == chosen) for value in offered]


ME, BESIDE, FRIEND = "me", "beside", "friend"
MOST_SIDE_BY_SIDE = 8
"""The most values offered as buttons. If there are more, only the presets are buttons."""


@dataclass(frozen=True)
class TableFormPresenter:
    """A form as it was sent, or in its initial state."""

    description: Description
    given: Mapping[str, str]
    errors: Mapping[str, str] = field(default_factory=dict)
    suggestion: Suggestion = field(default_factory=Suggestion)
    may_be_rated: bool = False
    """Whether its sender may play rated games."""

    @staticmethod
    def of(form: TableForm, suggestion: Suggestion) -> "TableFormPresenter":
        """Present a form, with its errors if it was sent, and a suggested bot level."""
        return TableFormPresenter(form.description, form.given, form.messages, suggestion, form.may_be_rated)

    @property
    def is_new(self) -> bool:
        """Whether the form hasn't been sent yet."""
        return "sent" not in self.given

    @cached_property
    def game(self) -> Game:
        """The game as chosen so far, with defaults for invalid options."""
        options, _ = resolve_options(self.description, self.given)
        return catalog.game(self.description.name, **options)

    @property
    def is_for_two(self) -> bool:
        """Whether there is one opponent."""
        return self.game.players == 2

    def options(self) -> Iterator[Question]:
        """The game's options that have more than one possible value."""
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
            choices.append(Choice(OTHER, gettext("custom"), is_other))
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
        """The choice of an opponent, in games for two."""
        given = self.given.get("opponent", BOT)
        chosen = BOT if given in self._all_levels else given
        offered = (
            (BOT, gettext("a bot")),
            (BESIDE, gettext("someone next to you")),
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
        """The choice of a colour, in games for two."""
        given = self.given.get("side", BY_LOT)
        first, second = (player_label(self.description, player) for player in (0, 1))
        offered = (
            (BY_LOT, gettext("random"), ""),
            ("0", gettext("first"), first),
            ("1", gettext("second"), second),
        )
        choices = [Choice(value, label, value == given, note) for value, label, note in offered]
        help = ""
        if self.description.komi_option:
            help = gettext(
                "With negotiated komi, the first player names the komi and the second chooses a colour."
            )
        return Question("side", gettext("You play"), choices, help, wrong=self.errors.get("side", ""))

    def seats(self) -> Iterator[Question]:
        """The choice of seats for more than two players."""
        for player in range(self.game.players):
            name = f"seat-{player}"
            chosen = self.given.get(name) or (str(self.suggestion.level) if player else ME)
            choices = [
                Choice(ME, gettext("you"), chosen == ME),
                Choice(BESIDE, gettext("someone next to you"), chosen == BESIDE),
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
        """The choice of what happens to a leaver's seat, in games for three or more."""
        chosen = self.given.get("leavers", "")
        said = gettext("a level {level} bot takes over")
        choices = [Choice("", gettext("their seat passes until the end"), chosen not in LEVELS)]
        choices += [Choice(level, said.format(level=level), level == chosen) for level in LEVELS]
        help = gettext(
            "Applies to players who resign or run out of time. A seat that passes can’t win; a "
            "bot can. In rated games, players who leave finish last either way."
        )
        return Question("leavers", gettext("If a player leaves"), choices, help)

    def clock(self) -> ClockQuestion:
        """The choice of a clock."""
        return clock_question(self.given, self.errors.get("clock", ""))

    def is_on(self, name: str, *, at_first: bool) -> bool:
        """Whether a switch is on; browsers send it only then. `at_first` is its initial state."""
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
        """The position at which the game begins, as it was sent."""
        return self.given.get("position", "")

    @property
    def board(self) -> BoardPresenter | None:
        """The position at which the game begins; None for the start, or if the text isn't a position."""
        try:
            position = self.game.position(self.position) if self.position else None
        except ValueError:
            return None
        return BoardPresenter(position, is_interactive=False) if position else None

    @property
    def is_rated(self) -> bool:
        return bool(self.given.get("rated"))
