"""Direct messages: who may write to whom, their limits, and their removal."""

import json
from typing import Any

import pytest
from django.test import Client

from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import block, make_bot, unblock
from kakomi.server.accounts.tokens import make_token
from kakomi.server.chat import direct_messages, services
from kakomi.server.chat.direct_messages import SHOWN, conversations_of, messages_between
from kakomi.server.chat.models import LONGEST_DIRECT, DirectMessage
from kakomi.server.moderation.models import Measure, Report
from kakomi.server.notices.models import Notice
from kakomi.server.notices.services import count_unread
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.session import Refused
from kakomi.session.time_control import DAY
from server.people import make_user, signed_in
from server.rated_games import at_moment
from server.test_erasure import dumped, unpacked

pytestmark = pytest.mark.django_db
ADDRESS = "/messages/@bob"


@pytest.fixture
def ann() -> User:
    return make_user("ann", "Annabel Lee")


@pytest.fixture
def bob() -> User:
    return make_user("bob")


def write(author: User, reader: User, text: str = "Hello", key: str = "") -> DirectMessage:
    key = key or f"key-{DirectMessage.objects.count()}"
    return direct_messages.send_message(author.guest, reader.guest, text, key)


def texts(reader: User, other: User) -> list[str]:
    return [each.text for each in messages_between(reader.guest, other.guest).messages]


def page(client: Client, address: str = ADDRESS) -> str:
    return client.get(address).content.decode()


def test_two_write_to_each_other(ann: User, bob: User) -> None:
    theirs = signed_in(ann)
    assert "No messages yet" in page(theirs)
    form = {"text": "Hello <b>\r\n\r\n\r\n\u202esecond line", "key": "abcdefgh"}
    for _ in range(2):  # a double click
        assert theirs.post(ADDRESS, form).status_code == 302
    made = DirectMessage.objects.get()
    assert made.text == "Hello <b>\n\nsecond line"
    assert "Hello &lt;b&gt;" in page(theirs)
    listed = page(signed_in(bob), "/messages/")
    assert "Annabel Lee" in listed and "new" in listed
    write(bob, ann, "Hi")
    assert texts(ann, bob) == texts(bob, ann) == ["Hello <b>\n\nsecond line", "Hi"]
    assert "Hello" not in page(signed_in(make_user("eve")), ADDRESS)


def test_another_text_under_the_same_key_is_another_message(ann: User, bob: User) -> None:
    for text in ("one", "two", "one", "two"):
        write(ann, bob, text, "the-same-key")
    assert texts(ann, bob) == ["one", "two"]


def test_keys_differ_in_every_letter(ann: User, bob: User) -> None:
    for number in range(2):
        write(ann, bob, "gg", f"a-key-as-long-as-keys-may-ever-be-{number:06}")
    assert texts(ann, bob) == ["gg", "gg"]


def test_one_is_told_once_until_one_has_read(ann: User, bob: User) -> None:
    for text in ("one", "two"):
        write(ann, bob, text)
    assert Notice.objects.get().guest == bob.guest and count_unread(bob.guest) == 1
    client = signed_in(bob)
    assert "Annabel Lee sent you a message." in page(client, "/notices/")
    assert conversations_of(bob.guest)[0].is_new
    page(client, "/messages/@ann")
    assert count_unread(bob.guest) == 0 and not conversations_of(bob.guest)[0].is_new
    write(ann, bob, "three")
    assert count_unread(bob.guest) == 1 and Notice.objects.count() == 2


def test_who_is_blocked_writes_on_and_is_not_told(ann: User, bob: User) -> None:
    write(ann, bob, "before")
    block(bob.guest, ann.guest)
    write(ann, bob, "while blocked")
    assert texts(ann, bob) == ["before", "while blocked"] and Notice.objects.count() == 1
    assert texts(bob, ann) == ["before"] and conversations_of(bob.guest) == []
    assert "before" in page(signed_in(bob), "/messages/@ann"), "it can still be reported"
    with pytest.raises(Refused, match="You’ve blocked this player"):
        write(bob, ann)
    unblock(bob.guest, ann.guest)
    assert texts(bob, ann) == ["before"]
    whole = b"".join(unpacked(archive(ann.guest)).values()).decode()
    assert "while blocked" in whole and "withheld" not in whole


