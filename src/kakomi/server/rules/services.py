"""The lessons of courses that guests have completed."""

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.rules.courses import Course
from kakomi.server.rules.models import CompletedLesson
from kakomi.server.site.database import writing


def course_of(guest: Guest | None, game: str) -> Course:
    """A game's course with a guest's progress."""
    completed = CompletedLesson.objects.filter(guest=guest, game=game) if guest else None
    return Course.of(game, set(completed.values_list("lesson", flat=True)) if completed is not None else ())


def begun_courses(guest: Guest | None) -> list[Course]:
    """The courses that a guest has begun and not completed, the most recent first."""
    if not guest:
        return []
    completed: dict[str, set[str]] = {}
    rows = CompletedLesson.objects.filter(guest=guest).order_by("-completed_at", "-pk")
    for game, lesson in rows.values_list("game", "lesson"):
        completed.setdefault(game, set()).add(lesson)
    known = [game for game in completed if game in catalog.names()]
    return [course for game in known if (course := Course.of(game, completed[game])).is_begun]


def complete_lesson(guest: Guest, game: str, lesson: str) -> None:
    """Record that a guest has completed a lesson. Repeating this does nothing."""
    with writing():
        CompletedLesson.objects.get_or_create(guest=guest, game=game, lesson=lesson)


def take_over_lessons(*, left: Guest, guest: Guest, **_: object) -> None:
    """Copy the completed lessons of a browser's former guest to its new one."""
    taken = CompletedLesson.objects.filter(guest=left).values_list("game", "lesson")
    copies = [CompletedLesson(guest=guest, game=game, lesson=lesson) for game, lesson in taken]
    with writing():
        CompletedLesson.objects.bulk_create(copies, ignore_conflicts=True)
