"""The puzzles API: a day's puzzles without solutions, answering one, and a person's own answers."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from kakomi.puzzles import Puzzle, turns_of
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.tokens import make_token
from kakomi.server.puzzles import selectors
from kakomi.server.puzzles.collection import all_puzzles
from kakomi.server.puzzles.models import ANSWER_LENGTH, Attempt
from kakomi.server.puzzles.selectors import puzzles_for
from kakomi.server.puzzles.services import answer
from kakomi.server.site import clock
from server.people import make_user, signed_in
from server.test_api import V1, Program

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 25)
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC).timestamp()


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with clock.time_from(lambda: NOON):
        yield


def a_puzzle() -> Puzzle:
    return puzzles_for(None, DAY)[0]


def wrong_turn(puzzle: Puzzle) -> str:
    begun = puzzle.shown()
    turns = turns_of(begun, 1000) or []
    return next(" ".join(turn.actions) for turn in turns if not puzzle.is_right(begun, turn.after))


def sent(user: User, method: str, path: str, *scopes: str, **fields: Any) -> Any:
    """The response to a request with a new token of the user's."""
    token = make_token(user, f"program {user.tokens.count()}", scopes, 90)[1]
    headers = {"Authorization": f"Bearer {token}"}
    if method == "get":
        return Client().get(V1 + path, headers=headers)
    return Client().post(V1 + path, fields, "application/json", headers=headers)


def test_the_day_is_told_without_its_answers() -> None:
    reply = Client().get(f"{V1}/puzzles")
    day = reply.json()
    chosen = puzzles_for(None, DAY)
    assert (day["day"], day["older"]) == ("2026-11-25", "2026-11-24")
    assert [each["name"] for each in day["puzzles"]] == [puzzle.name for puzzle in chosen]
    for told, puzzle in zip(day["puzzles"], chosen, strict=True):
        assert told["attempt"] is None and told["proof"] is None
        assert told["text"] == puzzle.at and told["winning_turns"] == len(puzzle.answers)
        assert told["position"]["to_move"] == told["seat"] == puzzle.seat
        assert told["position"]["legal"] == puzzle.shown().legal()
        assert puzzle.line not in reply.content.decode()
    assert not Guest.objects.exists(), "reading makes nobody a guest"


def test_days_are_followed_back_to_the_first_that_is_shown() -> None:
    day: str | None = ""
    seen = []
    while day is not None:
        told = Client().get(f"{V1}/puzzles", {"day": day} if day else {}).json()
        seen.append(told["day"])
        day = told["older"]
    assert seen == [(DAY - timedelta(days=back)).isoformat() for back in range(8)]


@pytest.mark.parametrize("day", ["2026-11-26", "2026-11-17", "yesterday", "2026-02-30"])
def test_a_day_that_has_not_come_or_is_long_past_is_missing(day: str) -> None:
    reply = Client().get(f"{V1}/puzzles", {"day": day})
    assert (reply.status_code, reply.json()["code"]) == (404, "missing")
    assert "2026-11-25" in reply.json()["message"]


def test_a_right_answer_is_told_with_its_proof() -> None:
    program, puzzle = Program(), a_puzzle()
    told = program.post(f"/puzzles/{puzzle.name}/answer", turn=f"  {puzzle.answers[0]} ")
    assert told["proof"] == {"answers": list(puzzle.answers), "line": puzzle.line}
    attempt = told["attempt"]
    assert attempt["is_right"] and attempt["turn"] == puzzle.answers[0] and attempt["at"] == NOON
    assert program.get(f"/puzzles/{puzzle.name}") == told
    assert told in program.get("/puzzles")["puzzles"]


def test_the_first_answer_counts_and_is_told_again() -> None:
    program, puzzle = Program(), a_puzzle()
    first = program.post(f"/puzzles/{puzzle.name}/answer", turn=wrong_turn(puzzle))
    assert not first["attempt"]["is_right"] and first["proof"]["answers"] == list(puzzle.answers)
    again = program.post(f"/puzzles/{puzzle.name}/answer", turn=puzzle.answers[0])
    assert again == first
    assert Attempt.objects.count() == 1


def test_what_one_has_answered_another_is_not_told() -> None:
    puzzle = a_puzzle()
    ada, bob = Program(), Program()
    ada.post(f"/puzzles/{puzzle.name}/answer", turn=puzzle.answers[0])
    for told in (bob.get(f"/puzzles/{puzzle.name}"), Client().get(f"{V1}/puzzles/{puzzle.name}").json()):
        assert told["attempt"] is None and told["proof"] is None
    assert bob.get("/puzzles/mine") == {"answered": 0, "solved": 0, "attempts": [], "older": None}
    assert bob.get(f"/puzzles/mine?before={puzzle.name}", 404)["code"] == "missing"


