"""Tests that the season's audit finds faults with mails."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kakomi.server.mail.jobs import handle_mail
from kakomi.server.mail.models import ReceivedMail
from kakomi.server.mail.reply_addresses import LIFETIMES, Purpose
from kakomi.server.notices.models import Mailing
from kakomi.server.site import clock
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from season.mail_audit import KEY_LENGTH, Effects, findings, sent_again, wrong_of_mail
from season.mail_door import take
from season.post_office import ASKING
from season.turn_mail_audit import IN_TIME, TurnMails, mail_of_notice, mail_of_turn, turns_of
from server.correspondence import Postman, begun, correspondent, now, written

pytest_plugins = ("server.correspondence_fixtures",)
KEY = "a" * 64


def mail(what: str, **told: Any) -> dict[str, Any]:
    return {"id": "<1@x>", "what": what, "key": KEY, "words": "", "person": 1, "holds": True, **told}


def effects(acts: int = 0, words: int = 0) -> Effects:
    return Effects(Counter({KEY[:KEY_LENGTH]: acts}), Counter({"I say it": words}), frozenset())


def answered(*, problem: bool = False, passes_on: bool = False, asks: bool = False) -> dict[str, Any]:
    return {"has_problem": problem, "passes_on": passes_on, "asks": asks}


@pytest.mark.parametrize(
    ("what", "answers", "acts", "is_right"),
    [
        ("turn", [answered()], 1, True),
        ("turn", [], 1, False),
        ("turn", [answered()], 2, False),
        ("vouched", [answered()], 1, False),
        ("vacation", [answered()], 0, False),
        ("forged", [answered()], 1, False),
    ],
)
def test_a_mail_acts_once_and_is_answered_once(
    what: str, answers: list[dict[str, Any]], acts: int, is_right: bool
) -> None:
    told = mail(what, holds=what != "vouched")
    assert (not list(wrong_of_mail(told, answers, effects(acts)))) == is_right


def test_who_answers_too_late_is_asked_and_nobody_else() -> None:
    for holds, is_right in ((False, True), (True, False)):
        found = list(wrong_of_mail(mail("turn", holds=holds), [answered(asks=True)], effects(0)))
        assert (not found) == is_right


@pytest.mark.django_db
def test_a_secret_address_is_judged_as_a_mail_comes_in(
    postman: Postman, row: models.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIFETIMES, Purpose.TABLE, 3600.0)
    (first,) = postman.collect()
    brought, answers = [], []
    for text in ("2,3", "resign"):
        data = written(first["to"], text, to=first["headers"]["Reply-To"]).decode()
        brought.append(take(data, first["to"], first["headers"]["Reply-To"], False)["holds"])
        postman.wait(3 * 3600)
        answers += [mail for mail in handled(postman) if mail["to"] == first["to"]]
    assert brought == [True, False]
    assert [ASKING in " ".join(mail["text"].split()) for mail in answers] == [False, True]


def handled(postman: Postman) -> list[dict[str, Any]]:
    handle_mail()
    return postman.collect()


def test_words_stand_at_the_table_if_the_answer_says_so() -> None:
    said = mail("turn", words="I say it")
    for passes_on, times, is_right in ((True, 1, True), (True, 2, False), (False, 1, False)):
        found = list(wrong_of_mail(said, [answered(passes_on=passes_on)], effects(1, times)))
        assert (not found) == is_right


def test_a_mail_comes_again_only_as_often_as_something_was_broken_off() -> None:
    times = {"a": 1, "b": 3, "c": 2}
    assert not list(sent_again(times, 3)) and list(sent_again(times, 2))


@pytest.fixture
def row() -> models.Table:
    people = [correspondent(name) for name in ("ada", "bob")]
    return begun(*map(Sitter, people), game="rin", options={"size": 4})


def lost(row: models.Table, *sent: str) -> list[str]:
    people = frozenset(Mailing.objects.values_list("guest", flat=True))
    return list(TurnMails({name: [clock.now()] for name in sent}, people, []).lost(row, now(row)))


@pytest.mark.django_db
def test_every_turn_that_lasts_is_mailed(row: models.Table) -> None:
    first, second = (seat.guest_id for seat in row.seats.all())
    assert not lost(row), "they have just begun"
    later = clock.now() + IN_TIME + 60
    with clock.time_from(lambda: later):
        assert len(lost(row)) == 1
        assert not lost(row, mail_of_turn(row.pk, first, 0))
        assert len(lost(row, mail_of_turn(row.pk, second, 0))) == 1, "that was not their turn"
        services.add(row.code, [("play", "1,1")], seat=0, base=0, key="a")
        assert not lost(row, mail_of_turn(row.pk, first, 0))
    with clock.time_from(lambda: later + IN_TIME + 60):
        assert len(lost(row, mail_of_turn(row.pk, first, 0))) == 1
        assert not lost(row, mail_of_turn(row.pk, first, 0), mail_of_turn(row.pk, second, 1))
        (_, turn) = turns_of(now(row), clock.now())
        assert (turn.seat, turn.lengths, turn.ended - turn.began) == (1, range(1, 2), IN_TIME + 60)


@pytest.mark.django_db
def test_no_turn_is_missed_while_nobody_could_mail_it(row: models.Table) -> None:
    began = clock.now()
    people = frozenset(Mailing.objects.values_list("guest", flat=True))
    with clock.time_from(lambda: began + IN_TIME + 60):
        assert not list(TurnMails({}, people, [(began, began + 600)]).lost(row, now(row)))


@pytest.mark.django_db
def test_mails_that_fail_or_get_stuck_are_found(tmp_path: Path) -> None:
    done = sent = tmp_path / "nothing.jsonl"
    for state, ago in (("done", 7200), ("waiting", 60), ("waiting", 7200), ("failed", 60)):
        at = clock.now() - ago
        fields = {"content": b"", "received_at": at, "due_at": at, "state": state}
        ReceivedMail.objects.create(key=f"{state} {ago}", **fields)
    assert len(list(findings(done, sent, 0))) == 2


@pytest.mark.django_db
def test_what_is_kept_of_mails_is_held_against_the_database(row: models.Table, tmp_path: Path) -> None:
    done, sent = tmp_path / "done.jsonl", tmp_path / "mails.jsonl"
    guest = row.seats.get(number=0).guest_id
    taken = {"kind": "mail", **mail("turn", person=guest)}
    answer = {"id": "<2@x>", "answers": "<1@x>", "reply_to": "", **answered()}
    done.write_text(json.dumps(taken) + "\n")
    sent.write_text(json.dumps(answer) + "\n")
    assert len(list(findings(done, sent, 0))) == 1, "it has not acted"
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key=f"mail:{KEY[:KEY_LENGTH]}:0")
    assert list(findings(done, sent, 0)) == []
    sent.write_text((json.dumps(answer) + "\n") * 2)
    assert len(list(findings(done, sent, 0))) == 1 and list(findings(done, sent, 1)) == []


@pytest.mark.django_db
def test_a_turn_may_be_told_under_the_name_of_an_offer() -> None:
    people = [correspondent(name) for name in ("ada", "bob", "cyd")]
    row = begun(*map(Sitter, people), game="rings", options={"size": 3, "players": 3})
    for seat in (0, 1, 2, 0, 1):
        while (table := now(row)).to_act == seat:
            entries = [("play", table.match.position.legal()[0])]
            services.add(row.code, entries, seat=seat, base=row.entries, key=f"entry.{row.entries}")
    services.add(row.code, [("offer", "pause")], seat=2, base=row.entries, key="offer")
    offered = len(now(row).history)
    services.add(row.code, [("resign", None)], seat=2, base=row.entries, key="resign")
    assert now(row).to_act == 0
    began, first = clock.now(), people[0]
    offer = mail_of_notice(f"offer.{row.pk}.{offered}.{first.pk}", first.pk)
    with clock.time_from(lambda: began + IN_TIME + 60):
        told = frozenset({first.pk})
        assert list(TurnMails({offer: [began + 60]}, told, []).lost(row, now(row))) == []
        (missed,) = TurnMails({offer: [began - 60]}, told, []).lost(row, now(row))
        assert f"entry {row.entries}" in missed, "it was sent before it was their turn"
        assert list(TurnMails({}, told, []).lost(row, now(row)))
