"""A game's course: the examples of its rules and its exercises, one after the other."""

from collections.abc import Collection
from dataclasses import dataclass

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.example import Example


@dataclass(frozen=True)
class Lesson:
    """A step of a course."""

    example: Example
    is_completed: bool

    @property
    def name(self) -> str:
        return self.example.name

    @property
    def title(self) -> str:
        """In English; pages translate it."""
        return self.example.title


@dataclass(frozen=True)
class Course:
    """A game's course, with what somebody has completed of it."""

    description: Description
    lessons: tuple[Lesson, ...]

    @staticmethod
    def of(game: str, completed: Collection[str] = ()) -> "Course":
        """The course of a game; names in `completed` that it has no longer count for nothing."""
        description = catalog.describe(game)
        lessons = (*description.examples, *description.exercises)
        return Course(description, tuple(Lesson(lesson, lesson.name in completed) for lesson in lessons))

    @property
    def completed(self) -> int:
        """How many lessons are completed."""
        return sum(lesson.is_completed for lesson in self.lessons)

    @property
    def is_begun(self) -> bool:
        """Whether there is something to go on with: one lesson is completed, and another is not."""
        return 0 < self.completed < len(self.lessons)

    @property
    def is_complete(self) -> bool:
        return self.completed == len(self.lessons)

    @property
    def next_lesson(self) -> Lesson | None:
        """The first that is not completed; None if all are."""
        return next((lesson for lesson in self.lessons if not lesson.is_completed), None)

    def number(self, name: str) -> int:
        """Which lesson has a name, from 1. Raises KeyError if none has."""
        for number, lesson in enumerate(self.lessons, 1):
            if lesson.name == name:
                return number
        raise KeyError(name)

    def before(self, name: str) -> Lesson | None:
        """The lesson before one; None for the first."""
        number = self.number(name)
        return self.lessons[number - 2] if number > 1 else None

    def after(self, name: str) -> Lesson | None:
        """The lesson after one; None for the last."""
        number = self.number(name)
        return self.lessons[number] if number < len(self.lessons) else None
