"""Mail commands other than a plain move."""

import random
import re
from typing import Any

import pytest
from django.utils import timezone

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.chat.services import set_messages_off
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.mail.models import Confirmation, QueuedTurn, Subscription
from kakomi.server.mail.reply_addresses import Purpose, Token, reply_address
from kakomi.server.notices.models import Mailing
from kakomi.server.notices.preferences import wanted_kinds
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl
from kakomi.session.time_control import DAY
from server.correspondence import Postman, address_of, begun, correspondent, now, random_turn, written

pytest_plugins = ("server.correspondence_fixtures",)
pytestmark = pytest.mark.django_db
EVE = "eve@elsewhere.example"


def asked(postman: Postman, guest: Guest, text: str) -> list[dict[str, Any]]:
    """The mails that result from one to the guest's account address."""
    to = reply_address(Token.new(Purpose.ACCOUNT, guest.pk))
    return postman.deliver(written(guest.user.email, text, to=to), to=to)


def only(mails: list[dict[str, Any]], guest: Guest) -> dict[str, Any]:
    (mail,) = [mail for mail in mails if mail["to"] == guest.user.email]
    return mail


def test_a_mistake_is_told_with_the_board_and_changes_nothing(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    for text in ("9,9", "1,1 2,2", "fly me to the moon", "move nowhere123 1,1"):
        answer = only(postman.reply(mail, text), people[0])
        assert now(row).entries == 0 and answer["text"]
    postman.reply(answer, "1,1")
    assert now(row).entries == 1


def test_turns_are_whole_ones(postman: Postman, people: list[Guest], row: models.Table) -> None:
    (mail,) = postman.collect()
    mail = only(postman.reply(mail, "1,1"), people[1])
    postman.reply(mail, "2,2")
    assert now(row).entries == 1
    postman.reply(mail, "2,2 3,3")
    assert now(row).entries == 3


def test_a_number_guards_against_what_happened_meanwhile(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    asked(postman, people[0], f"move {row.code} 1,1#3")
    assert now(row).entries == 0
    asked(postman, people[0], f"move {row.code} 1,1#0")
    assert now(row).entries == 1


def said(mail: dict[str, Any]) -> str:
    return " ".join(mail["text"].split())


def test_boards_have_numbers_from_101_that_mails_say_and_take(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    assert begun(*map(Sitter, people), game="ren", options={}).number == row.number + 1 > 101
    number, mails = row.number, postman.collect()
    mail = next(each for each in mails if each["subject"] == f"Rin board {number} #0: your turn")
    assert f"Rin, size 4, board {number}" in mail["text"] and f"write 'move {number}#0 " in said(mail)
    asked(postman, people[0], f"move {number}#3 1,1")
    assert now(row).entries == 0, "the number of turns guards the move"
    asked(postman, people[0], f"rin move {number} ada secret 1,1#0")
    assert now(row).entries == 1
    asked(postman, people[1], f"chat {number} Hello!\nqueue {number} 2,2 3,3\nundo {number + 1}")
    assert now(row).entries == 3 and row.messages.get().text == "Hello!"
    (shown,) = postman.reply(mail, f"show {number}#1")
    assert f"Board {number} after move 1" in shown["text"]
    asked(postman, people[0], f"resign {number + 1}")
    assert not now(row).is_over and models.Table.objects.get(pk=row.pk + 1).is_over
    (lists,) = asked(postman, people[0], "games")
    assert str(number) in lists["text"] and row.code not in lists["text"]


@pytest.mark.parametrize(
    "line",
    ["show {}", "show {}#0", "history {}", "preview {} 1,1", "move {} 1,1", "subscribe {}", "accept {}"],
)
def test_a_number_shows_nobody_a_board_that_they_may_not_see(
    postman: Postman, people: list[Guest], row: models.Table, line: str
) -> None:
    cleo, none = correspondent("cleo"), row.number + 1000
    postman.collect()
    for number in (none, row.number):
        (answer,) = asked(postman, cleo, line.format(number))
        assert f"no board {number}, and there is no public one" in said(answer)
        assert not re.search(r"\bAda\b", answer["text"]) and "Reply with" in answer["text"]
    (answer,) = postman.deliver(written(EVE, f"show {row.number}"))
    assert f"You have no board {row.number}" in said(answer)
    listed(row)
    (answer,) = asked(postman, cleo, f"show {row.number}")
    assert answer["subject"] == f"Rin board {row.number} #0: Ada to move"


def test_who_subscribes_to_a_board_may_name_its_number(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    cleo = correspondent("cleo")
    postman.collect()
    asked(postman, cleo, f"subscribe {row.code}")
    (answer,) = asked(postman, cleo, f"show {row.number}")
    assert answer["subject"] == f"Rin board {row.number} #0: Ada to move"
    asked(postman, cleo, f"unsubscribe {row.number}")
    assert not Subscription.objects.exists()


def test_several_players_accept_one_proposal_by_mails_that_they_had_before(postman: Postman) -> None:
    people = [correspondent(name) for name in ("ada", "bob", "cleo")]
    row = begun(*map(Sitter, people), game="rings", options={"size": 3, "players": 3})
    (mail,) = postman.collect()
    played = only(postman.reply(mail, now(row).match.position.legal()[0]), people[0])
    offer = postman.reply(played, "undo")
    bobs, cleos = (only(offer, guest) for guest in people[1:])
    assert now(row).offer.waiting == (1, 2)
    postman.reply(bobs, "accept")
    assert now(row).offer.waiting == (2,)
    answers = postman.reply(cleos, "accept\n\nAs you like.")
    assert now(row).offer is None and now(row).match.position.ply == 0
    theirs = only(answers, people[0])
    assert theirs["subject"] == f"Rings board {row.number} #0: your turn" and "As you like." in theirs["text"]


def test_a_draw_is_proposed_and_rejected(postman: Postman, people: list[Guest], row: models.Table) -> None:
    (mail,) = postman.collect()
    theirs = only(postman.reply(mail, "propose draw"), people[1])
    assert now(row).offer and now(row).offer.kind == "draw"
    postman.reply(theirs, "reject")
    assert now(row).offer is None and not now(row).is_over


def test_a_takeback_is_proposed_and_accepted(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    mine = only(postman.reply(mail, "1,1"), people[0])
    theirs = only(postman.reply(mine, "undo"), people[1])
    postman.reply(theirs, "accept")
    assert now(row).match.position.ply == 0


def test_a_swap_and_a_pass(postman: Postman, people: list[Guest]) -> None:
    row = begun(*map(Sitter, people), game="ren", options={"size": 4}, swap=True)
    (mail,) = postman.collect()
    mail = only(postman.reply(mail, "pass"), people[1])
    assert now(row).entries == 1
    postman.reply(mail, "swap")
    assert now(row).match.current_game.players == (1, 0)


def test_who_resigns_before_all_have_begun_ends_the_game(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    postman.reply(mail, "resign")
    assert now(row).is_over and now(row).abort


def test_who_resigns_later_loses(postman: Postman, people: list[Guest], row: models.Table) -> None:
    (mail,) = postman.collect()
    mail = only(postman.reply(mail, "1,1"), people[1])
    mail = only(postman.reply(mail, "2,2 3,3"), people[0])
    answers = postman.reply(mail, "resign")
    assert now(row).ending.winners == (1,)
    assert {each["to"] for each in answers} == {guest.user.email for guest in people}


def test_a_turn_is_submitted_and_then_confirmed(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    (shown,) = postman.reply(mail, "submit 1,1")
    assert now(row).entries == 0 and "confirm" in shown["text"]
    postman.reply(shown, "confirm")
    assert now(row).entries == 1
    postman.reply(shown, "confirm")
    assert now(row).entries == 1 and Confirmation.objects.get().done_at


def test_a_submitted_turn_is_confirmed_by_its_board_as_well(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    postman.reply(mail, "submit 1,1")
    postman.reply(mail, "confirm")
    assert now(row).entries == 1


def test_a_turn_is_kept_until_it_is_ones_turn(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    postman.collect()
    (answer,) = asked(postman, people[1], f"queue {row.code} 2,2 3,3")
    assert "2,2 3,3" in answer["text"] and QueuedTurn.objects.get().text == "2,2 3,3"
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="a-key-of-a-page")
    assert now(row).entries == 3 and not QueuedTurn.objects.exists()
    assert now(row).history[-1].at == now(row).history[0].at, "it takes none of bob's time"


def test_a_kept_turn_that_is_illegal_is_dropped_and_told(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    postman.collect()
    asked(postman, people[1], f"queue {row.code} 1,1 3,3")
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="a-key-of-a-page")
    mail = only(postman.collect(), people[1])
    assert now(row).entries == 1 and "couldn’t be played:" in mail["text"]
    postman.reply(mail, "unqueue")
    assert now(row).entries == 1


def test_what_is_kept_is_dropped_again(postman: Postman, people: list[Guest], row: models.Table) -> None:
    postman.collect()
    asked(postman, people[1], f"queue {row.code} 2,2 3,3")
    asked(postman, people[1], f"unqueue {row.code}")
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="a-key-of-a-page")
    assert now(row).entries == 1


def test_a_preview_needs_no_right_and_changes_nothing(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    postman.collect()
    (answer,) = postman.deliver(written(EVE, f"preview {row.code} 1,1"))
    assert now(row).entries == 0 and answer["to"] == EVE and "1,1" in answer["text"]
    (answer,) = postman.deliver(written(EVE, "preview new rin 1,1 2,2 3,3"))
    assert answer["to"] == EVE and "Rin" in answer["text"]


def test_a_stranger_sees_a_board_whose_code_they_know(postman: Postman, row: models.Table) -> None:
    postman.collect()
    (answer,) = postman.deliver(written(EVE, f"show {row.code}"))
    assert row.code in answer["text"] and "+" not in answer["headers"]["Reply-To"].partition("@")[0]
    assert "play+" not in answer["text"]


@pytest.mark.parametrize(
    "text", ["games", "show", "history", "resign {code}", "seek rin", "notify turns off", "limit reject"]
)
def test_a_stranger_does_nothing_in_anybodys_name(text: str, postman: Postman, row: models.Table) -> None:
    postman.collect()
    (answer,) = postman.deliver(written(EVE, text.format(code=row.code)))
    assert "recognise you" in " ".join(answer["text"].split()) and not Seek.objects.exists()


def test_people_challenge_each_other(postman: Postman, people: list[Guest]) -> None:
    ada, bob = people
    mails = asked(postman, ada, "challenge rin bob size=4")
    seek = Seek.objects.get()
    assert seek.kind == "challenge" and seek.pace == "days" and seek.terms["sizes"] == [4]
    theirs = only(mails, bob)
    assert f"Code: {seek.code}" in theirs["text"]
    mails = postman.reply(theirs, f"accept {seek.code}")
    row = models.Table.objects.get()
    assert set(row.seats.values_list("guest", flat=True)) == {ada.pk, bob.pk}
    assert row.code in "".join(mail["text"] for mail in mails)


def test_a_challenge_is_rejected_or_withdrawn(postman: Postman, people: list[Guest]) -> None:
    ada, bob = people
    theirs = only(asked(postman, ada, "challenge rin bob"), bob)
    postman.reply(theirs, f"reject {Seek.objects.get().code}")
    assert Seek.objects.get().ending == "declined"
    asked(postman, ada, "challenge rin bob")
    seek = Seek.objects.get(ended_at=None)
    asked(postman, ada, f"withdraw {seek.code}")
    assert not Seek.objects.filter(ended_at=None).exists() and not models.Table.objects.exists()


def test_seeks_meet_and_end(postman: Postman, people: list[Guest]) -> None:
    ada, bob = people
    asked(postman, ada, "seek rin size=4")
    seek = Seek.objects.get()
    (listed,) = asked(postman, bob, "list")
    assert seek.code in listed["text"]
    asked(postman, bob, f"accept {seek.code}")
    assert models.Table.objects.count() == 1
    asked(postman, ada, "seek ren")
    asked(postman, ada, "seek off")
    assert not Seek.objects.filter(ended_at=None).exists()


def test_a_remark_under_a_challenge_and_its_answers_reaches_the_others(postman: Postman) -> None:
    ada, bob, cleo = people = [correspondent(name) for name in ("ada", "bob", "cleo")]
    mails = asked(postman, ada, "challenge rings bob cleo -size=3\n\nAnother one,\nlike last year?")
    seek = Seek.objects.get()
    for guest in (bob, cleo):
        assert "Another one, like last year?" in only(mails, guest)["text"]
    asked(postman, bob, f"accept {seek.code}\nGladly!")
    mails = asked(postman, cleo, f"accept {seek.code}\nMe too.")
    table = models.Table.objects.get()
    spoken = [(each.author, each.text) for each in table.messages.order_by("pk")]
    assert spoken == [(ada, "Another one, like last year?"), (bob, "Gladly!"), (cleo, "Me too.")]
    told = next(mail for mail in mails if "your turn" in mail["subject"])
    own = next(guest for guest in people if guest.user.email == told["to"])
    assert all(text in told["text"] for author, text in spoken if author != own)


def test_a_remark_that_may_not_be_passed_on_is_told_and_all_else_is_done(
    postman: Postman, people: list[Guest]
) -> None:
    ada, bob = people
    mails = asked(postman, ada, f"challenge rin bob\n\n{'Well, ' * 60}")
    assert "wasn’t sent. Messages can have up to 300 characters" in said(only(mails, ada))
    seek = Seek.objects.get()
    assert seek.remark == "" and "Well" not in only(mails, bob)["text"]
    set_messages_off(bob, is_off=True)
    mails = asked(postman, ada, "challenge ren bob\n\nHow are you?")
    assert "How are you" not in only(mails, bob)["text"]


def test_the_days_until_a_reminder_are_terms_of_the_game(postman: Postman, people: list[Guest]) -> None:
    ada, bob = people
    (answer,) = asked(postman, ada, "challenge rin bob -days=3 -nagtime=7")
    assert (
        "eminders are for correspondence games, before time runs out" in said(answer)
        and not Seek.objects.exists()
    )
    asked(postman, ada, "challenge rin bob -size=4 -days=21 -nagtime=10 -handicap")
    asked(postman, bob, f"accept {Seek.objects.get().code}")
    row = models.Table.objects.get()
    assert now(row).time == TimeControl(21 * DAY, kind="days", nag=10 * DAY) and not row.is_rated
    for _ in range(3):
        turn = random_turn(now(row).match.position, random.Random(1))
        seat, key = now(row).to_act, f"turn {row.entries}"
        services.add(row.code, [("play", action) for action in turn], seat=seat, base=row.entries, key=key)
    assert now(row).clock.deadline == now(row).at + 21 * DAY and row.warn_at == now(row).at + 10 * DAY


def test_nobody_unknown_is_challenged(postman: Postman, people: list[Guest]) -> None:
    (answer,) = asked(postman, people[0], "challenge rin nobody")
    assert "nobody" in answer["text"] and not Seek.objects.exists()


def test_who_takes_no_challenges_says_so(postman: Postman, people: list[Guest]) -> None:
    ada, bob = people
    asked(postman, bob, "limit reject")
    assert LobbyGuest.objects.get(guest=bob).challenges_from == "nobody"
    asked(postman, ada, "challenge rin bob")
    assert not Seek.objects.exists()
    asked(postman, bob, "limit accept")
    assert LobbyGuest.objects.get(guest=bob).challenges_from == "all"


def test_who_plays_as_many_games_as_they_want_is_not_challenged(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    ada, bob = people
    postman.collect()
    (answer,) = asked(postman, bob, "limit 1")
    assert "You accept challenges while you have no game in progress" in " ".join(
        answer["text"].split()
    ) and "games in progress: 1" in " ".join(answer["text"].split())
    assert LobbyGuest.objects.get(guest=bob).most_games == 1
    (answer,) = asked(postman, ada, "challenge ren bob")
    assert "game at a time and is already playing" in answer["text"] and not Seek.objects.exists()
    asked(postman, bob, "limit 2")
    asked(postman, ada, "challenge ren bob")
    assert Seek.objects.count() == 1
    (answer,) = asked(postman, bob, "limit rin 3")
    assert (
        "leave out rin" in " ".join(answer["text"].split())
        and LobbyGuest.objects.get(guest=bob).most_games == 2
    )
    asked(postman, bob, "limit accept")
    assert LobbyGuest.objects.get(guest=bob).most_games is None


def test_news_of_seeks_and_of_messages_are_wished_by_mail(postman: Postman, people: list[Guest]) -> None:
    ada = people[0]
    assert not {"new_seeks", "table_message"} & wanted_kinds(ada.pk, "mail")
    (answer,) = asked(postman, ada, "notify seeks on\nnotify chat on")
    assert {"new_seeks", "message", "table_message"} <= wanted_kinds(ada.pk, "mail")
    assert [line.split() for line in answer["text"].splitlines() if "seeks" in line] == [["seeks", "on"]] * 2
    asked(postman, ada, "notify seeks off")
    assert "new_seeks" not in wanted_kinds(ada.pk, "mail")


def test_what_is_mailed_is_chosen_by_mail(postman: Postman, people: list[Guest]) -> None:
    ada = people[0]
    (answer,) = asked(postman, ada, "notify")
    assert "turns" in answer["text"]
    asked(postman, ada, "notify turns off\nnotify results off\nnotify digest on")
    mailing = Mailing.objects.get(guest=ada)
    assert not mailing.plays_by_mail and mailing.pace == "day" and "over" not in wanted_kinds(ada.pk, "mail")
    asked(postman, ada, "notify turns on")
    assert Mailing.objects.get(guest=ada).plays_by_mail


def test_who_watches_gets_every_turn(postman: Postman, people: list[Guest], row: models.Table) -> None:
    postman.collect()
    cleo = correspondent("cleo", plays_by_mail=False)
    asked(postman, cleo, f"subscribe {row.code}")
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="a-key-of-a-page")
    mail = only(postman.collect(), cleo)
    assert row.code in mail["text"]
    postman.reply(mail, "unsubscribe")
    assert not Subscription.objects.exists()


def test_lists_show_what_is_ones_own_and_what_everybody_may_see(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    postman.collect()
    (answer,) = asked(postman, people[0], "games\nhistory\nstandings\nlist")
    assert f"  {row.number}  Rin" in answer["text"] and row.code not in answer["text"]
    (answer,) = asked(postman, people[1], "games ada")
    assert f"  {row.number}  Rin" not in answer["text"], "it isn't listed"
    (answer,) = asked(postman, people[1], f"history {row.code}")
    assert row.code in answer["text"]


def test_a_message_goes_to_people(postman: Postman, people: list[Guest], row: models.Table) -> None:
    postman.collect()
    (answer,) = asked(postman, people[0], f"message {people[1].handle}: hello\nmessage nobody: hello")
    assert [each.text for each in people[1].direct_messages_to.all()] == ["hello"]
    assert "no player called nobody" in " ".join(answer["text"].split())
    asked(postman, people[0], f"message {people[1].handle}\n\nDear Bob,\nwell played")
    assert people[1].direct_messages_to.last().text == "Dear Bob,\nwell played"
    set_messages_off(people[1], is_off=True)
    (answer,) = asked(postman, people[0], f"message {people[1].handle}: hello")
    assert "doesn’t accept messages" in " ".join(answer["text"].split())


def test_a_message_to_several_goes_to_all_or_to_none(postman: Postman, people: list[Guest]) -> None:
    (answer,) = asked(postman, people[0], f"message {people[1].handle}, {people[0].handle}: hello")
    assert "yourself" in answer["text"] and not people[1].direct_messages_to.exists()


def test_who_only_seems_to_write_confirms_a_message_first(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    postman.reply(mail, f"message {people[1].handle}: hello")
    assert not people[1].direct_messages_to.exists()


def test_a_message_stands_beside_the_board_once(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    postman.collect()
    (answer,) = asked(postman, people[0], f"chat {row.code} good luck\nchat {row.code} good luck")
    assert [message.text for message in row.messages.all()] == ["good luck"] * 2
    assert "game chat" in " ".join(answer["text"].split())
    set_messages_off(people[0], is_off=True)
    (answer,) = asked(postman, people[0], f"chat {row.code} are you there?")
    assert row.messages.count() == 2 and "turned on" in " ".join(answer["text"].split())


def test_what_stands_below_a_turn_goes_to_the_others_at_the_board(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    mails = postman.reply(mail, "1,1\n\nWhat a fine opening, don't you think?")
    assert now(row).entries == 1
    assert [message.text for message in row.messages.all()] == ["What a fine opening, don't you think?"]
    theirs = only(mails, people[1])
    assert "What a fine opening" in theirs["text"]
    mails = postman.reply(theirs, "2,2 3,3\n\n" + "word " * 100)
    assert now(row).entries == 3 and row.messages.count() == 1
    assert "300 characters" in " ".join(only(mails, people[1])["text"].split())


def test_nothing_is_said_with_a_turn_that_was_not_played(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    postman.reply(mail, "99,99\n\nNow I have you.")
    assert now(row).entries == 0 and not row.messages.exists()


def test_several_commands_go_in_one_mail(postman: Postman, people: list[Guest], row: models.Table) -> None:
    other = begun(*map(Sitter, people), game="ren", options={"size": 4})
    postman.collect()
    answers = asked(
        postman, people[0], f"move {row.code} 1,1\nmove {other.code} a1\nmove {other.code} a2\ngames"
    )
    assert now(row).entries == now(other).entries == 1
    assert len([mail for mail in answers if mail["to"] == people[0].user.email]) == 1


def test_answers_speak_their_reader_s_language(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    Mailing.objects.filter(guest=people[0]).update(language="de")
    (mail,) = postman.collect()
    (answer,) = postman.reply(mail, "resign elsewhere12")
    assert mail["text"] and 'lang="de"' in mail["html"] and address_of("ada") == answer["to"]


@pytest.mark.parametrize(
    "remark",
    [
        "Resign is bad",
        "Resign already, Bob!",
        "Accept my apologies",
        "Swap stories later?",
        "Pass it on",
        "Withdraw your stones!",
        "Aufgeben ist feige",
        "Hi Bob,",
        "Ty for the game",
    ],
)
def test_a_remark_does_nothing_but_reach_the_other(
    remark: str, postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    mails = postman.reply(mail, f"1,1\n{remark}")
    assert [entry.kind for entry in now(row).history] == ["play"] and not now(row).is_over
    assert [message.text for message in row.messages.all()] == [remark]
    assert f"writes:\n  {remark}" in only(mails, people[1])["text"]
    assert "Your message was added to the game chat" in only(mails, people[0])["text"]


def test_a_remark_alone_is_passed_on_and_its_sender_learns_that_no_turn_was_found(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    mails = postman.reply(mail, "Hi Bob,\n\nResign is bad.")
    assert now(row).entries == 0
    assert [message.text for message in row.messages.all()] == ["Hi Bob, Resign is bad."]
    mine = " ".join(only(mails, people[0])["text"].split())
    assert (
        "Your message was added to the game chat" in mine
        and "Your email contained no move or command, so it’s still your turn" in mine
    )
    assert row.code in mine
    again = only(postman.reply(mail, ""), people[0])
    assert (
        "Your email contained no move or command, so it’s still your turn" in " ".join(again["text"].split())
        and row.messages.count() == 1
    )
    theirs = only(postman.reply(again, "1,1"), people[1])
    assert now(row).entries == 1
    again = only(postman.reply(again, "Waiting for you"), people[0])
    assert "still your turn" not in again["text"]
    postman.reply(theirs, "Hi Ada,\n\n2,2 3,3\n\nThere!")
    assert now(row).entries == 3 and row.messages.last().text == "Hi Ada, There!"


def test_a_password_in_a_subject_is_in_no_later_subject(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    postman.collect()
    to = reply_address(Token.new(Purpose.ACCOUNT, people[0].pk))
    for subject in (
        f"rin move {row.code} ada sesame 9,9",
        f"mvoe {row.code} ada sesame 1,1",
        "resign nowhere123 ada sesame",
        "rin limit ada sesame 3",
        "signoff ada sesame",
        "change password ada sesame sesame2",
        "add ada sesame new@example.net",
        "message ada sesame bob: hello",
        "Ada sesame hello",
    ):
        mails = postman.deliver(written(people[0].user.email, "", to=to, subject=subject), to=to)
        mails += postman.deliver(written(EVE, "", subject=subject))
        assert mails and not any("sesame" in mail["subject"] for mail in mails), mails
        again = postman.reply(mails[0], "show")
        assert not any("sesame" in mail["subject"] for mail in again)
    (answer,) = postman.deliver(written(people[0].user.email, "games", to=to, subject="My boards"), to=to)
    assert answer["subject"] == "Re: My boards"


def test_a_point_beyond_the_board_is_called_that(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    (answer,) = postman.reply(mail, "4,4")
    assert "There is no point '4,4' on this board: points are 0,0 to 3,3." in " ".join(answer["text"].split())
    ren = begun(*map(Sitter, people), game="ren", options={"size": 4})
    (mail,) = postman.collect()
    (answer,) = postman.reply(mail, "F6")
    assert "There is no point 'F6' on this board" in answer["text"] and now(ren).entries == 0


def test_a_turn_kept_on_one_s_own_turn_is_played_at_once_and_said_to_be(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    answer = only(postman.reply(mail, "queue 1,1"), people[0])
    assert now(row).entries == 1 and not QueuedTurn.objects.exists()
    assert "so this move has been played" in " ".join(answer["text"].split())


def test_an_answer_to_a_preview_may_be_another_or_a_turn(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    (shown,) = postman.reply(mail, "preview 1,1")
    (shown,) = postman.reply(shown, "preview 2,2 1,1 3,3")
    assert f"Board {row.number} after 2,2 1,1 3,3" in shown["text"] and now(row).entries == 0
    (shown,) = asked(postman, people[0], f"preview {row.code} 0,0")
    postman.reply(shown, "2,2")
    assert now(row).entries == 1


def test_a_preview_with_a_note_can_be_answered_too(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    (shown,) = postman.reply(mail, f"preview {row.code} ada sesame 1,1")
    assert "password" in shown["text"]
    postman.reply(shown, "2,2")
    assert now(row).entries == 1


def listed(row: models.Table) -> models.Table:
    models.Table.objects.filter(pk=row.pk).update(listed_at=timezone.now())
    return row


def test_boards_of_people_are_shown_or_said_to_be_none(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    ada = people[0]
    postman.collect()
    for text in ("show bob", "all show bob", "show bob finished", "ren show bob", "show bob next"):
        (answer,) = asked(postman, ada, text)
        said = " ".join(answer["text"].split())
        assert "Bob has no public boards" in said and "Commands" not in said, text
    ren = begun(*map(Sitter, people), game="ren", options={"size": 4})
    listed(row), listed(ren)
    postman.collect()
    services.add(ren.code, [("resign", None)], seat=0, base=0, key="a-key-of-a-page")
    postman.collect()
    for text, codes in (
        ("show bob", [row.code]),
        ("all show bob", [row.code]),
        ("show bob all", [row.code, ren.code]),
        ("all show bob all", [row.code, ren.code]),
        ("rin show bob all", [row.code]),
        ("show bob finished", [ren.code]),
        ("games bob all", [row.code, ren.code]),
        ("games bob", [row.code]),
    ):
        mails = asked(postman, ada, text)
        text_of_all = "".join(mail["text"] for mail in mails)
        named = {row.code: f"/{row.code}|^ *{row.number} ", ren.code: f"/{ren.code}|^ *{ren.number} "}
        found = [code for code, where in named.items() if re.search(where, text_of_all, re.MULTILINE)]
        assert found == codes, text


def test_a_turn_that_was_kept_is_marked_where_it_is_told(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    (mail,) = postman.collect()
    asked(postman, people[1], f"queue {row.code} 2,2 3,3")
    theirs = postman.reply(mail, "1,1")[-1]
    assert "Black plays 1,1. White plays 2,2 3,3 (Auto)." in " ".join(theirs["text"].split())
    mine = only(postman.reply(theirs, "0,0 0,1"), people[1])
    said = " ".join(mine["text"].split())
    assert "Your queued move was played: 2,2 3,3 (Auto). Black plays 0,0 0,1." in said
    theirs = only(postman.reply(mine, "2,0 2,1"), people[0])
    assert "Auto" not in theirs["text"]


def test_a_board_s_mail_tells_one_moment_as_the_page_on_mail_has_it(
    postman: Postman, people: list[Guest], row: models.Table
) -> None:
    Guest.objects.filter(pk=people[0].pk).update(zone="Europe/Berlin")
    (mail,) = postman.collect()
    said = " ".join(mail["text"].split())
    until = re.search(r"Deadline: (.*?)\. Moves so far", said)
    days = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    assert until and re.fullmatch(rf"({days}) \d{{1,2}} [A-Z][a-z]+, \d\d:\d\d CES?T", until[1]), said
    assert " left" not in said
    Mailing.objects.filter(guest=people[0]).update(language="de")
    (mail,) = postman.reply(mail, f"show {row.code}")
    assert re.search(r"(tag|woch),? \d{1,2}\.? \w+, \d\d:\d\d CES?T", " ".join(mail["text"].split()))
    bank = services.begin(
        MatchConfig(catalog.game("ren", size=4)),
        [*map(Sitter, people)],
        TimeControl(9 * DAY, DAY, "bank", 9 * DAY),
    )
    mail = next(each for each in postman.collect() if f"Brett {bank.number} " in each["subject"])
    assert re.search(r"Weiß: Bob.*9 d 0 h", mail["text"]) and not re.search(
        r"Schwarz: Ada.*9 d", mail["text"]
    )
