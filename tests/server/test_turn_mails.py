"""Mails about games: the player to act always gets one, and any of them can be answered with a move."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.models import Seek
from kakomi.server.mail import inbox, jobs
from kakomi.server.mail.outgoing import OTHERS
from kakomi.server.mail.reply_addresses import Purpose, Token, reply_address
from kakomi.server.notices import services as notices
from kakomi.server.notices.kinds import BY_MAIL, TURN
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.preferences import save_preference
from kakomi.server.notices.vacations import tell_vacations
from kakomi.server.tables import models, services
from kakomi.server.tables.jobs import enter_time_off, settle_due, warn_of_time
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.vacations import RegularTimeOff, choose_time_off, take_vacation
from kakomi.session.time_control import DAY
from server.correspondence import Postman, begun, correspondent, now, written
from server.test_post_commands import asked, only

pytest_plugins = ("server.correspondence_fixtures",)
pytestmark = pytest.mark.django_db


@pytest.fixture
def three() -> list[Guest]:
    return [correspondent(name) for name in ("ada", "bob", "cyd")]


@pytest.fixture
def third(three: list[Guest], postman: Postman) -> models.Table:
    """A table at which the third of three players is to act, with all mails collected."""
    row = begun(*map(Sitter, three), game="rings", options={"size": 3, "players": 3})
    for seat in (0, 1, 2, 0, 1):
        while now(row).to_act == seat:
            add(row, seat, "play", now(row).match.position.legal()[0])
    postman.collect()
    return row


def add(row: models.Table, seat: int, kind: str, value: Any = None) -> None:
    before = now(row).history
    services.add(row.code, [(kind, value)], seat=seat, base=len(before), key=f"entry.{len(before)}")


def about(mails: Sequence[dict[str, Any]], guest: Guest) -> list[str]:
    return [mail["subject"].rpartition(": ")[2] for mail in mails if mail["to"] == guest.user.email]


def test_an_offer_that_its_owner_leaves_behind_hides_no_turn(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 2, "offer", "pause")
    add(third, 2, "resign")
    assert now(third).offer is None and now(third).to_act == 0
    assert about(postman.collect(), three[0]) == ["your turn"]
    assert postman.collect() == []


def test_a_turn_and_an_offer_are_told_in_one_mail(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    (mail,) = [mail for mail in postman.collect() if mail["to"] == three[2].user.email]
    assert mail["subject"].endswith("your turn") and "You have an offer" in mail["text"]
    told = [delivery.key.split(".")[1] for delivery in Delivery.objects.filter(guest=three[2])]
    assert told == ["turn", "offer"]


def test_an_offer_that_ends_on_the_way_leaves_the_turn(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    add(third, 0, "withdraw")
    mails = [mail for mail in postman.collect() if mail["to"] == three[2].user.email]
    assert [mail["subject"].rpartition(": ")[2] for mail in mails] == ["your turn"]
    assert "You have an offer" not in mails[0]["text"]


def test_an_offer_that_was_read_leaves_the_turn(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    notices.mark_all_read(three[2], table=third.code)
    assert about(postman.collect(), three[2]) == ["your turn"]


def test_a_turn_that_is_over_is_not_told_with_an_offer_that_is(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    add(third, 2, "resign")
    assert about(postman.collect(), three[2]) == []


def test_a_mail_that_an_earlier_version_wrote_is_sent(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    for delivery in Delivery.objects.filter(state="waiting"):
        del delivery.content[OTHERS]
        delivery.save()
    assert about(postman.collect(), three[2]) == ["your turn"]


def text_of(mail: dict[str, Any]) -> str:
    """A mail's text on one line."""
    return " ".join(mail["text"].split())


def after(postman: Postman, seconds: float) -> list[dict[str, Any]]:
    """Let time pass, run the jobs that are due, and collect the mails."""
    postman.wait(seconds)
    for work in (settle_due, warn_of_time, enter_time_off, tell_vacations):
        work()
    return postman.collect()


def moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%A %-d %B, %H:%M UTC")


def due_of(row: models.Table) -> float:
    row.refresh_from_db()
    assert row.due_at is not None
    return row.due_at


def legal(row: models.Table) -> str:
    position, turn = now(row).match.position, []
    while not turn or (position.turn and not position.is_over):
        turn.append(position.legal()[0])
        position = position.play(turn[-1])
    return " ".join(turn)


