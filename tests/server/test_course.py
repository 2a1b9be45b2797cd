"""The courses: lessons in order, and a guest's progress."""

import re

import pytest
from django.test import Client

import kakomi
from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.rules.courses import Course
from kakomi.server.rules.models import LESSON_LENGTH, CompletedLesson
from kakomi.server.rules.services import begun_courses, complete_lesson, course_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def solution(game: str, name: str) -> str:
    """The solution of a lesson, as a form field."""
    lesson = next(lesson for lesson in Course.of(game).lessons if lesson.name == name)
    return " ".join(action for step in lesson.example.steps for action in step.actions)


def completed(client: Client, game: str, name: str, **headers: str):
    return client.post(
        f"/rules/{game}/course/{name}", {"played": solution(game, name)}, headers=headers or None
    )


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("game", kakomi.names())
def test_lesson_after_lesson_leads_through_a_course_without_scripts(client: Client, game: str) -> None:
    lessons = Course.of(game).lessons
    names = [lesson.name for lesson in lessons]
    assert len(set(names)) == len(names)
    assert all(len(name) <= LESSON_LENGTH for name in names)
    assert f'href="/rules/{game}/course/{names[0]}">Start: ' in text(client, f"/rules/{game}/course")
    address = f"/rules/{game}/course/{names[0]}"
    for number, name in enumerate(names, 1):
        assert address == f"/rules/{game}/course/{name}"
        played = solution(game, name)
        page = text(client, f"{address}?played={played}".replace(" ", "+"))
        (form,) = re.findall(
            r'<form id="(complete-[^"]+)" class="complete" method="post" action="([^"]+)"', page
        )
        assert f'name="played" value="{played}" form="{form[0]}"' in page
        address = client.post(form[1], {"played": played})["Location"]
        assert f"{number} of {len(names)} done" in text(client, address)
    assert address == f"/rules/{game}/course"
    assert f'href="/play/{game}">Play' in text(client, address)
    assert Guest.objects.count() == 1
    assert CompletedLesson.objects.count() == len(names)


def test_reading_and_trying_makes_nobody_a_guest(client: Client) -> None:
    for address in ("/rules/rin", "/rules/rin/course", "/rules/rin/course/ring?played=3,2", "/play/rin"):
        text(client, address)
    assert not Guest.objects.exists()


def test_a_course_is_gone_on_with_where_it_was_left(client: Client) -> None:
    assert "step by step</a>" not in text(client, "/")
    first, second, third = Course.of("rin").lessons[:3]
    completed(client, "rin", second.name)
    for _ in range(2):
        completed(client, "rin", first.name)
    pages = [text(client, address) for address in ("/", "/rules/rin", "/play/rin", "/rules/rin/course")]
    for page in pages:
        assert f'href="/rules/rin/course/{third.name}"' in page
        assert f"2 of {len(Course.of('rin').lessons)} done" in page
    assert pages[1].count("✓ done") == 2
    assert "rive, step by step" not in pages[0].lower()


def test_scripts_are_told_what_is_completed_now(client: Client) -> None:
    answer = completed(client, "rive", "apart", **HTMX)
    html = answer.content.decode()
    assert "<html" not in html
    assert re.search(r'<li class="is-done"><a href="/rules/rive/course/apart" aria-current="page">', html)
    assert 'id="course-progress-rive"' in html
    assert 'id="course-progress-rive"' in text(client, "/rules/rive")


@pytest.mark.parametrize("played", ["", "3,2 3,2", "z9", "2,3", "3,2 " * 200])
def test_what_is_not_done_is_not_completed(client: Client, played: str) -> None:
    assert client.post("/rules/rin/course/ring", {"played": played}).status_code == 400
    assert not CompletedLesson.objects.exists()
    assert not Guest.objects.exists()


def test_what_was_shown_is_not_completed(client: Client) -> None:
    for query in ("do=show", "played=3,2&shown=1"):
        page = text(client, f"/rules/rin/course/ring?{query}")
        assert "data-completed" not in page
        assert 'form="complete-ring"' not in page
        assert 'href="/rules/rin/course/two-rings">Next' in page
    assert "data-completed" in text(client, "/rules/rin/course/ring?played=3,2")


@pytest.mark.parametrize(
    "address", ["/rules/chess/course", "/rules/rin/course/none", "/rules/none/course/ring"]
)
def test_what_does_not_exist_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_lessons_that_are_no_more_count_for_nothing() -> None:
    guest = Guest.objects.create()
    complete_lesson(guest, "rin", "of-an-older-version")
    complete_lesson(guest, "no-such-game", "ring")
    assert not course_of(guest, "rin").completed
    assert not begun_courses(guest)


def test_begun_courses_are_those_not_completed_the_last_one_first() -> None:
    guest = Guest.objects.create()
    for lesson in catalog.describe("rive").examples:
        complete_lesson(guest, "rive", lesson.name)
    begun = ["lin", "ren", "rings"]
    for game in begun:
        complete_lesson(guest, game, Course.of(game).lessons[0].name)
    expected = [*reversed(begun)]
    found = [course.description.name for course in begun_courses(guest)]
    assert [name for name in found if name != "rive"] == expected


def test_what_was_completed_goes_along_to_the_guest_of_a_private_link(client: Client) -> None:
    owner = Guest.objects.create()
    complete_lesson(owner, "rin", "ring")
    for name in ("ring", "edge"):
        completed(client, "rin", name)
    client.post(f"/me/{owner.token}")
    assert {lesson.name for lesson in course_of(owner, "rin").lessons if lesson.is_completed} == {
        "ring",
        "edge",
    }


def test_a_miss_shows_what_is_answered_and_how_it_ends() -> None:
    address = "/rules/rive/course/middle"
    missed = Client(headers=HTMX).get(address, {"at": "a1"}).content.decode()
    assert "Black replies b2 xa1 xb1 a1. With best play: " in missed
    assert "stones on the board: Black 4, White 3." in missed and "data-completed" not in missed
    assert 'aria-label="a1, Black stone' in missed
    right = Client(headers=HTMX).get(address, {"at": "b2"}).content.decode()
    assert "With best play:" in right and "answers" not in right
    assert "data-completed" in right


def test_an_exercise_gives_a_hint_while_it_is_open() -> None:
    address, hint = "/rules/rive/course/middle", "Which cell touches all others?"
    asked = {query: Client().get(f"{address}?{query}").content.decode() for query in ("", "at=a1", "at=b2")}
    assert [hint in page for page in asked.values()] == [True, False, False]
