"""After the erasure of a person who has used every feature, no column of any table names them."""

import html
import json
from email.message import EmailMessage
from typing import Any
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.mail import EmailMultiAlternatives
from django.db import connection

from kakomi import catalog
from kakomi.server.accounts import tokens
from kakomi.server.accounts.models import Guest, SignIn, User
from kakomi.server.accounts.selectors import models_of_people, rows_of
from kakomi.server.accounts.services import block, make_bot
from kakomi.server.analysis import services as studies
from kakomi.server.analysis.selectors import record_at_table
from kakomi.server.chat import direct_messages
from kakomi.server.chat import services as chat
from kakomi.server.lobby import services as lobby
from kakomi.server.lobby.models import LobbyGuest, Place
from kakomi.server.mail import inbox
from kakomi.server.mail.models import Confirmation, Correspondent, ReceivedMail, Subscription
from kakomi.server.moderation import erasure_requests, reports
from kakomi.server.moderation.commands import AnswerAppeal, DemandName, Lift, Mute
from kakomi.server.moderation.models import Appeal, Measure
from kakomi.server.moderation.reports import Complaint
from kakomi.server.notices import push
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.preferences import save_preference
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.vacations import tell_vacations
from kakomi.server.people.erasure import erase
from kakomi.server.puzzles.models import Attempt
from kakomi.server.ratings.models import CurrentRating, Entrant, Pool, Result, Ruling
from kakomi.server.rules.models import CompletedLesson
from kakomi.server.site import clock
from kakomi.server.tables import models, selectors, vacations
from kakomi.server.tables import services as tables
from kakomi.server.tables.models import TimeOff, Vacation
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.vacations import RegularTimeOff
from kakomi.server.tournaments import services as tournaments
from kakomi.server.tournaments.models import CalendarAddress
from kakomi.server.tournaments.services import rename
from kakomi.session import MatchConfig
from server.lobby_people import DAYS, sought
from server.moderated import decide
from server.people import make_user, signed_in
from server.push_agent import UserAgent
from server.staff import make_staff
from server.tournament_people import asked_for, go_on, play_round

pytestmark = pytest.mark.django_db

NAME, HANDLE, MAIL = "Ada O'Lovelace", "comtéss", "ada@analytical.example"


def written_in(*texts: str) -> set[str]:
    """The database columns, as `table.column`, that contain one of the texts, escaped or not, in any case."""
    spelled = {form.casefold() for text in texts for form in (text, html.escape(text), quote(text))}
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for column in connection.introspection.get_table_description(cursor, table):
                cursor.execute(f'SELECT "{column.name}" FROM "{table}"')
                for (value,) in cursor.fetchall():
                    kept = bytes(value).decode() if isinstance(value, bytes | memoryview) else str(value)
                    flat = " ".join(kept.replace("\\n", " ").casefold().split())
                    if any(form in flat or json.dumps(form)[1:-1] in flat for form in spelled):
                        found.add(f"{table}.{column.name}")
    return found


def begun(*guests: Guest) -> models.Table:
    sitters = [Sitter(guest, name=guest.name) for guest in guests]
    return tables.begin(MatchConfig(catalog.game("rin", size=4)), sitters, DAYS)


