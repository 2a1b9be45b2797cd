"""Authentication of mails: by secret addresses, by one trusted relay, and never by `From` alone."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import renew_link
from kakomi.server.lobby.models import Seek
from kakomi.server.mail import inbox, jobs
from kakomi.server.mail.answers import TO_UNPROVED
from kakomi.server.mail.authority import Verdict, verdict
from kakomi.server.mail.models import Confirmation, ReceivedMail, Subscription
from kakomi.server.mail.reply_addresses import HOUR, LIFETIMES, LONGEST, Purpose, Token, reply_address
from kakomi.server.tables import models
from kakomi.server.tables.services import Sitter
from server.correspondence import (
    PLAY,
    RELAY,
    Postman,
    address_of,
    begun,
    correspondent,
    now,
    taking_mail,
    vouched,
    written,
)

pytest_plugins = ("server.correspondence_fixtures",)
pytestmark = pytest.mark.django_db
FROM = address_of("ada")


def entries(row: models.Table) -> int:
    return now(row).entries


def test_a_token_is_short_and_bears_being_shouted(postman: Postman, people: list[Guest]) -> None:
    token = Token.new(Purpose.TABLE, people[0].pk, 2**31, 9_999)
    assert len(token.text) <= LONGEST and len(reply_address(token).partition("@")[0]) <= 64
    assert token.text == token.text.lower() and Token.parse(token.text.upper()) == token


def test_no_changed_token_is_one(postman: Postman, people: list[Guest]) -> None:
    text = Token.new(Purpose.TABLE, people[0].pk, 5, 3).text
    for at, letter in enumerate(text):
        changed = text[:at] + ("a" if letter != "a" else "b") + text[at + 1 :]
        known = Token.parse(changed)
        assert known is None or known == Token.parse(text), "the last letter has bits to spare"
    for broken in ("", "a", text[:-3], text + text, "€", "1089", " " + text):
        assert Token.parse(broken) is None


def test_tokens_end_with_a_new_link_or_another_address(postman: Postman, people: list[Guest]) -> None:
    ada, bob = people
    tokens = [Token.new(Purpose.TABLE, guest.pk, 1, 1).text for guest in people]
    assert all(map(Token.parse, tokens))
    renew_link(ada)
    assert Token.parse(tokens[0]) is None
    EmailAddress.objects.filter(user=bob.user).update(email="elsewhere@people.example")
    assert Token.parse(tokens[1]) is None


def test_an_answer_is_a_move(postman: Postman, row: models.Table) -> None:
    (mail,) = postman.collect()
    answers = postman.reply(mail, "1,1")
    assert entries(row) == 1 and [each["to"] for each in answers] == [FROM, address_of("bob")]


@pytest.mark.parametrize("relay", [RELAY, ""])
def test_what_comes_from_a_confirmed_address_is_done_once_its_owner_confirms(
    relay: str, row: models.Table
) -> None:
    with taking_mail(mail_in_relay=relay), Postman().at_work() as postman:
        postman.collect()
        (asked,) = postman.deliver(written(FROM, f"move {row.code} 1,1"))
        assert (
            entries(row) == 0
            and asked["to"] == FROM
            and "we don’t recognise you: reply to an email from this site or, if you’re new, write"
            not in asked["text"]
        )
        assert f"move {row.code} 1,1" in asked["text"] and "confirm" in asked["text"]
        answers = postman.reply(asked, "confirm")
        assert entries(row) == 1 and [mail["to"] for mail in answers] == [FROM, address_of("bob")]


def test_an_answer_to_a_forged_sender_goes_to_who_has_the_address_and_not_for_ever(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    postman.collect()
    EmailAddress.objects.filter(user=people[0].user).update(email="elsewhere@people.example")
    EmailAddress.objects.create(user=people[0].user, email=FROM, verified=True, primary=False)
    (shown,) = postman.deliver(written(FROM, "games"))
    assert shown["to"] == "elsewhere@people.example"
    EmailAddress.objects.filter(email=FROM).delete()
    EmailAddress.objects.filter(user=people[0].user).update(email=FROM)
    answers = [mail for _ in range(60) for mail in postman.deliver(written(FROM, "resign"))]
    assert len(answers) == TO_UNPROVED
    assert ReceivedMail.objects.filter(note="enough answers for today").count() == 60 - TO_UNPROVED


def test_a_password_in_a_subject_moves_nothing(postman: Postman, row: models.Table) -> None:
    postman.collect()
    postman.deliver(written(FROM, "", subject=f"move {row.code} ada secret 1,1"))
    assert entries(row) == 0


def test_what_is_sent_ten_times_is_done_once(postman: Postman, row: models.Table) -> None:
    (mail,) = postman.collect()
    to = mail["headers"]["Reply-To"]
    data = written(FROM, "1,1", to=to)
    answers = [answer for _ in range(10) for answer in postman.deliver(data, to=to)]
    assert entries(row) == 1 and len(answers) == 2, "one answer, and the other's turn"
    assert ReceivedMail.objects.count() == 1
    on_another_way = b"Received: from elsewhere\r\n" + data.replace(b"\n", b"\r\n")
    assert not postman.deliver(on_another_way, to=to)


def test_an_address_that_was_used_shows_the_board_as_it_is(postman: Postman, row: models.Table) -> None:
    (first,) = postman.collect()
    _, theirs = postman.reply(first, "1,1")
    _, again = postman.reply(theirs, "2,2 3,3")
    assert again["to"] == FROM and entries(row) == 3
    (answer,) = postman.reply(first, "0,0 0,1")
    assert entries(row) == 3 and "position has changed" in " ".join(answer["text"].split())
    postman.reply(answer, "0,0 0,1")
    assert entries(row) == 5, "the answer has an address for the board as it is"


def test_an_address_is_good_for_its_table_alone(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    other = begun(*map(Sitter, people), game="rin", options={"size": 4})
    answers = postman.reply(mail, f"move {other.code} 1,1")
    assert entries(other) == 0, "another board asks for a confirmation first"
    waiting = next(each for each in answers if "confirm" in each["text"])
    postman.reply(waiting, "confirm")
    assert entries(other) == 1


def test_an_address_is_good_for_its_owner_alone(postman: Postman, row: models.Table) -> None:
    (mail,) = postman.collect()
    to = mail["headers"]["Reply-To"]
    postman.reply(mail, "1,1")
    postman.deliver(written(address_of("bob"), f"move {row.code} 2,2 3,3", to=to), to=to)
    assert entries(row) == 1, "the second turn is bob's, and the address is ada's"


def test_an_expired_address_asks_first(postman: Postman, row: models.Table) -> None:
    (mail,) = postman.collect()
    postman.wait(61 * 24 * HOUR)
    (asked, *_) = postman.reply(mail, "resign")
    assert entries(row) == 0 and "confirm" in asked["text"]
    assert asked["to"] == FROM


def test_an_address_is_judged_by_when_the_mail_came(
    postman: Postman, row: models.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIFETIMES, Purpose.TABLE, HOUR)
    (mail,) = postman.collect()
    to = mail["headers"]["Reply-To"]
    inbox.receive(written(FROM, "1,1", to=to), recipients=[to])
    postman.wait(3 * HOUR)
    jobs.handle_mail()
    assert [entry.kind for entry in now(row).history] == ["play"], "the site was late, not its sender"


def test_a_confirmation_is_judged_by_when_it_came(postman: Postman, row: models.Table) -> None:
    postman.collect()
    (asked,) = postman.deliver(written(FROM, f"move {row.code} 1,1", headers=vouched(FROM)))
    to = asked["headers"]["Reply-To"]
    inbox.receive(written(FROM, "confirm", to=to), recipients=[to])
    postman.wait(3 * 24 * HOUR + 2 * HOUR)
    jobs.delete_old()
    jobs.handle_mail()
    assert entries(row) == 1


def test_a_table_s_address_opens_a_seek_and_watches_a_board(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    other = begun(Sitter(people[1]), Sitter(correspondent("cleo")), game="rin", options={"size": 4})
    answers = [*postman.reply(mail, "seek rin"), *postman.reply(mail, f"subscribe {other.code}")]
    assert Seek.objects.get().owner == people[0] and Subscription.objects.get().guest == people[0]
    assert not Confirmation.objects.exists() and not any("confirm" in each["text"] for each in answers)
    postman.reply(mail, "seek off")
    assert not Seek.objects.filter(ended_at=None).exists()


def test_an_address_to_confirm_one_thing_is_good_for_nothing_else(
    postman: Postman, row: models.Table
) -> None:
    postman.collect()
    (asked,) = postman.deliver(written(FROM, f"move {row.code} 1,1", headers=vouched(FROM)))
    for text in ("seek rin", f"move {row.code} 2,2"):
        (again,) = postman.reply(asked, text)
        assert not Seek.objects.exists() and entries(row) == 0 and "confirm" in again["text"]


@pytest.mark.parametrize("text", ["Yes, but who are you?", "OK, what is this?", "Ja und?", "confirm nothing"])
def test_a_remark_confirms_nothing(text: str, postman: Postman, row: models.Table) -> None:
    postman.collect()
    (asked,) = postman.deliver(written(FROM, f"move {row.code} 1,1", headers=vouched(FROM)))
    postman.reply(asked, text)
    assert entries(row) == 0
    postman.reply(asked, "Yes, please.")
    assert entries(row) == 1


def test_what_the_relay_vouches_for_is_done_once_confirmed(postman: Postman, row: models.Table) -> None:
    postman.collect()
    asked = postman.deliver(written(FROM, f"move {row.code} 1,1", headers=vouched(FROM)))
    assert entries(row) == 0 and len(asked) == 1 and asked[0]["to"] == FROM
    assert ReceivedMail.objects.get().state == "parked"
    again = postman.reply(asked[0], "no, thank you")
    assert entries(row) == 0 and len(again) == 1
    answers = postman.reply(asked[0], "Confirm.")
    assert entries(row) == 1 and FROM in [each["to"] for each in answers]
    postman.reply(asked[0], "confirm")
    assert entries(row) == 1, "it is done once"


def test_a_confirmation_comes_too_late(postman: Postman, row: models.Table) -> None:
    postman.collect()
    (asked,) = postman.deliver(written(FROM, f"move {row.code} 1,1", headers=vouched(FROM)))
    postman.wait(4 * 24 * HOUR)
    postman.reply(asked, "confirm")
    assert entries(row) == 0


def test_nobody_confirms_for_another(postman: Postman, people: list[Guest], row: models.Table) -> None:
    postman.collect()
    postman.deliver(written(FROM, f"move {row.code} 1,1", headers=vouched(FROM)))
    number = Confirmation.objects.get().pk
    to = reply_address(Token.new(Purpose.CONFIRMATION, people[1].pk, number))
    postman.deliver(written(address_of("bob"), "confirm", to=to), to=to)
    assert entries(row) == 0


FORGERIES: dict[str, Any] = {
    "of another server": vouched(FROM, relay="mx.elsewhere.example"),
    "that failed": vouched(FROM, result="fail"),
    "below what the relay wrote": (
        ("Authentication-Results", f"{RELAY}; dkim=none"),
        ("Received", f"from evil.example by {RELAY}; Mon, 23 Nov 2026 18:00:00 +0000"),
        ("Authentication-Results", f"{RELAY}; dkim=pass header.d=people.example"),
    ),
    "further down": (
        ("Received", f"from evil.example by {RELAY}; Mon, 23 Nov 2026 18:00:00 +0000"),
        ("X-Something", "between"),
        ("Authentication-Results", f"{RELAY}; dkim=pass header.d=people.example"),
    ),
    "for another domain": (
        (
            "Authentication-Results",
            f"{RELAY}; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=x@evil.example",
        ),
        ("Received", f"from evil.example by {RELAY}; Mon, 23 Nov 2026 18:00:00 +0000"),
    ),
    "for a domain below": (
        ("Authentication-Results", f"{RELAY}; dkim=pass header.d=evil.people.example"),
        ("Received", f"from evil.example by {RELAY}; Mon, 23 Nov 2026 18:00:00 +0000"),
    ),
    "in a comment": (
        ("Authentication-Results", f"{RELAY}; dkim=none (dkim=pass header.d=people.example; dkim=pass)"),
        ("Received", f"from evil.example by {RELAY}; Mon, 23 Nov 2026 18:00:00 +0000"),
    ),
    "by a greeting": (
        ("Authentication-Results", f"{RELAY}; spf=pass smtp.helo=people.example"),
        ("Received", f"from evil.example by {RELAY}; Mon, 23 Nov 2026 18:00:00 +0000"),
    ),
}


@pytest.mark.parametrize("headers", FORGERIES.values(), ids=FORGERIES)
def test_what_nobody_vouches_for_is_not_done_at_once(
    headers: Any, postman: Postman, row: models.Table
) -> None:
    postman.collect()
    asked = postman.deliver(written(FROM, f"move {row.code} 1,1", headers=headers))
    assert entries(row) == 0 and [mail["to"] for mail in asked] == [FROM]
    assert postman.deliver(written(FROM, "confirm")) and entries(row) == 0


def test_a_header_of_a_mail_within_the_mail_counts_for_nothing(postman: Postman, row: models.Table) -> None:
    postman.collect()
    inner = written(FROM, f"move {row.code} 1,1", headers=vouched(FROM)).decode()
    data = written("eve@evil.example", f"move {row.code} 1,1\n\n{inner}")
    assert data.count(b"Authentication-Results") == 1
    postman.deliver(data)
    assert entries(row) == 0 and not Confirmation.objects.exists()


def test_two_senders_are_none(postman: Postman, row: models.Table) -> None:
    postman.collect()
    data = b"From: eve@evil.example\n" + written(FROM, f"move {row.code} 1,1")
    trusted = "".join(f"{name}: {value}\n" for name, value in vouched(FROM)).encode()
    postman.deliver(trusted + data)
    postman.deliver(trusted + written(FROM, f"move {row.code} 1,1") + b"\n")
    assert entries(row) == 0 and Confirmation.objects.count() == 1, "the second has one sender"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("dkim=pass header.d=people.example", Verdict.GENUINE),
        ("dkim=pass header.i=@people.example", Verdict.GENUINE),
        ("spf=pass smtp.mailfrom=ada@people.example", Verdict.GENUINE),
        ("spf=pass smtp.mailfrom=people.example", Verdict.GENUINE),
        ("dkim=fail header.d=people.example; spf=pass smtp.mailfrom=ada@people.example", Verdict.GENUINE),
        ("DKIM=PASS header.d=PEOPLE.example", Verdict.GENUINE),
        ('dkim=pass (2048-bit key) header.d="people.example" header.s=x', Verdict.GENUINE),
        ("dmarc=pass (p=none) header.from=people.example", Verdict.GENUINE),
        ("dkim=pass header.d=example", Verdict.UNKNOWN),
        ("dkim=neutral header.d=people.example", Verdict.UNKNOWN),
        ("spf=softfail smtp.mailfrom=people.example", Verdict.UNKNOWN),
        ("spf=fail smtp.mailfrom=people.example", Verdict.FORGED),
        ("dmarc=fail header.from=people.example", Verdict.FORGED),
        ("none", Verdict.UNKNOWN),
        ("", Verdict.UNKNOWN),
        ("dkim=pass", Verdict.UNKNOWN),
        ("x=pass header.d=people.example", Verdict.UNKNOWN),
    ],
)
def test_what_a_relay_says_is_read_as_it_is_meant(said: str, expected: Verdict) -> None:
    headers = [("authentication-results", f"{RELAY} 1; {said}"), ("received", "from x")]
    assert verdict(headers, FROM, RELAY) == expected
    assert verdict(headers, "ada@sub.people.example", RELAY) == expected, "a domain speaks for those below it"
    assert verdict(headers, "", RELAY) == Verdict.UNKNOWN


def test_what_stands_directly_below_the_relay_s_own_line_is_the_relay_s() -> None:
    headers = [
        ("received", f"from x by {RELAY}"),
        ("authentication-results", f"{RELAY}; dkim=pass header.d=people.example"),
        ("authentication-results", f"{RELAY}; spf=none"),
        ("from", FROM),
    ]
    assert verdict(headers, FROM, RELAY) == Verdict.GENUINE


def test_an_erased_person_s_address_is_nobody_s(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    from kakomi.server.people.erasure import erase

    (mail,) = postman.collect()
    erase(people[0])
    entries_before = entries(row)
    postman.deliver(written(FROM, "1,1", to=mail["headers"]["Reply-To"]), to=mail["headers"]["Reply-To"])
    assert entries(row) == entries_before


def test_the_account_s_address_opens_a_seek(postman: Postman, people: list[Guest]) -> None:
    to = reply_address(Token.new(Purpose.ACCOUNT, people[0].pk))
    postman.deliver(written(FROM, "seek rin", to=to), to=to)
    assert Seek.objects.get().owner == people[0]


def test_play_is_no_token(postman: Postman) -> None:
    assert postman.deliver(written("eve@evil.example", "help", to=PLAY))
