"""What guests have completed of the courses."""

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.rulebook.course import Course
from kakomi.server.rulebook.models import CompletedLesson


def course_of(guest: Guest | None, game: str) -> Course:
    """A game's course as a guest has it before them."""
    completed = CompletedLesson.objects.filter(guest=guest, game=game) if guest else None
    return Course.of(game, set(completed.values_list("lesson", flat=True)) if completed is not None else ())


def begun_courses(guest: Guest | None) -> list[Course]:
    """The courses that a guest has begun and not completed, the last one first."""
    if not guest:
        return []
    completed: dict[str, set[str]] = {}
    rows = CompletedLesson.objects.filter(guest=guest).order_by("-completed_at", "-pk")
    for game, lesson in rows.values_list("game", "lesson"):
        completed.setdefault(game, set()).add(lesson)
    known = [game for game in completed if game in catalog.names()]
    return [course for game in known if (course := Course.of(game, completed[game])).is_begun]
