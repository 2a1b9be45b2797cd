"""A game's course: the examples of its rules, followed by its exercises. It needs no Django."""

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
        """The untranslated title."""
        return self.example.title


@dataclass(frozen=True)
class Course:
    """A game's course, with somebody's progress."""

    description: Description
    lessons: tuple[Lesson, ...]

    @staticmethod
    def of(game: str, completed: Collection[str] = ()) -> "Course":
        """The course of a game. Names in `completed` that it no longer has are ignored."""
        description = catalog.describe(game)
        lessons = (*description.examples, *description.exercises)
        return Course(description, tuple(Lesson(lesson, lesson.name in completed) for lesson in lessons))

    @property
    def completed(self) -> int:
        """The number of completed lessons."""
        return sum(lesson.is_completed for lesson in self.lessons)

    @property
    def is_begun(self) -> bool:
        """Whether some but not all lessons are completed."""
        return 0 < self.completed < len(self.lessons)

    @property
    def is_complete(self) -> bool:
        return self.completed == len(self.lessons)

    @property
    def next_lesson(self) -> Lesson | None:
        """The first lesson that isn't completed; None if all are."""
        return next((lesson for lesson in self.lessons if not lesson.is_completed), None)

    def number(self, name: str) -> int:
        """The number of the lesson with a name, from 1. Raises KeyError if there is none."""
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
