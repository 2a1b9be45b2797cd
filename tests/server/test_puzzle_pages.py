"""Puzzles on the site: three a day, each answered once, and ratings of both sides."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client

from kakomi.contest import FIRST, Rating, Standing
from kakomi.core import IllegalAction
from kakomi.server import clock
from kakomi.server.accounts import services as accounts
from kakomi.server.accounts.models import Guest
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.server.puzzles import collection
from kakomi.server.puzzles.collection import A_DAY, all_puzzles, puzzles_of
from kakomi.server.puzzles.line import turns_in
from kakomi.server.puzzles.models import Attempt, PuzzleRating
from kakomi.server.puzzles.ratings import after_attempt, first_rating
from kakomi.server.puzzles.selectors import standing_of, today
from kakomi.server.puzzles.services import answer
from kakomi.study.puzzles.puzzle import Puzzle, is_whole_turn, played
from kakomi.study.puzzles.turns import turns_of
from server.people import make_user, signed_in

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
DAY = date(2026, 11, 25)
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC).timestamp()


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with clock.time_from(lambda: NOON):
        yield


def a_puzzle() -> Puzzle:
    return puzzles_of(DAY)[0]


def wrong_turn(puzzle: Puzzle) -> str:
    begun = puzzle.shown()
    turns = turns_of(begun, 1000) or []
    return next(" ".join(turn.actions) for turn in turns if not puzzle.is_right(begun, turn.after))


def text(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers or None)
    assert response.status_code == 200, response.content
    return response.content.decode()


def test_a_day_has_three_and_its_date_says_which() -> None:
    chosen = puzzles_of(DAY)
    assert len({puzzle.name for puzzle in chosen}) == A_DAY
    assert chosen == puzzles_of(DAY) != puzzles_of(DAY + timedelta(days=1))
    assert len({puzzle.game for puzzle in chosen}) == A_DAY


def test_none_comes_again_before_all_of_its_game_have_come() -> None:
    seen: dict[str, list[str]] = {}
    for number in range(400):
        for puzzle in puzzles_of(DAY + timedelta(days=number)):
            seen.setdefault(puzzle.game, []).append(puzzle.name)
    for game, names in seen.items():
        count = sum(puzzle.game == game for puzzle in all_puzzles().values())
        gaps = [place - names.index(name) for place, name in enumerate(names) if place > names.index(name)]
        assert set(names) == {puzzle.name for puzzle in all_puzzles().values() if puzzle.game == game}
        assert len(names) > count and min(gaps) >= 1


def test_few_puzzles_are_no_failure(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    one = a_puzzle()
    monkeypatch.setattr(collection, "all_puzzles", lambda: {one.name: one})
    assert puzzles_of(DAY) == [one]
    monkeypatch.setattr(collection, "all_puzzles", dict)
    assert puzzles_of(DAY) == []
    assert "The games of this site have no puzzles." in text(client, "/puzzles/")


def test_the_day_is_that_of_the_sites_clock(client: Client) -> None:
    assert today() == DAY
    page = text(client, "/puzzles/")
    assert "Puzzles of the day" in page and "You have answered none yet" in page
    for puzzle in puzzles_of(DAY):
        assert f'href="/puzzles/{puzzle.name}"' in page
    assert "The day after" not in page
    before = text(client, "/puzzles/?day=2026-11-24")
    assert "Nov. 24, 2026" in before and "The day after" in before
    first = text(client, "/puzzles/?day=2026-11-18")
    assert "The day before" in before and "The day before" not in first
    assert not Guest.objects.exists(), "reading makes nobody a guest"


@pytest.mark.parametrize("day", ["2026-11-26", "2026-11-17", "1999-01-01", "yesterday", "2026-02-30"])
def test_a_day_that_has_not_come_or_is_long_past_has_none(client: Client, day: str) -> None:
    assert client.get(f"/puzzles/?day={day}").status_code == 404


def longest_of_each_game() -> list[Puzzle]:
    """The puzzle of each game whose first answer has most actions."""
    longest: dict[str, Puzzle] = {}
    for puzzle in sorted(all_puzzles().values(), key=lambda puzzle: len(puzzle.answers[0].split())):
        longest[puzzle.game] = puzzle
    return list(longest.values())


@pytest.mark.parametrize("puzzle", longest_of_each_game(), ids=lambda puzzle: puzzle.game)
def test_a_turn_is_played_and_answered(client: Client, puzzle: Puzzle) -> None:
    address, actions = f"/puzzles/{puzzle.name}", puzzle.answers[0].split()
    assert "is-open" in text(client, address)
    so_far: list[str] = []
    for action in actions:
        page = text(client, f"{address}?played={'+'.join(so_far)}&at={action}", **HTMX)
        so_far.append(action)
        assert f'name="played" value="{" ".join(so_far)}"' in page
    assert "This is my answer" in page and "is-open" not in page
    assert not Attempt.objects.exists(), "what was played is no answer yet"
    response = client.post(address, {"played": puzzle.answers[0]})
    assert (response.status_code, response["Location"]) == (302, address)
    page = text(client, address)
    assert f"{puzzle.answers[0]} wins." in page and "How it wins" in page and "Study this position" in page


def test_what_is_solved_is_marked(client: Client) -> None:
    client.post(f"/puzzles/{a_puzzle().name}", {"played": a_puzzle().answers[0]})
    assert "✓ solved" in text(client, "/puzzles/")


def test_all_games_take_their_turns_and_are_drawn(client: Client) -> None:
    games = {puzzle.game for puzzle in all_puzzles().values()}
    days = [text(client, f"/puzzles/?day={DAY - timedelta(days=back)}") for back in range(7)]
    shown = {puzzle.game for back in range(7) for puzzle in puzzles_of(DAY - timedelta(days=back))}
    assert shown == games and len(games) >= 5
    assert all(page.count("<svg") >= A_DAY for page in days)


def test_a_wrong_answer_is_told_with_the_right_one(client: Client) -> None:
    puzzle = a_puzzle()
    client.post(f"/puzzles/{puzzle.name}", {"played": wrong_turn(puzzle)})
    page = text(client, f"/puzzles/{puzzle.name}")
    assert "Not quite" in page and f"What wins is {puzzle.answers[0]}" in page
    assert "missed" in text(client, "/puzzles/")


def test_before_the_answer_nothing_tells_it(client: Client) -> None:
    puzzle = a_puzzle()
    for address in ("", "?step=1", f"?played={puzzle.answers[0].replace(' ', '+')}"):
        assert "How it wins" not in text(client, f"/puzzles/{puzzle.name}{address}")


def test_the_line_is_stepped_through(client: Client) -> None:
    puzzle = a_puzzle()
    client.post(f"/puzzles/{puzzle.name}", {"played": puzzle.answers[0]})
    turns = turns_in(puzzle.shown(), puzzle.line)
    assert " ".join(turn.text for turn in turns) == puzzle.line
    assert turns[0].seat == puzzle.seat and turns[-1].after == played(puzzle.shown(), puzzle.line)
    for step in (0, 1, len(turns), 999, "x"):
        page = text(client, f"/puzzles/{puzzle.name}?step={step}")
        shown = min(step, len(turns)) if isinstance(step, int) else 1
        assert re.search(rf'href="\?step={shown}" aria-current="step"', page)


@pytest.mark.parametrize("puzzle", longest_of_each_game(), ids=lambda puzzle: puzzle.game)
def test_the_study_has_the_position(client: Client, puzzle: Puzzle) -> None:
    client.post(f"/puzzles/{puzzle.name}", {"played": puzzle.answers[0]})
    page = text(client, f"/puzzles/{puzzle.name}")
    (link,) = re.findall(r'href="(/analysis/position/[^"]+)">Study this position', page)
    assert str(puzzle.begin()) in text(client, link.replace("&amp;", "&"))


def test_an_attempt_counts_once(client: Client) -> None:
    puzzle = a_puzzle()
    for turn in (wrong_turn(puzzle), puzzle.answers[0], wrong_turn(puzzle)):
        client.post(f"/puzzles/{puzzle.name}", {"played": turn})
    (attempt,) = Attempt.objects.all()
    assert not attempt.is_right
    assert PuzzleRating.objects.get().attempts == 1


@pytest.mark.parametrize("turn", ["", "z99", "half"])
def test_what_is_no_turn_is_refused_and_counts_for_nothing(client: Client, turn: str) -> None:
    puzzle = next(puzzle for puzzle in all_puzzles().values() if " " in puzzle.answers[0])
    given = puzzle.answers[0].split()[0] if turn == "half" else turn
    begun = puzzle.shown()
    if turn == "half":
        assert not is_whole_turn(begun, played(begun, given))
    response = client.post(f"/puzzles/{puzzle.name}", {"played": given})
    assert response.status_code == 400 and response.content
    assert not Attempt.objects.exists()


def test_what_cannot_be_played_is_said_beside_the_board(client: Client) -> None:
    puzzle = next(puzzle for puzzle in all_puzzles().values() if puzzle.shown().stones())
    begun = puzzle.shown()
    taken = next(
        action.target
        for number, action in enumerate(begun.game.actions)
        if action.target in begun.stones()
        and number not in begun.legal_actions()
        and not any(begun.game.actions[legal].target == action.target for legal in begun.legal_actions())
    )
    page = text(client, f"/puzzles/{puzzle.name}?at={taken}", **HTMX)
    assert "can’t be played" in page.replace("&#x27;", "’") or "can't be played" in page
    assert "is-open" in page
    assert client.get("/puzzles/nothing").status_code == 404


def test_right_answers_raise_a_rating_and_lower_that_of_the_puzzle() -> None:
    guest, puzzle = Guest.objects.create(), a_puzzle()
    assert standing_of(guest) is None and standing_of(None) is None
    attempt = answer(guest, puzzle, puzzle.answers[0])
    standing = standing_of(guest)
    assert standing == Standing(attempt.rating, 1, NOON)
    assert standing.rating.mean > FIRST.mean and standing.rating.sigma < FIRST.sigma
    assert PuzzleRating.objects.get().rating.mean < first_rating(puzzle).mean
    other = answer(Guest.objects.create(), puzzle, wrong_turn(puzzle))
    assert other.rating.mean < FIRST.mean
    assert other.puzzle_rating == after_attempt(Standing(), first_rating(puzzle), is_right=True, at=NOON)[1]


def test_a_puzzle_is_first_as_hard_as_the_level_that_misses_it() -> None:
    for puzzle in all_puzzles().values():
        elo = puzzle.found_game.description.levels[puzzle.level - 1].elo
        assert first_rating(puzzle).mean == 1000 + (elo or 0)


def test_time_makes_people_less_certain_and_puzzles_not() -> None:
    year = 365 * 86_400.0
    person = Standing(Rating(1500, 60), 5, NOON)
    soon, puzzle = after_attempt(person, Rating(1500, 100), is_right=True, at=NOON)
    late, same = after_attempt(person, Rating(1500, 100), is_right=True, at=NOON + year)
    assert late.rating.sigma > soon.rating.sigma
    assert abs(same.mean - puzzle.mean) < abs(late.rating.mean - soon.rating.mean)


def test_who_signs_up_keeps_what_they_answered() -> None:
    user, left = make_user("ada"), Guest.objects.create()
    first, second, third = puzzles_of(DAY)
    answer(user.guest, first, first.answers[0])
    answer(left, first, wrong_turn(first))
    answer(left, second, second.answers[0])
    answer(left, third, wrong_turn(third))
    accounts.join_guests(left, user)
    assert not Attempt.objects.filter(guest=left).exists()
    kept = list(Attempt.objects.filter(guest=user.guest))
    assert [(attempt.puzzle, attempt.is_right) for attempt in kept] == [
        (first.name, True),
        (second.name, True),
        (third.name, False),
    ]
    standing = Standing()
    for attempt in kept:
        standing, _ = after_attempt(standing, attempt.puzzle_rating, is_right=attempt.is_right, at=attempt.at)
        assert attempt.rating == standing.rating


def test_attempts_are_in_the_archive_and_go_with_the_person() -> None:
    user, puzzle = make_user("ada"), a_puzzle()
    answer(user.guest, puzzle, puzzle.answers[0])
    assert b"more/puzzles.attempt.json" in b"".join(archive(user.guest))
    erase(user.guest)
    assert not Attempt.objects.exists()
    assert PuzzleRating.objects.get().attempts == 1


def test_somebody_with_an_account_answers_as_themselves() -> None:
    user, puzzle = make_user("ada"), a_puzzle()
    signed_in(user).post(f"/puzzles/{puzzle.name}", {"played": puzzle.answers[0]})
    assert Attempt.objects.get().guest == user.guest


def test_a_turn_of_nothing_is_told() -> None:
    with pytest.raises(IllegalAction, match="not a whole turn"):
        answer(Guest.objects.create(), a_puzzle(), "")


def test_pages_lead_to_puzzles(client: Client) -> None:
    assert 'href="/puzzles/"' in text(client, "/")
    assert 'href="/puzzles/" aria-current="page"' in text(client, "/puzzles/")
