"""Remembering what was done of a course: nothing else writes it."""

from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.rulebook.models import CompletedLesson


def complete_lesson(guest: Guest, game: str, lesson: str) -> None:
    """Remember that a guest has completed a lesson, once."""
    with writing():
        CompletedLesson.objects.get_or_create(guest=guest, game=game, lesson=lesson)


def take_lessons_along(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest what was completed by another one whose browser is theirs from now on."""
    taken = CompletedLesson.objects.filter(guest=left).values_list("game", "lesson")
    copies = [CompletedLesson(guest=guest, game=game, lesson=lesson) for game, lesson in taken]
    with writing():
        CompletedLesson.objects.bulk_create(copies, ignore_conflicts=True)