def test_who_takes_no_messages_gets_none(ann: User, bob: User) -> None:
    client = signed_in(bob)
    assert client.post("/messages/wanted", {"wanted": "no"}).status_code == 302
    with pytest.raises(Refused, match="doesn’t accept messages"):
        write(ann, bob)
    with pytest.raises(Refused, match="turned messages off"):
        write(bob, ann)
    assert "doesn’t accept messages" in page(signed_in(ann))
    client.post("/messages/wanted", {"wanted": "yes"})
    assert write(ann, bob).pk


@pytest.mark.parametrize("kind", ["mute", "suspension"])
def test_who_is_muted_writes_nothing(ann: User, bob: User, kind: str) -> None:
    Measure.objects.create(about=ann.guest, kind=kind, reason="rude", at=1e9, until=1e9 + 60)
    with at_moment(1e9):
        with pytest.raises(Refused, match="until 2001-09-09 01:47"):
            write(ann, bob)
        assert "<textarea" not in (shown := page(signed_in(ann))) and "until 2001-09-09 01:47" in shown
        assert "Reason: rude" in shown
    with at_moment(1e9 + 60):
        assert write(ann, bob).pk


def test_messages_are_between_people_with_accounts(ann: User, bob: User) -> None:
    guest, bot = Guest.objects.create(name="Cleo"), make_bot(ann, "ann-bot")
    for author, reader, said in (
        (guest, bob.guest, "Sign up to send messages"),
        (bot.guest, bob.guest, "Sign up to send messages"),
        (ann.guest, guest, "You can’t message guests or bots"),
        (bob.guest, bot.guest, "You can’t message guests or bots"),
        (ann.guest, ann.guest, "yourself"),
    ):
        with pytest.raises(Refused, match=said):
            direct_messages.send_message(author, reader, "Hello", "key")
    assert "Sign up to send messages" in page(Client()) and "need an account" in page(Client(), "/messages/")
    assert Client().post(ADDRESS, {"text": "Hi", "key": "k"}).status_code == 422
    assert signed_in(ann).get("/messages/@nobody").status_code == 404
    assert not DirectMessage.objects.exists()


