"""No mail loops and no backscatter: unanswered mails, answer budgets, and bounces."""

from email.message import EmailMessage

import pytest

from kakomi.server.accounts.models import Guest
from kakomi.server.mail import answers, inbox, jobs
from kakomi.server.mail.models import AnswerCount, Confirmation, Correspondent, HandledCommand, ReceivedMail
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.people.erasure import erase
from kakomi.server.tables import models
from kakomi.server.tables.services import Sitter
from server.correspondence import (
    BOUNCES,
    PLAY,
    Postman,
    address_of,
    begun,
    correspondent,
    now,
    vouched,
    written,
)

pytest_plugins = ("server.correspondence_fixtures",)
pytestmark = pytest.mark.django_db
EVE = "eve@elsewhere.example"


AUTOMATIC = [
    (("Auto-Submitted", "auto-replied"),),
    (("Auto-Submitted", "auto-generated"),),
    (("Precedence", "bulk"),),
    (("Precedence", "list"),),
    (("List-Id", "<a.list.example>"),),
    (("X-Kakomi-Mail", "1"),),
    (("Return-Path", "<>"),),
]


@pytest.mark.parametrize("headers", AUTOMATIC, ids=lambda headers: "-".join(headers[0]))
def test_what_a_machine_has_written_is_not_answered(headers: tuple, postman: Postman) -> None:
    assert postman.deliver(written(EVE, "help", headers=headers)) == []
    assert ReceivedMail.objects.get().state == "ignored" and ReceivedMail.objects.get().note


@pytest.mark.parametrize("headers", AUTOMATIC[:2])
def test_nor_does_it_move(headers: tuple, postman: Postman, row: models.Table) -> None:
    (mail,) = postman.collect()
    to = mail["headers"]["Reply-To"]
    assert postman.deliver(written(mail["to"], "1,1", to=to, headers=headers), to=to) == []
    assert now(row).entries == 0


@pytest.mark.parametrize("sender", ["<>", PLAY, BOUNCES, "play+abc@games.example"])
def test_nobody_answers_a_null_sender_or_itself(sender: str, postman: Postman) -> None:
    assert postman.deliver(written(EVE, "help"), sender=sender) == []


def test_the_site_does_not_answer_its_own_mails(postman: Postman) -> None:
    (first,) = postman.deliver(written(EVE, "help"))
    mail = EmailMessage()
    for name, value in first["headers"].items():
        mail[name] = value
    mail["From"], mail["To"], mail["Subject"] = EVE, PLAY, first["subject"]
    mail.set_content("help")
    assert postman.deliver(mail.as_bytes()) == []


def test_a_mail_whose_domain_says_that_it_is_forged_gets_no_answer(postman: Postman) -> None:
    headers = (("Authentication-Results", "mx.games.example; spf=fail smtp.mailfrom=eve@elsewhere.example"),)
    assert postman.deliver(written(EVE, "help", headers=headers)) == []
    assert ReceivedMail.objects.get().note == "forged"


def test_a_stranger_s_envelope_names_the_same_domain(postman: Postman) -> None:
    assert postman.deliver(written(EVE, "help"), sender="mallory@evil.example") == []
    assert postman.deliver(written(EVE, "help"), sender=EVE)