def test_reminders_come_early_and_again_and_are_answered_with_a_move(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 2, "play", now(third).match.position.legal()[0])
    postman.collect()
    due = due_of(third)
    mails = [mail for hours in range(71) for mail in after(postman, 3540)]
    assert about(mails, three[0]) == ["your turn", "your turn"] and len(mails) == 2
    first, second = mails
    assert "Still your turn: Rings" in text_of(first) and "Time is running out" in text_of(second)
    for mail in mails:
        assert mail["subject"].startswith("Reminder: Rings") and moment(due) in text_of(mail)
        assert "Reply with your whole move" in text_of(mail)
    postman.reply(second, legal(third))
    assert now(third).to_act == 1


def test_who_wants_no_reminder_gets_none(third: models.Table, three: list[Guest], postman: Postman) -> None:
    add(third, 2, "play", now(third).match.position.legal()[0])
    postman.collect()
    save_preference(three[0], "reminder", "mail", is_on=False)
    assert [mail["subject"][:8] for hours in range(71) for mail in after(postman, 3540)] == ["Reminder"]


@pytest.mark.parametrize("plays_by_mail", [True, False])
def test_every_mail_about_a_game_is_answered_with_a_move(
    plays_by_mail: bool, third: models.Table, three: list[Guest], postman: Postman
) -> None:
    """This includes digests, if the player doesn't play by mail."""
    Mailing.objects.filter(guest=three[2]).update(plays_by_mail=plays_by_mail)
    others = {"challenge", "challenge_declined", "challenge_withdrawn", "seek_ended"}
    data = {"name": "ada", "until": postman.now, "days": 2.0, "reason": "", "ending": "time", "losers": [0]}
    data |= {"tournament": "Cup", "round": 1}
    for number, kind in enumerate(BY_MAIL):
        if kind not in others:
            Notice.objects.filter(guest=three[2]).delete()
            save_preference(three[2], kind, "mail", is_on=True)
            postman.wait(4000)
            notices.notify(three[2], TURN, f"{number}", table=third)
            if kind != TURN:
                notices.notify(three[2], kind, f"{number}", data, table=third)
            (mail,) = after(postman, 4000)
            assert mail["headers"]["Reply-To"].startswith("play+"), kind
            assert mail["from"] == "Kakomi <play@games.example>" and mail["envelope"].startswith("bounces+")
            assert moment(due_of(third)) in text_of(mail) and "Reply" in text_of(mail), kind
            before = now(third).entries
            postman.reply(mail, "Nothing yet.")
            assert now(third).entries == before
    postman.reply(mail, legal(third))
    assert now(third).to_act == 0


def test_all_hear_that_somebody_has_left(third: models.Table, three: list[Guest], postman: Postman) -> None:
    ada, bob, _ = three
    add(third, 2, "resign")
    mails = postman.collect()
    assert {mail["to"] for mail in mails} == {ada.user.email, bob.user.email}
    for mail in mails:
        assert "continues without one player. Cyd resigned." in text_of(mail)
    assert only(mails, bob)["subject"].endswith("Ada to move"), "bob is told as well, who has no turn"
    for guest in three:
        choose_time_off(guest, RegularTimeOff(is_automatic=False))
    for seat in (0, 1):
        add(third, seat, "play", now(third).match.position.legal()[0])
    postman.collect()
    mails = after(postman, 3 * DAY)
    assert third.code and now(third).is_over
    assert not any("goes on" in mail["text"] for mail in mails), "it is over"


