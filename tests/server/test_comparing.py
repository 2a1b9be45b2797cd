"""People's rated games beside level 10: in the background, each once; and what staff see of it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from kakomi import catalog
from kakomi.contest import Rating
from kakomi.core.i18n import lazy_message
from kakomi.search import Line, Report
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.configuration import configuration
from kakomi.server.engines import EnginePoolError
from kakomi.server.moderation import comparing, expected_agreement
from kakomi.server.moderation.compared import compared_games
from kakomi.server.moderation.expected_agreement import AgreementCurve, Share, board_of, curve_of, fitted
from kakomi.server.moderation.findings import look_through
from kakomi.server.moderation.models import Case, Comparison, Finding
from kakomi.server.people.erasure import erase
from kakomi.server.ratings import models as ratings
from kakomi.server.ratings.jobs import rate_results
from kakomi.server.tables import services
from kakomi.server.tables.models import Table
from kakomi.session.time_control import DAY
from kakomi.study.agreement import limits_of
from server.rated_games import at_moment, begin_rated, make_people, resign, write_result
from server.staff import at_work, make_staff

pytestmark = pytest.mark.django_db(transaction=True)
NOW = 1_800_000_000.0
FLAT = AgreementCurve((1000.0, 2000.0), (Share(0.4, 0.0), Share(0.4, 0.0)))


@dataclass
class Engines:
    """Stands in for a pool: level 10 plays the first legal action, and another one comes into question."""

    busy: int = 0
    waiting: int = 0
    asked: int = 0
    most: int = 10_000
    part: float = 1.0
    """The part of the search that is made."""

    async def analyse(
        self, game: str, options: dict[str, int], actions: list[str], **limits: object
    ) -> AsyncIterator[Report]:
        if self.asked >= self.most:
            raise EnginePoolError(lazy_message("an engine ended with exit code {number}", number=1))
        self.asked += 1
        found = catalog.game(game, **options)
        position = found.start()
        for text in actions:
            position = position.play(text)
        simulations = int((limits_of(found).simulations or 0) * self.part)
        lines = [Line(int(each), 1000, (0.0, 0.0)) for each in position.legal_actions()[:1]]
        lines.append(Line(int(position.legal_actions()[-1]), 900, _less(position.to_move)))
        yield Report(position.to_move, simulations, 1.0, (0.0, 0.0), tuple(lines))


def _less(player: int) -> tuple[float, float]:
    return (-0.1, 0.1) if player == 0 else (0.1, -0.1)


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Engines:
    stub = Engines()
    allowed = replace(configuration(), agreement_minutes=1.0)
    monkeypatch.setattr(comparing, "configuration", lambda: allowed)
    monkeypatch.setattr(comparing, "shared_pool", lambda: stub)
    monkeypatch.setattr(comparing, "is_idle", lambda engines: not engines.busy)
    monkeypatch.setattr(comparing, "RUN_SECONDS", 1e9)
    monkeypatch.setattr(comparing, "curve_of", lambda board: FLAT)
    monkeypatch.setattr(comparing, "measured_pools", lambda: {("rive", "standard")})
    return stub


def played(first: Guest, second: Guest, plies: int = 20) -> Table:
    """A rated game in which the first one plays what level 10 does, the other doesn’t."""
    row = begin_rated([first, second], "rive", size=4)
    position = catalog.game("rive", size=4).start()
    while position.ply < plies:
        own, legal = position.to_move, position.legal()
        text = legal[0] if own == 0 else legal[len(legal) // 2]
        row.refresh_from_db()
        services.add(row.code, [("play", text)], seat=own, base=row.entries, key=f"p{position.ply}")
        position = position.play(text)
    return resign(row, 1)


def comparisons() -> dict[str, Comparison]:
    return {row.entrant.guest.name: row for row in Comparison.objects.select_related("entrant__guest")}


def test_a_game_is_compared_for_both_who_played_it(engines: Engines) -> None:
    ann, bob = make_people(2)
    played(ann, bob)
    rate_results()
    comparing.compare_games()
    found = comparisons()
    assert set(found) == {ann.name, bob.name} and all(row.is_done for row in found.values())
    one, other = found[ann.name], found[bob.name]
    assert one.agreed == one.turns == one.asked > 3 and other.agreed == 0 and other.turns == other.asked > 3
    assert (
        one.expected == pytest.approx(0.4 * one.turns)
        and one.seconds == one.asked == engines.asked - other.asked
    )
    comparing.compare_games()
    assert engines.asked == one.asked + other.asked  # each once


def test_nothing_is_compared_while_it_is_off_or_others_need_the_engines(
    engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(*make_people(2))
    rate_results()
    engines.busy = 1
    comparing.compare_games()
    monkeypatch.setattr(comparing, "configuration", lambda: replace(configuration(), agreement_minutes=0.0))
    engines.busy = 0
    comparing.compare_games()
    assert engines.asked == 0 and not Comparison.objects.exists()


def test_a_day_has_so_many_minutes(engines: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "configuration", lambda: replace(configuration(), agreement_minutes=0.05))
    played(*make_people(2))
    rate_results()
    for _ in range(3):
        comparing.compare_games()
    assert engines.asked == 3  # of a second each
    with at_moment(clock.now() + DAY + 1):
        comparing.compare_games()
    assert engines.asked == 4  # what the game took before counts for the day on which it is gone on with


def test_another_process_goes_on_where_one_was_killed(engines: Engines) -> None:
    played(*make_people(2))
    rate_results()
    engines.most = 3
    comparing.compare_games()  # the engine dies, and with it the claim stays
    row = Comparison.objects.get()
    assert (row.asked, row.is_done) == (3, False)
    engines.most = 10_000
    with at_moment(clock.now() + comparing.LEASE + 1):
        comparing.compare_games()
    found = Comparison.objects.order_by("pk")
    assert [each.is_done for each in found] == [True, True]
    assert engines.asked == sum(each.asked for each in found)


def test_a_game_that_always_fails_is_left(engines: Engines) -> None:
    played(*make_people(2))
    rate_results()
    engines.most = 2
    for _ in range(comparing.MOST_ATTEMPTS + 2):
        with at_moment(clock.now() + comparing.LEASE + 1):
            comparing.compare_games()
        Comparison.objects.filter(is_done=False).update(claimed_until=0.0)
    assert Comparison.objects.filter(is_done=True, asked=2).exists()


def test_a_search_that_others_cut_short_counts_for_nothing(engines: Engines) -> None:
    played(*make_people(2))
    rate_results()
    engines.part = 0.5
    comparing.compare_games()
    row = Comparison.objects.get()
    assert (row.asked, row.turns, row.attempts, row.is_done) == (0, 0, 0, False)


def test_two_processes_never_have_the_same_game(engines: Engines) -> None:
    played(*make_people(2))
    rate_results()
    claimed = [comparing.claim() for _ in range(3)]
    assert claimed[2] is None and len({row.pk for row in claimed if row}) == 2


def test_programs_that_say_so_and_erased_people_are_left_out(engines: Engines) -> None:
    ann, bob = make_people(2)
    Guest.objects.filter(pk=bob.pk).update(is_bot=True)
    played(ann, bob)
    rate_results()
    comparing.compare_games()
    assert set(comparisons()) == {ann.name}
    erase(ann)
    assert not Comparison.objects.exists()
    comparing.compare_games()
    assert not Comparison.objects.exists()


def test_boards_that_were_not_measured_are_passed_over(
    engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "curve_of", lambda board: None)
    played(*make_people(2))
    rate_results()
    comparing.compare_games()
    assert engines.asked == 0
    assert list(Comparison.objects.values_list("turns", "is_done")) == [(0, True)] * 2


def compared(pool: ratings.Pool, guest: Guest, other: Guest, agreed: int, games: int) -> None:
    """Games that were compared with level 10: 20 turns, of which the rating explains 8."""
    for number in range(games):
        result = write_result(pool, NOW - 9000 + number, [(guest, 1), (other, 2)])
        entrant = result.entrants.get(guest=guest)
        Comparison.objects.create(
            entrant=entrant, asked=20, agreed=agreed, turns=20, expected=8.0, is_done=True, at=NOW
        )


@pytest.fixture
def pool() -> ratings.Pool:
    return ratings.Pool.objects.create(game="rive", size_class="standard", pace="live")


def look() -> None:
    with at_moment(NOW):
        rate_results()
        look_through()


def test_who_agrees_far_more_than_their_rating_explains_comes_into_the_queue(pool: ratings.Pool) -> None:
    ann, bob, cleo = make_people(3)
    compared(pool, ann, cleo, 19, 12)
    compared(pool, bob, cleo, 9, 12)
    look()
    found = Finding.objects.get(kind="agreement")
    assert (found.case.about, found.count, found.of, found.expected) == (ann, 228, 240, 96.0)
    assert found.surprise >= 14 and len(found.tables) == 10
    page = at_work(make_staff("staff", "moderate")).get(f"/moderation/case/{found.case.pk}").content.decode()
    assert "228 of 240 turns" in page and "no verdict" in page and "95 % interval" in page
    assert all(f"/table/{each.code}" in page for each in compared_games(ann, NOW - 10_000))


def test_few_games_are_shown_in_a_case_and_bring_nobody_into_the_queue(pool: ratings.Pool) -> None:
    ann, bob = make_people(2)
    compared(pool, ann, bob, 20, 3)
    look()
    assert not Finding.objects.exists()
    case = Case.objects.create(about=ann, opened_at=NOW)
    page = at_work(make_staff("staff", "moderate")).get(f"/moderation/case/{case.pk}").content.decode()
    assert "60 of 60 turns" in page and "So few games say nothing" in page


def test_what_was_before_a_closed_case_and_what_is_annulled_is_done_with(pool: ratings.Pool) -> None:
    ann, bob, cleo = make_people(3)
    compared(pool, ann, cleo, 19, 12)
    compared(pool, bob, cleo, 19, 12)
    Case.objects.create(about=ann, opened_at=NOW - 20_000, closed_at=NOW - 100)
    ratings.Result.objects.filter(entrants__guest=bob).update(is_annulled=True)
    look()
    assert not Finding.objects.filter(kind="agreement").exists()


def test_the_curve_never_falls_and_errs_on_the_side_of_the_person() -> None:
    levels = catalog.describe("rive")
    counts = {str(level): [(level, 20), (level + 2, 20)] for level in range(1, 11)}
    counts["5"] = [(1, 20), (1, 20)]
    curve = fitted(counts, levels)
    values = [share.value for share in curve.shares]
    assert values == sorted(values) and len(set(values)) < 10
    assert all(share.most >= share.value for share in curve.shares)
    known, unsure = Rating(1500, 60), Rating(1500, 500)
    assert values[0] < curve.most(known) < curve.most(unsure) <= 1
    assert curve.most(Rating(5000, 0)) == curve.shares[-1].most
    assert curve.most(Rating(-5000, 0)) == curve.shares[0].most


def test_what_was_measured_says_what_it_says_of_all_levels() -> None:
    boards = expected_agreement.read_counts()
    assert boards and {name for name, _ in expected_agreement.measured_pools()} == {
        b.split()[0] for b in boards
    }
    for board, counts in boards.items():
        assert set(counts) == {str(level) for level in range(1, 11)}
        assert all(0 <= agreed <= turns for games in counts.values() for agreed, turns in games)
        curve = curve_of(board)
        assert curve and curve.shares[-1].value > curve.shares[0].value + 0.2
        assert list(curve.ratings) == sorted(curve.ratings)
    assert curve_of("rive size=6") is None
    assert board_of(catalog.game("lin", size=9, line=6, komi=4)) == board_of(
        catalog.game("lin", size=9, line=6)
    )
