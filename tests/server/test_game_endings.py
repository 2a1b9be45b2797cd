"""The end of a game: the result and what made it up, turning points, and trying one of them again."""

import asyncio
import re
from html import unescape
from typing import Any

import pytest
from django.test import AsyncClient

from kakomi import catalog
from kakomi.analysis import analyse
from kakomi.analysis.analysis import Question
from kakomi.records import game_of, recorded
from kakomi.search import Line, Report
from kakomi.server.analysis import selectors, try_again
from kakomi.server.analysis.game_analysis import EFFORT, StoredAnswers
from kakomi.server.analysis.live_analysis import LiveAnalysis
from kakomi.server.analysis.models import GameAnalysis, Study
from kakomi.server.analysis.try_again import verdict_on
from kakomi.server.ratings.jobs import rate_results
from kakomi.server.tables import jobs, models, services
from kakomi.server.tables.services import Sitter
from kakomi.session import TimeControl
from server.people import make_user, signed_in
from server.rated_games import at_moment, begin_rated, resign
from server.table_client import PART, Person, now, opened

pytestmark = pytest.mark.django_db
BOT = Sitter(bot="1", name="level 1")


def play(row: models.Table, *turns: str) -> models.Table:
    """Play turns, each by the seat to act."""
    for turn in turns:
        table = now(row)
        deeds = [("resign", None)] if turn == "resign" else [("play", action) for action in turn.split()]
        services.add(row.code, deeds, seat=table.to_act, base=row.entries, key=f"p{row.entries}")
    now(row)
    return row


def ending(page: str) -> str:
    """The text of the result panel."""
    panel = page[page.index('<section class="ending"') :]
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(panel[: panel.index("</section>")])).split())


def test_the_result_is_told_in_the_terms_of_the_game() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="ren", size=4)
    play(row, "a1", "a4", "b1", "b4", "c1", "c4", "d1", "pass", "pass")
    said = ending(ann.look(row))
    assert said.startswith("You win. 1 : 0 You : 1 row of four Level 1 ")
    assert "Black takes the lead for good on move 7 with d1: 1 row of four." in said
    assert said.count("Rematch") == said.count("Next game") == said.count("Analyse") == 1


def test_a_resignation_a_draw_and_an_aborted_game_say_how_they_ended() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = play(opened(ann, bob, game="ren", size=4), "a1", "resign")
    assert "You win. 0 : 0" in ending(ann.look(row)) and "Bob resigned." in ending(ann.look(row))
    assert "Ann wins." in ending(bob.look(row)) and "You resigned." in ending(bob.look(row))
    row = play(opened(ann, bob, game="ren", size=4), "a1", "b1")
    services.add(row.code, [("offer", "draw")], seat=0, base=row.entries, key="o")
    services.add(now(row) and row.code, [("accept", None)], seat=1, base=row.entries, key="a")
    assert "A draw. 0 : 0" in ending(ann.look(row)) and "Draw by agreement." in ending(ann.look(row))
    row = opened(ann, bob, game="ren", size=4)
    services.add(row.code, [("abort", "stopped")], seat=0, base=row.entries, key="s")
    said = ending(bob.look(now(row) and row))
    assert said == "No result. Ann aborted the game. Rematch New game"


def test_a_loss_on_time_does_not_say_that_the_other_was_ahead() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = play(opened(ann, bob, size=4, control=TimeControl(60, 0)), "0,0", "1,1 2,2")
    with at_moment(now(row).at + 1000):
        jobs.settle_due()
        said = ending(ann.look(row))
    assert "You ran out of time." in said and "ahead" not in said


def test_a_rated_game_shows_how_the_ratings_change() -> None:
    ada, bo = make_user("ada"), make_user("bo")
    rows = [resign(begin_rated([ada.guest, bo.guest]), 1) for _ in range(6)]
    rate_results()
    first, last = (signed_in(ada).get(f"/table/{row.code}").content.decode() for row in (rows[0], rows[-1]))
    assert "Rating" not in ending(first), "ratings appear after five games"
    assert re.search(r"You Rating 1\d+\? \(\+\d+\) Bo Rating \d+\? \(−\d+\)", ending(last))


def test_a_match_shows_its_points_and_leaves_games_to_their_own_panel() -> None:
    ann = Person("Ann")
    row = play(opened(ann, BOT, game="ren", size=4, legs=2), *["a1", "a4", "pass", "pass"] * 2)
    assert now(row).is_over
    assert ending(ann.look(row)).startswith("A draw. 0 : 0 ")