def test_all_hear_of_a_vacation_and_what_becomes_of_the_clock(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    ada, bob, cyd = three
    add(third, 2, "play", now(third).match.position.legal()[0])
    postman.collect()
    begin, due = postman.now, due_of(third)
    take_vacation(ada, begin, begin + 10 * DAY)
    mails = after(postman, 60)
    assert {mail["to"] for mail in mails} == {bob.user.email, cyd.user.email}
    until = f"Ada is on vacation until {moment(begin + 10 * DAY)}. Their clocks are paused until then."
    for mail in mails:
        assert until in text_of(mail) and mail["headers"]["Reply-To"].startswith("play+")
        assert f"Deadline: {moment(due + 10 * DAY)}" in text_of(mail)


def test_a_day_of_vacation_begins_by_itself_once_in_a_turn_and_all_hear_of_it(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    ada, _, cyd = three
    add(third, 2, "play", now(third).match.position.legal()[0])
    postman.collect()
    due = due_of(third)
    while postman.now < due - 3600:
        after(postman, 3540)
    mails = after(postman, 3600)
    assert {mail["to"] for mail in mails} == {guest.user.email for guest in three}
    for mail in mails:
        assert f"Deadline: {moment(due + DAY)}." in text_of(mail)
    assert f"Ada is on vacation until {moment(due + DAY)}" in text_of(only(mails, cyd))
    assert "You were about to run out of time, so your vacation started" in text_of(only(mails, ada))
    mails = [mail for hours in range(25) for mail in after(postman, 3540)]
    assert now(third).match.current_game.leavers[0].seat == 0, "no turn has a second day"
    assert any("You ran out of time" in text_of(mail) for mail in mails if mail["to"] == ada.user.email)


def test_a_challenge_says_to_what_and_is_answered_by_a_word(postman: Postman) -> None:
    ada, bob, cyd = [correspondent(name) for name in ("ada", "bob", "cyd")]
    at = postman.now
    inbox_of = reply_address(Token.new(Purpose.ACCOUNT, ada.pk))
    inbox.receive(
        written(ada.user.email, "challenge rings bob cyd size=4 -days=5\n\nYou owe me a game!", to=inbox_of)
    )
    jobs.handle_mail()
    mails = postman.collect()
    seek = Seek.objects.get()
    told = only([mail for mail in mails if "challenges you" in mail["subject"]], bob)
    for part in (
        "Game: Rings, size 4, 96 points, if a player leaves, their seat passes",
        "Time control: 5 days per turn",
        "Mode: casual",
        "Players: you, Ada, Cyd",
        f"Answer by: {moment(seek.due_at)}",
        "Ada writes: You owe me a game!",
        "In a separate email, add the code",
    ):
        assert part in text_of(told), part
    assert seek.due_at > at
    answer = only(postman.reply(told, "What a nice idea."), bob)
    assert (
        "You haven’t answered the challenge yet: write" in text_of(answer)
        and not seek.invitees.exclude(answer="").exists()
    )
    postman.reply(answer, "Accept.\n\nSee you there!")
    assert seek.invitees.get(guest=bob).answer == "accepted"
    theirs = only([mail for mail in mails if "challenges you" in mail["subject"]], cyd)
    begun_mails = postman.reply(theirs, "yes")
    row = models.Table.objects.get()
    assert {mail["to"] for mail in begun_mails} == {guest.user.email for guest in (ada, bob, cyd)}
    for mail in begun_mails:
        assert f"Rings board {row.number} #0" in mail["subject"] and moment(due_of(row)) in text_of(mail)
        assert mail["to"] == cyd.user.email or "Game started: Rings" in text_of(mail)
    latest = {mail["to"]: mail for mail in begun_mails}
    latest |= {bob.user.email: told, cyd.user.email: theirs}
    for entries in range(3):
        assert now(row).entries == entries, "a mail about a challenge that has become a game takes a move"
        actor = row.seats.get(number=row.to_act).guest
        assert actor is not None
        mails = postman.reply(latest[actor.user.email], legal(row))
        latest |= {mail["to"]: mail for mail in mails if mail["to"] == ada.user.email}


def test_a_challenge_is_rejected_by_a_word(postman: Postman) -> None:
    ada, _ = correspondent("ada"), correspondent("bob", plays_by_mail=False)
    asked(postman, ada, "challenge rin bob")
    (told,) = [mail for mail in after(postman, 4000) if "challenges you" in mail["subject"]]
    for part in ("Game: Rin", "Players: you, Ada", "In a separate email, add the code"):
        assert part in text_of(told) and part in told["html"]
    (answer,) = [mail for mail in postman.reply(told, "reject") if mail["to"] == ada.user.email]
    assert Seek.objects.get().ending == "declined" and "Bob declined your challenge" in text_of(answer)
    assert answer["headers"]["Reply-To"].startswith("play+")


def test_a_rematch_is_told_to_both(people: list[Guest], row: models.Table, postman: Postman) -> None:
    add(row, 0, "play", "1,1")
    add(row, 1, "resign")
    postman.collect()
    for guest in people:
        services.rematch(row, guest)
    mails = postman.collect()
    assert {mail["to"] for mail in mails} == {guest.user.email for guest in people}
    assert all("Game started: Rin" in text_of(mail) for mail in mails)