def test_limits_of_a_minute_and_a_day(ann: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    write(bob, ann, "I answer")
    with at_moment(1e9):
        for number in range(direct_messages.PER_MINUTE):
            write(ann, bob, str(number))
        with pytest.raises(Refused, match="You’re sending messages too fast"):
            write(ann, bob, "more")
    monkeypatch.setattr(direct_messages, "PER_DAY", direct_messages.PER_MINUTE)
    with at_moment(1e9 + 61), pytest.raises(Refused, match="Try again later"):
        write(ann, bob, "more")
    with at_moment(1e9 + DAY + 1):
        assert write(ann, bob, "more").pk


def test_who_gets_no_answer_writes_no_more(ann: User, bob: User) -> None:
    for number in range(direct_messages.UNANSWERED):
        write(ann, bob, str(number))
    with pytest.raises(Refused, match="Wait for a reply"):
        write(ann, bob, "hello?")
    write(bob, ann)
    assert write(ann, bob, "thanks").pk


def test_nobody_writes_to_many_strangers_at_once(ann: User, bob: User) -> None:
    write(bob, ann)
    people = [make_user(f"person{number}") for number in range(direct_messages.STRANGERS + 1)]
    for number, other in enumerate(people[:-1]):
        with at_moment(1e9 + 61 * number):
            write(ann, other)
    with at_moment(1e9 + 1000):
        with pytest.raises(Refused, match="haven’t replied yet"):
            write(ann, people[-1])
        assert write(ann, people[0], "again").pk and write(ann, bob, "a friend").pk
    with at_moment(1e9 + 2 * DAY):
        assert write(ann, people[-1]).pk


@pytest.mark.parametrize("text", ["", " \n \u200b ", "x" * (LONGEST_DIRECT + 1)])
def test_a_text_that_is_wrong_is_refused_in_a_sentence(ann: User, bob: User, text: str) -> None:
    answer = signed_in(ann).post(ADDRESS, {"text": text, "key": "k"})
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert not DirectMessage.objects.exists()


def test_older_messages_are_on_pages_of_their_own(ann: User, bob: User) -> None:
    DirectMessage.objects.bulk_create(
        DirectMessage(author=ann.guest, reader=bob.guest, text=f"No. {number}.", at=1.0, key=f"k{number}")
        for number in range(SHOWN + 3)
    )
    client = signed_in(bob)
    newest = page(client, "/messages/@ann")
    older = messages_between(bob.guest, ann.guest).older
    assert "No. 3." in newest and "No. 2." not in newest and f"?before={older}" in newest
    assert "No. 2." in page(client, f"/messages/@ann?before={older}")
    assert client.get("/messages/@ann?before=x").status_code == 404


def test_only_who_was_sent_a_message_reports_it(ann: User, bob: User) -> None:
    made = write(ann, bob, "You fool")
    address = f"/messages/@ann/{made.pk}"
    client = signed_in(bob)
    assert f'href="{address}"' in page(client, "/messages/@ann")
    for stranger in (Client(), signed_in(make_user("eve")), signed_in(ann)):
        assert stranger.get(address).status_code == 404
    assert client.post(address, {"kind": "chat"}).status_code == 200
    assert Report.objects.get().quote == "You fool" and Report.objects.get().case.about == ann.guest


def test_a_conversation_goes_with_either_of_the_two(ann: User, bob: User) -> None:
    write(ann, bob, "I am Annabel Lee")
    write(bob, ann, "Dear Annabel Lee")
    erase(ann.guest)
    assert not DirectMessage.objects.exists() and "Annabel" not in dumped()
    assert "No messages yet" in page(signed_in(bob), "/messages/")


def test_the_archive_has_both_sides(ann: User, bob: User) -> None:
    write(ann, bob, "from me")
    write(bob, ann, "to me")
    found = json.loads(unpacked(archive(ann.guest))["more/chat.directmessage.json"])
    assert [each["text"] for each in found] == ["from me", "to me"] and "key" not in found[0]


def asked(user: User, path: str, *scopes: str, body: Any = None) -> Any:
    token = make_token(user, f"token {user.tokens.count()}", list(scopes))[1]
    headers = {"Authorization": f"Bearer {token}"}
    if body is None:
        return Client().get(f"/api/v1{path}", headers=headers)
    return Client().post(f"/api/v1{path}", json.dumps(body), "application/json", headers=headers)


def test_programs_read_and_write(ann: User, bob: User) -> None:
    body = {"text": "Hello", "key": "my-message-1"}
    assert asked(ann, "/messages/bob", "read", body=body).status_code == 403
    sent = [asked(ann, "/messages/bob", "messages", body=body).json() for _ in range(2)]
    assert sent[0] == sent[1] and DirectMessage.objects.count() == 1
    (listed,) = asked(bob, "/messages", "messages").json()
    assert listed["person"] == "ann" and listed["is_new"] and not listed["last"]["is_own"]
    part = asked(bob, "/messages/ann", "messages").json()
    assert [each["text"] for each in part["messages"]] == ["Hello"] and part["older"] is None
    assert conversations_of(bob.guest)[0].is_new
    assert asked(bob, "/messages/ann/read", "messages", body={}).status_code == 204
    assert not conversations_of(bob.guest)[0].is_new
    refused = asked(ann, "/messages/bob", "messages", body={"text": " ", "key": "my-message-2"})
    assert refused.status_code == 422 and refused.json()["code"] == "refused"
    assert asked(ann, "/messages/nobody", "messages").status_code == 404
    assert asked(ann, "/messages/bob?before=x", "messages").status_code == 404


def test_pages_speak_german(ann: User, bob: User) -> None:
    client = signed_in(ann)
    write(bob, ann)
    for address in ("/messages/", ADDRESS):
        html = client.get(address, headers={"Accept-Language": "de"}).content.decode()
        assert 'lang="de"' in html and "Nachricht" in html and "Write a message" not in html


def test_switching_off_counts_at_tables_too(ann: User) -> None:
    signed_in(ann).post("/messages/wanted", {"wanted": "no"})
    assert ann.guest.chat_choice.is_off
    services.set_messages_off(ann.guest, is_off=False)
    assert "Turn messages off" in page(signed_in(ann), "/messages/")
