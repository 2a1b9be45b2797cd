"""The puzzle pages: three puzzles a day, matched to the person's strength, each answered once."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.test import Client

from kakomi.core import IllegalAction
from kakomi.puzzles import Puzzle, is_whole_turn, played, turns_of
from kakomi.server.accounts import services as accounts
from kakomi.server.accounts.models import Guest
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.server.puzzles import collection
from kakomi.server.puzzles.collection import PUZZLES_PER_DAY, all_puzzles, difficulty
from kakomi.server.puzzles.models import Attempt
from kakomi.server.puzzles.presenters import turns_in
from kakomi.server.puzzles.selectors import Score, puzzles_for, score_of, today
from kakomi.server.puzzles.services import answer
from kakomi.server.ratings.models import CurrentRating, Pool
from kakomi.server.site import clock
from kakomi.server.tables.models import Table
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
    return puzzles_for(None, DAY)[0]


def wrong_turn(puzzle: Puzzle) -> str:
    begun = puzzle.shown()
    turns = turns_of(begun, 1000) or []
    return next(" ".join(turn.actions) for turn in turns if not puzzle.is_right(begun, turn.after))


def text(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers or None)
    assert response.status_code == 200, response.content
    return response.content.decode()


def test_no_puzzles_are_no_failure(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setattr(collection, "all_puzzles", dict)
    assert "No puzzles for these games yet." in text(client, "/puzzles/")


def test_the_day_is_that_of_the_sites_clock(client: Client) -> None:
    assert today() == DAY
    page = text(client, "/puzzles/")
    assert "Puzzles of the day" in page and "No puzzles solved yet" in page
    for puzzle in puzzles_for(None, DAY):
        assert f'href="/puzzles/{puzzle.name}"' in page
    assert "Next day" not in page
    before = text(client, "/puzzles/?day=2026-11-24")
    assert "Nov. 24, 2026" in before and "Next day" in before
    first = text(client, "/puzzles/?day=2026-11-18")
    assert "Previous day" in before and "Previous day" not in first
    assert not Guest.objects.exists(), "reading makes nobody a guest"


@pytest.mark.parametrize("day", ["2026-11-26", "2026-11-17", "1999-01-01", "yesterday", "2026-02-30"])
def test_a_day_that_has_not_come_or_is_long_past_has_none(client: Client, day: str) -> None:
    assert client.get(f"/puzzles/?day={day}").status_code == 404


def longest_of_each_game() -> list[Puzzle]:
    """For each game, the puzzle whose first answer has the most actions."""
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
    assert "Submit" in page and "is-open" not in page
    assert not Attempt.objects.exists(), "what was played is no answer yet"
    response = client.post(address, {"played": puzzle.answers[0]})
    assert (response.status_code, response["Location"]) == (302, address)
    page = text(client, address)
    assert f"{puzzle.answers[0]} wins." in page and "Solution" in page and "Analyse position" in page


def test_what_is_solved_is_marked(client: Client) -> None:
    client.post(f"/puzzles/{a_puzzle().name}", {"played": a_puzzle().answers[0]})
    page = text(client, "/puzzles/")
    assert "✓ solved" in page and "1 puzzle played, 1 solved" in page


def test_all_games_are_drawn(client: Client) -> None:
    days = [text(client, f"/puzzles/?day={DAY - timedelta(days=back)}") for back in range(7)]
    shown = {puzzle.game for back in range(7) for puzzle in puzzles_for(None, DAY - timedelta(days=back))}
    assert len(shown) >= 4
    assert all(page.count("<svg") >= PUZZLES_PER_DAY for page in days)


def test_after_a_wrong_answer_one_tries_again_or_asks_for_the_solution(client: Client) -> None:
    puzzle = a_puzzle()
    address = f"/puzzles/{puzzle.name}"
    client.post(address, {"played": wrong_turn(puzzle)})
    page = text(client, address)
    assert "Not quite" in page and "Try again" in page and "The winning move was" not in page
    page = text(client, f"{address}?step=1")
    assert f"The winning move was {puzzle.answers[0]}" in page and "Solution" in page
    assert "failed" in text(client, "/puzzles/")


def test_another_try_is_judged_and_counts_for_nothing(client: Client) -> None:
    puzzle = a_puzzle()
    address = f"/puzzles/{puzzle.name}"
    client.post(address, {"played": wrong_turn(puzzle)})
    page = text(client, f"{address}?again=1")
    assert "is-open" in page and 'name="again"' in page and "Not quite" not in page
    right = client.post(address, {"played": puzzle.answers[0]})["Location"]
    page = text(client, right)
    assert f"{puzzle.answers[0]} wins." in page and "Solution" in page
    assert not Attempt.objects.get().is_right and "1 puzzle played, 0 solved" in text(client, "/puzzles/")


def test_before_an_answer_counts_there_is_no_other_try(client: Client) -> None:
    puzzle = a_puzzle()
    page = text(client, f"/puzzles/{puzzle.name}?tried={puzzle.answers[0].replace(' ', '+')}")
    assert "Solution" not in page and "wins." not in page


@pytest.mark.parametrize("puzzle", longest_of_each_game(), ids=lambda puzzle: puzzle.game)
def test_a_puzzle_is_played_out_against_the_level_that_missed_it(client: Client, puzzle: Puzzle) -> None:
    client.post(f"/puzzles/{puzzle.name}", {"played": puzzle.answers[0]})
    form = text(client, f"/puzzles/{puzzle.name}").partition('id="play-on"')[2].partition("</form>")[0]
    fields = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    assert client.post(f"/play/{puzzle.game}", fields).status_code == 302
    row = Table.objects.get()
    assert row.begun["terms"]["position"] == str(puzzle.shown()) and not row.is_rated
    assert [seat.bot for seat in row.seats.order_by("number")][1 - puzzle.seat] == str(puzzle.level)


def test_before_the_answer_nothing_tells_it(client: Client) -> None:
    puzzle = a_puzzle()
    for address in ("", "?step=1", f"?played={puzzle.answers[0].replace(' ', '+')}"):
        assert "Solution" not in text(client, f"/puzzles/{puzzle.name}{address}")


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
    (link,) = re.findall(r'href="(/analysis/position/[^"]+)">Analyse position', page)
    assert str(puzzle.begin()) in text(client, link.replace("&amp;", "&"))


def test_an_attempt_counts_once(client: Client) -> None:
    puzzle = a_puzzle()
    for turn in (wrong_turn(puzzle), puzzle.answers[0], wrong_turn(puzzle)):
        client.post(f"/puzzles/{puzzle.name}", {"played": turn})
    (attempt,) = Attempt.objects.all()
    assert not attempt.is_right


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


def test_a_days_puzzles_stay_when_they_are_answered_and_others_come_the_next_day() -> None:
    guest, tomorrow = Guest.objects.create(), DAY + timedelta(days=1)
    chosen = puzzles_for(guest, DAY)
    assert chosen == puzzles_for(None, DAY)
    for puzzle in chosen:
        answer(guest, puzzle, wrong_turn(puzzle))
    assert puzzles_for(guest, DAY) == chosen
    assert not {puzzle.name for puzzle in chosen} & {puzzle.name for puzzle in puzzles_for(guest, tomorrow)}
    assert score_of(guest) == Score(answered=3) and score_of(None) == Score()


def hardest_for(guest: Guest, day: date) -> float:
    return max(map(difficulty, puzzles_for(guest, day)))


def test_who_solves_them_gets_harder_ones_the_next_day() -> None:
    strong, weak = Guest.objects.create(), Guest.objects.create()
    for puzzle in puzzles_for(None, DAY):
        answer(strong, puzzle, puzzle.answers[0])
        answer(weak, puzzle, wrong_turn(puzzle))
    tomorrow = DAY + timedelta(days=1)
    assert puzzles_for(strong, DAY) == puzzles_for(weak, DAY)
    assert min(map(difficulty, puzzles_for(strong, tomorrow))) > hardest_for(weak, tomorrow)


def test_a_rating_in_games_says_it_once_it_is_certain() -> None:
    guest = make_user("ada").guest
    newcomer = puzzles_for(None, DAY)
    live, days = (Pool.objects.create(game="rin", size_class="small", pace=pace) for pace in ("live", "days"))
    row = CurrentRating.objects.create(pool=live, guest=guest, mean=2500.0, sigma=150.0, games=4, at=NOON)
    assert puzzles_for(guest, DAY) == newcomer, "a rating that isn't shown yet says nothing"
    row.games = 5
    row.save()
    assert hardest_for(guest, DAY) > max(map(difficulty, newcomer))
    CurrentRating.objects.create(pool=days, guest=guest, mean=900.0, sigma=50.0, games=30, at=NOON)
    assert puzzles_for(guest, DAY) == newcomer


def test_a_puzzle_that_there_is_no_more_counts_for_nothing() -> None:
    guest = Guest.objects.create()
    guest.puzzle_attempts.create(puzzle="gone", answer="a1", is_right=True, at=1.0)
    assert puzzles_for(guest, DAY) == puzzles_for(None, DAY)


def test_who_signs_up_keeps_what_they_answered() -> None:
    user, left = make_user("ada"), Guest.objects.create()
    first, second, third = puzzles_for(None, DAY)
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


def test_attempts_are_in_the_archive_and_go_with_the_person() -> None:
    user, puzzle = make_user("ada"), a_puzzle()
    answer(user.guest, puzzle, puzzle.answers[0])
    assert b"more/puzzles.attempt.json" in b"".join(archive(user.guest))
    erase(user.guest)
    assert not Attempt.objects.exists()


def test_somebody_with_an_account_answers_as_themselves() -> None:
    user, puzzle = make_user("ada"), a_puzzle()
    signed_in(user).post(f"/puzzles/{puzzle.name}", {"played": puzzle.answers[0]})
    assert Attempt.objects.get().guest == user.guest


def test_a_turn_of_nothing_is_told() -> None:
    with pytest.raises(IllegalAction, match="this move isn’t complete yet"):
        answer(Guest.objects.create(), a_puzzle(), "")


def test_pages_lead_to_puzzles(client: Client) -> None:
    assert 'href="/puzzles/"' in text(client, "/")
    assert 'href="/puzzles/" aria-current="page"' in text(client, "/puzzles/")