def test_the_coach_is_gone_at_the_end() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="ren", size=4)
    assert 'id="coach-on"' in ann.look(row)
    assert 'id="coach-on"' not in ann.look(play(row, "resign"))


class Canned(StoredAnswers):
    """Prepared answers: a position is even unless (3,3) was played, which gives the game away."""

    def known(self, question: Question) -> Report:
        """What an engine would report."""
        game, position = question.position.game, question.position
        first = 0.05 if "3,3" in self.texts(question) else 0.5
        action = game.action(next(text for text in position.legal() if text != "3,3"))
        returns = (2 * first - 1, 1 - 2 * first)
        report = Report(
            position.to_move, 5_000, 0.1, returns, (Line(action, 5_000, returns, principal=(action,)),)
        )
        self.stored[self.key(question)] = report.to_json(game, most=1)
        return report


def analysed(ann: Person) -> Study:
    """A study of a game in which Black gave the game away at (3,3), whose analysis is complete."""
    row = play(opened(ann, BOT, size=4), "0,0", "1,1 2,2", "3,3 1,2", "2,1 1,3", "resign")
    ann.client.post(f"/analysis/table/{row.code}", {"do": "start"})
    study, stored = Study.objects.get(), GameAnalysis.objects.get()
    record = selectors.read_record(stored.record)
    game = game_of(record, catalog.game)
    analyse(record, game, EFFORT, searches=Canned(game, stored.answers))
    stored.state = GameAnalysis.State.DONE
    stored.save()
    return study


def attempted(ann: Person, study: Study, headers: dict[str, str] | None = PART, **asked: str) -> str:
    """The board on which the mistake is tried again; without `headers` its whole page."""

    async def scenario() -> Any:
        client = AsyncClient()
        client.cookies = ann.client.cookies
        return await client.get(f"/analysis/study/{study.code}/try/3", asked, headers=headers)

    answer = asyncio.run(scenario())
    assert answer.status_code == 200
    return unescape(answer.content.decode())


class Engines:
    """A pool that finds 30 % for Black everywhere."""

    size = 2

    async def analyse(self, game: str, options: dict[str, int], actions: Any, **_: object) -> Any:
        position = catalog.game(game, **options).start()
        for action in actions:
            position = position.play(action)
        line = Line(position.legal_actions()[0], 5_000, (-0.4, 0.4), principal=(position.legal_actions()[0],))
        yield Report(position.to_move, 5_000, 0.1, (-0.4, 0.4), (line,))


@pytest.mark.django_db(transaction=True)
def test_a_turning_point_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(try_again, "shared_live_analysis", lambda: LiveAnalysis(Engines))
    ann = Person("Ann")
    study = analysed(ann)
    page = unescape(ann.client.get(f"/analysis/study/{study.code}").content.decode())
    assert f'href="/analysis/study/{study.code}/try/3">Try again</a>' in page
    assert "Show the better move</summary> 0,1 0,2" in page
    assert "Find a better move for Black." in attempted(ann, study, headers=None)
    first = attempted(ann, study)
    assert "is-open" in first and "alert" not in first
    assert "3,3 was played in the game. Try another move." in attempted(ann, study, at="3,3")
    assert "1,1 can't be played" in attempted(ann, study, at="1,1")
    worse = attempted(ann, study, at="3,0")
    assert "3,0 is better: 30 % instead of 5 %. But there is a stronger move." in worse and "is-open" in worse
    asked = attempted(ann, study, at="3,1", engine="")
    assert '"player": 0' in asked and "alert" not in asked and "is-open" in asked
    here = attempted(ann, study, at="3,1", engine="300")
    assert "3,1 is better: 30 % instead of 5 %." in here and "data-question" not in here
    right = attempted(ann, study, at="0,1")
    assert "Right, 0,1 is better" in right and "is-open" not in right
    shown = attempted(ann, study, show="1")
    assert "The better move was 0,1 0,2." in shown and "is-open" not in shown
    assert ann.client.get(f"/analysis/study/{study.code}/try/99").status_code == 404


def test_a_move_is_judged_by_the_chance_that_it_leaves() -> None:
    game = catalog.game("rin", size=4)
    record = recorded(game, ["0,0", "1,1", "2,2", "3,3"])
    (move,) = analyse(record, game, EFFORT, searches=Canned(game, {})).highlights
    best = [verdict_on(move, game.action(text), chance) for text, chance in (("3,3", 0.9), ("0,1", 0.1))]
    assert best == ["same", "best"], "the best move is right, however another search judges it"
    judged = [verdict_on(move, game.action("3,0"), chance) for chance in (0.06, 0.3, 0.47)]
    assert judged == ["worse", "better", "best"]
