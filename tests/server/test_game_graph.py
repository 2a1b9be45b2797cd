"""How a game went, on the page of its table: its chart, and where its player could do better."""

import re
from html import unescape

import pytest
from django.http import HttpResponse

from kakomi import catalog
from kakomi.records import game_of
from kakomi.search import Line, Report
from kakomi.server.analysis import selectors
from kakomi.server.analysis.game_analysis import EFFORT, StoredAnswers
from kakomi.server.analysis.models import Survey
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.study.analysis import analyse
from kakomi.study.analysis.analysis import Question
from server.table_client import PART, Person, now, opened

pytestmark = pytest.mark.django_db
BOT = Sitter(bot="1", name="level 1")


class Canned(StoredAnswers):
    """A position is even, unless (3,3) was played: that gives the game away."""

    def known(self, question: Question) -> Report:
        """What an engine would answer."""
        game, position = question.position.game, question.position
        first = 0.05 if "3,3" in self.texts(question) else 0.5
        action = game.action(next(text for text in position.legal() if text != "3,3"))
        returns = (2 * first - 1, 1 - 2 * first)
        line = Line(action, 5_000, returns, principal=(action,))
        report = Report(position.to_move, 5_000, 0.1, returns, (line,))
        self.kept[self.key(question)] = report.to_json(game, most=1)
        return report


def played(*sitters: Person | Sitter) -> models.Table:
    """A game of Rin in which the first player gives it away and resigns."""
    row = opened(*sitters, size=4)
    for turn in ("0,0", "1,1 2,2", "3,3 1,2", "2,1 1,3", "resign"):
        deeds = [("resign", None)] if turn == "resign" else [("play", action) for action in turn.split()]
        services.add(row.code, deeds, seat=now(row).to_act, base=row.entries, key=f"p{row.entries}")
    now(row)
    return row


def ask(person: Person, row: models.Table, *, begin: bool = True) -> HttpResponse:
    client = person.client
    return (client.post if begin else client.get)(f"/analysis/table/{row.code}/graph?game=1", headers=PART)


def analysed(row: models.Table) -> None:
    """What a worker finds."""
    survey = Survey.objects.get(study__table=row)
    record = selectors.read_record(survey.record)
    analyse(
        record,
        game_of(record, catalog.game),
        EFFORT,
        searches=Canned(now(row).match.current_game.game, survey.answers),
    )
    survey.state = Survey.State.DONE
    survey.save()


def test_who_has_played_sees_how_the_game_went_and_what_was_better() -> None:
    ann = Person("Ann")
    row = played(ann, BOT)
    assert f'data-address="/analysis/table/{row.code}/graph?game=1"' in ann.look(row)
    assert "<h2>" not in ask(ann, row, begin=False).content.decode(), "nobody has asked for it yet"
    begun = ask(ann, row).content.decode()
    assert "data-running" in begun and "Waiting for an engine" in begun
    analysed(row)
    page = unescape(ask(ann, row).content.decode())
    assert "data-running" not in page and Survey.objects.get().state == Survey.State.DONE
    (point,) = re.findall(r'<li data-ply="3".*?</li>', page, re.DOTALL)
    assert re.search(r'href="\?game=1&ply=3" data-part><span class="turn">3.1</span> 3,3</a>', point)
    assert (
        "0,1 0,2 was better, 50 % instead of 5 %." in point and '"0,1": 0' in point and "50 %</text>" in point
    )
    assert 'data-node="3"' in page and 'href="?game=1&ply=5"' in page, (
        "the plot leads to the table's positions"
    )
    (way_on,) = re.findall(r'href="(/play/rin\?[^"]+)"', point)
    form = unescape(ann.client.get(way_on).content.decode())
    assert (
        'name="position" value="' + str(now(row).match.current_game.start.play("0,0").play("1,1 2,2")) in form
    )


def test_whose_mistakes_they_were_not_is_told_so() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = played(ann, bob)
    ask(bob, row)
    analysed(row)
    page = ask(bob, row).content.decode()
    assert "You never lost ten percentage points or more at once." in page and "data-ply" not in page


def test_only_players_are_shown_it_and_only_after_the_end() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = played(ann, BOT)
    assert "<h2>" not in ask(bob, row).content.decode() and not Survey.objects.exists()
    assert 'id="game-graph"' not in bob.look(row)
    running = opened(ann, bob, size=4)
    assert 'id="game-graph"' not in ann.look(running)
    assert ask(ann, running).status_code == 403


def test_who_has_too_many_analysed_is_told_why_it_waits() -> None:
    ann = Person("Ann")
    for _ in range(2):
        assert ask(ann, played(ann, BOT)).status_code == 200
    refused = ask(ann, played(ann, BOT))
    assert refused.status_code == 422 and "two of your games" in refused.content.decode()
