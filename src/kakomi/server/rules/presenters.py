"""Presents an example of the rules."""

from dataclasses import dataclass
from typing import Literal

from django.utils.functional import cached_property
from django.utils.translation import gettext

from kakomi.core.attempt import Attempt
from kakomi.core.i18n import capitalised
from kakomi.server.boards.board_look import ViewPreferences
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.rules.courses import Course, Lesson
from kakomi.server.site.language import translate

Tone = Literal["", "good", "warning", "bad"]


@dataclass(frozen=True)
class ExamplePresenter:
    """The data for the template of an example."""

    game: str
    attempt: Attempt
    refused: str = ""
    """Why the latest input can't be played."""
    was_shown: bool = False
    """Whether the reader was shown any of the actions."""

    @property
    def name(self) -> str:
        return self.attempt.example.name

    @property
    def is_completed(self) -> bool:
        """Whether the reader has done all tasks without being shown anything."""
        return self.attempt.step is None and not self.was_shown

    @property
    def next_lesson(self) -> Lesson | None:
        """The next lesson of the course."""
        return Course.of(self.game).after(self.name)

    @property
    def first_task(self) -> str:
        """The first task."""
        return translate(self.attempt.example.steps[0].task)

    @property
    def next_task(self) -> str:
        """The current task, if it isn't the first; empty otherwise."""
        step = self.attempt.step
        return translate(step.task) if step and self.attempt.number else ""

    @property
    def tone(self) -> Tone:
        """The kind of feedback."""
        if self.refused:
            return "bad"
        if self.attempt.is_missed:
            return "warning"
        return "good" if self.attempt.played else ""

    @property
    def verdict(self) -> str:
        """The kind of feedback in a word or two."""
        verdicts = {
            "": "",
            "bad": gettext("Not allowed"),
            "warning": gettext("Not quite"),
            "good": gettext("Right") if not self.attempt.since else gettext("Continue"),
        }
        return verdicts[self.tone]

    @property
    def feedback(self) -> str:
        """The feedback on the reader's last action."""
        attempt = self.attempt
        if self.refused:
            return self.refused
        if attempt.is_missed and attempt.step:
            misses = attempt.step.misses
            said = translate(misses.get(attempt.since[-1]) or misses.get("") or "")
            words = " ".join(filter(None, (said, self.continuation)))
            return words or gettext("That’s a legal move, but not the one we’re looking for.")
        if attempt.since:
            expected = attempt.position.game.description.explain.expects(attempt.position)
            return gettext("Next: {expected}.").format(expected=translate(expected))
        told = translate(attempt.example.steps[attempt.number - 1].told) if attempt.number else ""
        return " ".join(filter(None, (told, self.continuation)))

    @property
    def continuation(self) -> str:
        """The reply to a miss, and the result of best play; empty if the example has none."""
        attempt, claim = self.attempt, self.attempt.example.claim
        if claim is None or not attempt.line:
            return ""
        names, end = attempt.position.game.player_names, attempt.position.play(" ".join(attempt.line))
        account = translate(end.game.description.explain.account(end))
        if not attempt.is_missed and claim.turns is not None:
            return ""
        if not attempt.is_missed or not attempt.reply:
            return gettext("With best play: {account}.").format(account=account)
        replied = attempt.position.play(" ".join(attempt.reply))
        reply = [end.game.actions[action].text for action in replied.previous_turn or replied.turn]
        if claim.turns is None:
            template = gettext("{player} replies {reply}. With best play: {account}.")
        else:
            template = gettext("{player} replies {reply}: {account}.")
        player = translate(names[1 - attempt.seat]) if len(names) == 2 else gettext("Your opponent")
        return template.format(player=player, reply=" ".join(reply), account=account)

    @property
    def hint(self) -> str:
        """The hint for the current task; empty while none is open."""
        return translate(self.attempt.step.hint) if self.attempt.is_open and self.attempt.step else ""

    @property
    def task_label(self) -> str:
        """The number of the current task, out of how many."""
        numbers = {"number": self.attempt.number + 1, "count": len(self.attempt.example.steps)}
        return gettext("Task {number} of {count}").format(**numbers)

    @property
    def announcement(self) -> str:
        """The news for screen readers."""
        return " ".join(
            part for part in (f"{self.verdict}.", self.feedback, self.next_task) if part.strip(".")
        )

    @cached_property
    def board(self) -> BoardPresenter:
        """The board after the actions played."""
        return BoardPresenter(
            self.attempt.shown,
            ViewPreferences(overlays=tuple(self.attempt.example.overlays)),
            prefix=f"example-{self.name}-board",
            may_play=self.attempt.is_open,
        )

    @property
    def legend(self) -> list[str]:
        """The meanings of the marks on the board."""
        return [choice.title for choice in self.board.overlay_choices if choice.is_on]

    @property
    def account(self) -> str:
        """The score in words; empty if the example isn't about it."""
        position, example = self.attempt.shown, self.attempt.example
        if example.claim is None and all(step.scores is None for step in example.steps):
            return ""
        account = translate(position.game.description.explain.account(position))
        return gettext("{sentence}.").format(sentence=capitalised(account))