def mail_of(sender: str, text: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, "play@games.example", "a game"
    mail.set_content(text)
    return mail.as_bytes()


def challenge_both_ways(ada: Guest, bob: Guest) -> None:
    for owner, invitee in ((ada, bob), (bob, ada)):
        for ending in ("declined", "withdrawn", "waiting"):
            seek = sought(owner, ending, kind="challenge", control=DAYS, invitees=[invitee])
            if ending == "declined":
                lobby.decline(seek.code, invitee, "")
            if ending == "withdrawn":
                lobby.withdraw(seek.code, owner)
    now = clock.now()
    Place.objects.create(seek=seek, guest=ada, round=1, joined_at=now, seen_at=now)
    LobbyGuest.objects.get_or_create(guest=ada)


def write_to_each_other(ada: Guest, bob: Guest, row: models.Table) -> None:
    direct_messages.send_message(ada, bob, f"I am {NAME}", "1")
    direct_messages.send_message(bob, ada, f"Hello {NAME}", "1")
    chat.write_message(row, ada, f"{NAME} says hello", "1")
    chat.set_messages_off(ada, is_off=True)
    chat.save_note(ada, row, f"written by {NAME}")


def be_mailed(ada: Guest, user: User) -> None:
    save_preference(ada, "over", "mail", is_on=False)
    Mailing.objects.get_or_create(guest=ada)
    Correspondent.objects.create(guest=ada, bounced_to=MAIL)
    mail = EmailMultiAlternatives(
        "News", f"it is\n{NAME.replace(' ', chr(10))}", "site@localhost", ["cleo@example.org"]
    )
    mail.attach_alternative(f"<a href='/@{quote(HANDLE)}'>{html.escape(NAME)}</a>", "text/html")
    mail.send()
    EmailMultiAlternatives("To you", f"Dear {NAME}", "site@localhost", [MAIL]).send()
    address = EmailAddress.objects.create(user=user, email=MAIL, verified=True, primary=True)
    EmailConfirmation.create(address)
    inbox.receive(mail_of(MAIL, "boards"), sender=MAIL)
    ReceivedMail.objects.update(guest=ada)
    inbox.receive(mail_of("bob@example.org", f"challenge rin {HANDLE}"), sender="bob@example.org")
    ReceivedMail.objects.filter(sender__startswith="bob").update(state="parked")
    data = {"name": HANDLE, "address": MAIL, "language": "en"}
    kept = {"created_at": 1.0, "expires_at": 9e9, "data": data}
    Confirmation.objects.create(key="1", kind="signup", guest=None, **kept)
    Confirmation.objects.create(key="2", kind="signup", guest=ada, **kept)


def rest(ada: Guest) -> None:
    now = clock.now()
    vacations.choose_time_off(ada, RegularTimeOff(weekend=(5, 6)))
    Vacation.objects.create(guest=ada, start=now - 60, end=now + 864000, tell_at=now - 60)
    tell_vacations()


def play_tournaments(ada: Guest, bob: Guest, staff: User) -> None:
    with clock.time_from(lambda: 1.0):
        cup = tournaments.create(ada, asked_for(name=f"{NAME}’s cup"), "cup")
        others = tournaments.create(bob, asked_for(name="Bob’s cup"), "other")
    for guest in (ada, bob, make_user("eve").guest):
        tournaments.enter(cup, guest)
        tournaments.enter(others, guest)
    go_on(cup)
    play_round(cup)
    cup.refresh_from_db()
    game = cup.rounds.get(number=1).games.get(number=1)
    seats = [seat.guest_id for seat in game.table.seats.order_by("number")]
    assert seats, "somebody plays somebody"
    tournaments.correct(
        cup, ada, number=1, table=1, places=[1, 0], reason=f"{NAME} did not come", version=cup.version
    )
    rename(others, staff, "Another cup", f"{NAME} wanted that", "rename")


def be_moderated(ada: Guest, bob: Guest, staff: User, row: models.Table) -> None:
    reports.file_report(bob, Complaint(ada, "name", f"{NAME} is no name", row))
    reports.file_report(ada, Complaint(bob, "conduct", f"{NAME} has seen it", row))
    for guest in (ada, bob):
        decide(staff, guest, Mute(3), f"what was written to {NAME}", f"mute-{guest.pk}")
        measure = Measure.objects.get(about=guest)
        Appeal.objects.create(measure=measure, by=guest, text=f"it was {NAME}", at=1.0)
        decide(
            staff, guest, AnswerAppeal(measure.pk, is_granted=False), f"{NAME} is right", f"answer-{guest.pk}"
        )
        decide(staff, guest, Lift(measure.pk), f"{NAME} has forgiven it", f"lift-{guest.pk}")
    decide(staff, ada, DemandName(), f"{NAME} is not nice")
    erasure_requests.ask(ada, staff, "they want it", "erase")
    result = Result.objects.create(
        table=row, pool=Pool.objects.create(game="rin", size_class="s", pace="days"), ended_at=1.0
    )
    Entrant.objects.create(result=result, seat=0, guest=ada, place=0)
    Ruling.objects.create(result=result, by=staff, at=1.0, annuls=True, reason=f"{NAME} had help")
    CurrentRating.objects.create(pool=result.pool, guest=ada, mean=0.0, sigma=1.0, games=1)


def be_signed_in(user: User, staff: User) -> None:
    signed_in(user)
    SignIn.objects.create(key_hash="1", data=json.dumps({"account_login": {"email": MAIL}}))
    SignIn.objects.create(key_hash="2", data=json.dumps({"account_login": {"user_pk": str(user.pk)}}))
    SignIn.objects.create(key_hash="3", data=json.dumps({"account_login": {"email": "eve@example.org"}}))
    made = Authenticator.objects.create(user=user, type="webauthn", data={"name": f"key of {NAME}"})
    for model, number in ((User, user.pk), (Authenticator, made.pk)):
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.create(
            user=staff, content_type=kind, object_id=str(number), object_repr=f"of {HANDLE}",
            action_flag=DELETION, change_message=f"of {NAME}",
        )  # fmt: skip


@pytest.fixture
def ada(settings: Any) -> User:
    """A person who has used every feature, and has been the object of every one."""
    settings.EMAIL_BACKEND = "kakomi.server.notices.mail.OutboxBackend"
    user, staff = make_user(HANDLE, NAME, email=MAIL), make_staff("judge", "moderate", "erase")
    ada, bob = user.guest, make_user("bob").guest
    browser = UserAgent().keys
    for guest in (ada, bob):
        url = f"https://push.example/{guest.pk}"
        push.add_browser(guest, url, browser["p256dh"], browser["auth"], f"{guest.name}'s phone")
    row = begun(ada, bob)
    tables.add(row.code, [("play", "1,1")], seat=selectors.table_of(row).to_act, base=0, key="1")
    challenge_both_ways(ada, bob)
    write_to_each_other(ada, bob, row)
    be_mailed(ada, user)
    rest(ada)
    play_tournaments(ada, bob, staff)
    be_moderated(ada, bob, staff, row)
    be_signed_in(user, staff)
    block(ada, bob)
    make_bot(user, f"{HANDLE}-bot")
    tokens.make_token(user, f"laptop of {NAME}", ["read"])
    studies.create(ada, record_at_table(row, 0), title=f"{NAME}’s best", table=row)
    studies.create(bob, record_at_table(row, 0), table=row)
    CompletedLesson.objects.create(guest=ada, game="rin", lesson="first")
    Attempt.objects.create(guest=ada, puzzle="rin/1", answer="1", is_right=True, at=1.0)
    Subscription.objects.create(guest=ada, table=row, created_at=1.0)
    CalendarAddress.objects.create(guest=ada)
    TimeOff.objects.get_or_create(guest=ada)
    push.create_push_deliveries()
    return user


def test_whoever_has_used_every_feature_is_named_nowhere(ada: User) -> None:
    unused = {
        model._meta.label_lower
        for model, fields in models_of_people()
        if not rows_of(ada.guest, model, fields).exists()
    }
    assert unused == {"admin.logentry", "ratings.ruling"}, "what staff alone do"
    assert {"accounts_guest.name", "tournaments_tournament.name"} <= written_in(NAME)
    erase(ada.guest)
    assert written_in(NAME, HANDLE, MAIL) == set()
    assert Delivery.objects.filter(content__to="cleo@example.org").exists()
    assert not ReceivedMail.objects.exists()
    assert SignIn.objects.filter(key_hash="3").exists()
    assert all(NoticeView(notice).words for notice in Notice.objects.all())


def test_no_notice_of_others_and_no_push_holds_a_name(ada: User) -> None:
    assert not {"notices_notice.data", "notices_notice.key"} & written_in(NAME, HANDLE)
    assert not Delivery.objects.filter(channel="push", content__icontains="Ada").exists()