def test_strangers_get_few_answers_a_day(postman: Postman, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = [len(postman.deliver(written(EVE, "help"))) for _ in range(answers.TO_STRANGERS + 3)]
    assert answered == [1] * answers.TO_STRANGERS + [0] * 3
    assert postman.deliver(written("mallory@elsewhere.example", "help"))
    monkeypatch.setattr(answers, "TO_ALL_STRANGERS", answers.TO_STRANGERS + 1)
    assert postman.deliver(written("joe@elsewhere.example", "help")) == []
    assert not AnswerCount.objects.filter(address__contains="elsewhere").exists()
    postman.wait(answers.DAY)
    assert postman.deliver(written(EVE, "help"))


def test_who_gets_no_answer_any_more_still_moves(
    postman: Postman, row: models.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "TO_PEOPLE", 0)
    (mail,) = postman.collect()
    replies = postman.reply(mail, "1,1")
    assert now(row).entries == 1 and [each["to"] for each in replies] == [address_of("bob")]


def test_one_mail_has_one_answer_however_much_it_asks(postman: Postman, row: models.Table) -> None:
    (mail,) = postman.collect()
    replies = postman.reply(mail, "help\ngames\nshow\nstandings\n1,1\nhistory")
    assert len([each for each in replies if each["to"] == mail["to"]]) == 1
    assert now(row).entries == 1 and HandledCommand.objects.count() == 6


def bounced(mail: dict, status: str, action: str = "failed") -> bytes:
    """A mail server's report that it can't deliver a mail."""
    to = mail["envelope"]
    return (
        f"Return-Path: <>\nFrom: MAILER-DAEMON@people.example\nTo: {to}\nSubject: Undelivered Mail\n"
        f"Message-ID: <{status}.{id(mail)}.{Delivery.objects.count()}@people.example>\n"
        "Auto-Submitted: auto-replied\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nIt could not be delivered.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; people.example\n\n"
        f"Final-Recipient: rfc822; {mail['to']}\nAction: {action}\nStatus: {status}\n"
        "Diagnostic-Code: smtp; 550 no such user\n\n--b--\n"
    ).encode()


def turn_of(postman: Postman, people: list[Guest]) -> dict:
    begun(*map(Sitter, people), game="rin", options={"size": 4})
    (mail,) = postman.collect()
    return mail


def test_three_hard_bounces_end_the_mail_and_not_the_game(postman: Postman) -> None:
    people = [correspondent(name) for name in ("ada", "bob")]
    for count in (1, 2, 3):
        mail = turn_of(postman, people)
        assert Mailing.objects.get(guest=people[0]).pace == "hour"
        data = bounced(mail, "5.1.1")
        for _ in range(2):
            assert postman.deliver(data, to=mail["envelope"], sender="<>") == []
        assert Correspondent.objects.get().bounces == count, "what is delivered twice counts once"
    mailing = Mailing.objects.get(guest=people[0])
    assert mailing.pace == "off" and not mailing.plays_by_mail
    assert Notice.objects.get(kind="endpoint_off").guest == people[0]
    begun(*map(Sitter, people), game="rin", options={"size": 4})
    assert postman.collect() == [] and not models.Table.objects.filter(is_over=True).exists()


def test_passing_failures_and_a_sign_of_life_don_t_count(postman: Postman) -> None:
    people = [correspondent(name) for name in ("ada", "bob")]
    mail = turn_of(postman, people)
    postman.deliver(bounced(mail, "4.2.2", "delayed"), to=mail["envelope"], sender="<>")
    assert not Correspondent.objects.exists()
    postman.deliver(bounced(mail, "5.1.1"), to=mail["envelope"], sender="<>")
    postman.reply(mail, "1,1")
    assert Correspondent.objects.get().bounces == 0


def test_nobody_silences_another(postman: Postman) -> None:
    people = [correspondent(name) for name in ("ada", "bob")]
    mail = turn_of(postman, people)
    for to in (
        BOUNCES,
        mail["headers"]["Reply-To"].replace("play+", "bounces+"),
        "bounces+aaaa@games.example",
    ):
        postman.deliver(bounced({**mail, "envelope": to}, "5.1.1"), to=to, sender="<>")
    assert not Correspondent.objects.exists()


def test_what_fails_is_tried_again_and_in_the_end_given_up(
    postman: Postman, row: models.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    (mail,) = postman.collect()
    with monkeypatch.context() as patch:
        patch.setattr("kakomi.server.mail.mail_handler.read_mail", fail)
        postman.reply(mail, "1,1")
        assert now(row).entries == 0 and ReceivedMail.objects.get().state == "waiting"
    postman.wait(3600)
    jobs.handle_mail()
    assert now(row).entries == 1
    monkeypatch.setattr("kakomi.server.mail.mail_handler.read_mail", fail)
    inbox.receive(written(EVE, "help"))
    for _ in range(inbox.MOST_ATTEMPTS + 2):
        jobs.handle_mail()
        postman.wait(4000)
    last = ReceivedMail.objects.order_by("-pk")[0]
    assert (last.state, last.attempts, bytes(last.content)) == ("failed", inbox.MOST_ATTEMPTS, b"")


def test_a_mail_that_is_too_large_is_not_taken(postman: Postman) -> None:
    with pytest.raises(ValueError, match="a mail may have"):
        inbox.receive(b"x" * (inbox.LARGEST + 1))
    assert not ReceivedMail.objects.exists()


def test_what_is_handled_is_forgotten_in_time(postman: Postman, row: models.Table) -> None:
    postman.deliver(written(EVE, "help"))
    postman.deliver(written(address_of("ada"), f"resign {row.code}", headers=vouched(address_of("ada"))))
    assert bytes(ReceivedMail.objects.order_by("pk")[0].content) == b""
    assert bytes(ReceivedMail.objects.order_by("pk")[1].content)
    postman.wait(4 * 24 * 3600)
    jobs.delete_old()
    parked = ReceivedMail.objects.order_by("pk")[1]
    assert (parked.state, bytes(parked.content)) == ("ignored", b"") and not Confirmation.objects.exists()
    postman.wait(31 * 24 * 3600)
    jobs.delete_old()
    assert not ReceivedMail.objects.exists() and not AnswerCount.objects.exists()


def test_nothing_from_an_erased_person_s_address_is_left(postman: Postman, row: models.Table) -> None:
    ada = Guest.objects.get(name="Ada")
    postman.deliver(
        written(address_of("ada"), f"resign {row.code}", headers=vouched(address_of("ada"))),
        sender=address_of("ada"),
    )
    postman.deliver(written("new@people.example", "signup newcomer"))
    inbox.receive(written("ada <ada@people.example>", "help"))  # not handled yet
    assert ReceivedMail.objects.count() == 3
    erase(ada)
    assert ReceivedMail.objects.count() == 1 and Confirmation.objects.count() == 1