def test_page_and_program_of_a_person_share_the_one_answer() -> None:
    user, puzzle = make_user("ada"), a_puzzle()
    signed_in(user).post(f"/puzzles/{puzzle.name}", {"played": puzzle.answers[0]})
    path = f"/puzzles/{puzzle.name}/answer"
    reply = sent(user, "post", path, "play", turn=wrong_turn(puzzle))
    assert reply.status_code == 200 and reply.json()["attempt"]["turn"] == puzzle.answers[0]


def test_nobody_answers_and_a_token_needs_its_scope() -> None:
    user, puzzle = make_user("ada"), a_puzzle()
    path, turn = f"/puzzles/{puzzle.name}/answer", puzzle.answers[0]
    reply = Client().post(V1 + path, {"turn": turn}, "application/json")
    assert (reply.status_code, reply.json()["code"]) == (401, "who")
    assert Client().get(f"{V1}/puzzles/mine").status_code == 401
    refused = sent(user, "post", path, "read", turn=turn)
    assert (refused.status_code, refused.json()["code"]) == (403, "scope")
    assert sent(user, "get", "/puzzles/mine", "play").status_code == 403
    assert not Attempt.objects.exists()
    assert sent(user, "post", path, "play", turn=turn).status_code == 200
    assert sent(user, "get", "/puzzles/mine", "read").json()["answered"] == 1


def test_a_session_needs_the_token_against_forgery() -> None:
    puzzle = a_puzzle()
    client = Client(enforce_csrf_checks=True)
    client.cookies = signed_in(make_user("ada")).cookies
    reply = client.post(f"{V1}/puzzles/{puzzle.name}/answer", {"turn": puzzle.answers[0]}, "application/json")
    assert (reply.status_code, reply.json()["code"]) == (403, "csrf")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"turn": ""}, "illegal"),
        ({"turn": "z99"}, "illegal"),
        ({}, "malformed"),
        ({"turn": 7}, "malformed"),
        ({"turn": "a" * (ANSWER_LENGTH + 1)}, "malformed"),
        ({"turn": "a1", "puzzle": "x"}, "malformed"),
    ],
)
def test_what_is_no_answer_is_refused_and_counts_for_nothing(fields: dict[str, Any], code: str) -> None:
    reply = Program().post(f"/puzzles/{a_puzzle().name}/answer", 422, **fields)
    assert reply["code"] == code and reply["message"]
    assert not Attempt.objects.exists()


def test_half_a_turn_is_no_answer() -> None:
    puzzle = next(puzzle for puzzle in all_puzzles().values() if " " in puzzle.answers[0])
    half = puzzle.answers[0].split()[0]
    refused = Program().post(f"/puzzles/{puzzle.name}/answer", 422, turn=half)
    assert "this move isn’t complete yet" in refused["message"]


def test_a_puzzle_that_there_is_not_is_missing() -> None:
    program = Program()
    for refused in (program.get("/puzzles/0123456789", 404), program.post("/puzzles/0/answer", 404, turn="")):
        assert refused["code"] == "missing"


def test_the_history_goes_back_page_by_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selectors, "MOST", 2)
    program = Program()
    guest, other = Guest.objects.get(token=program.token), Guest.objects.create()
    chosen = [*puzzles_for(None, DAY), *puzzles_for(None, DAY - timedelta(days=1))][:5]
    for number, puzzle in enumerate(chosen):
        turn = wrong_turn(puzzle) if number % 2 else puzzle.answers[0]
        for person in (other, guest):
            answer(person, puzzle, turn)
    told: list[Any] = []
    place = ""
    while True:
        page = program.get(f"/puzzles/mine?before={place}" if place else "/puzzles/mine")
        told += page["attempts"]
        if page["older"] is None:
            break
        assert len(page["attempts"]) == 2
        place = page["older"]
    assert [each["puzzle"] for each in told] == [puzzle.name for puzzle in reversed(chosen)]
    assert (page["answered"], page["solved"]) == (5, 3)
    assert [each["is_right"] for each in told] == [True, False, True, False, True]
    assert told[1] == program.get(f"/puzzles/{chosen[3].name}")["attempt"]


def test_the_example_of_the_document_is_a_turn_of_some_puzzle() -> None:
    schemas = Client().get(f"{V1}/openapi.json").json()["components"]["schemas"]
    (example,) = schemas["AnswerIn"]["examples"]
    puzzles = [puzzle for puzzle in all_puzzles().values() if puzzle.game == "rin"]
    free = next(
        puzzle for puzzle in puzzles if not {*example["turn"].split()} & puzzle.shown().stones().keys()
    )
    assert Program().post(f"/puzzles/{free.name}/answer", **example)["attempt"]["turn"] == example["turn"]
