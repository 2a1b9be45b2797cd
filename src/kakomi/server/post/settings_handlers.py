"""What somebody chooses by mail: what is mailed to them, and which challenges they take."""

from django.utils.translation import gettext

from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import TOPICS
from kakomi.protocol.mail.printing import list_block
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.language import translate
from kakomi.server.lobby import selectors as lobby
from kakomi.server.lobby import services as lobby_services
from kakomi.server.lobby.models import LobbyGuest
from kakomi.server.notices.models import Mailing
from kakomi.server.notices.wishes import keep_wish, wanted_kinds
from kakomi.server.post.models import Subscription
from kakomi.server.post.requests import Request
from kakomi.server.post.results import Result, said, shown
from kakomi.server.tables.selectors import tables_of
from kakomi.session import Refused

_KINDS = {
    "reminders": ("reminder", "time_low"),
    "results": ("over",),
    "challenges": ("challenge", "challenge_declined"),
    "seeks": ("new_seeks",),
    "chat": ("message", "table_message"),
}
"""By topic the kinds of notices that it stands for."""


def notify(request: Request, command: commands.Notify) -> Result:
    """Choose what is told by mail, or show what is chosen."""
    if command.wanted is not None:
        with writing():
            _choose(request.guest, command.topic, is_on=command.wanted)
    return _chosen(request.guest)


def _choose(guest: Guest, topic: str, *, is_on: bool) -> None:
    mailing, _ = Mailing.objects.get_or_create(guest=guest)
    if topic in ("", "turns"):
        mailing.plays_by_mail = is_on
    if topic == "" or (is_on and mailing.pace == "off"):
        mailing.pace = "hour" if is_on else "off"
    if topic == "digest":
        mailing.pace = "day" if is_on else "hour"
    mailing.next_at = 0.0
    mailing.save()
    for kind in _KINDS.get(topic, ()):
        keep_wish(guest, kind, "mail", is_on=is_on)


def _chosen(guest: Guest) -> Result:
    mailing, wanted = (
        Mailing.objects.filter(guest=guest).first() or Mailing(guest=guest),
        wanted_kinds(guest.pk, "mail"),
    )
    is_on = {topic: set(kinds) <= wanted for topic, kinds in _KINDS.items()}
    is_on |= {"turns": mailing.plays_by_mail, "digest": mailing.pace == "day"}
    rows = [
        (topic, gettext("on") if is_on[topic] and mailing.pace != "off" else gettext("off"))
        for topic in TOPICS
        if topic in is_on
    ]
    return Result((list_block(gettext("What is mailed to you"), ("", ""), rows, translate),))


def limit(request: Request, command: commands.Limit) -> Result:
    """Choose which challenges come, or show what is chosen."""
    kept = lobby.settings_of(request.guest)
    if command.changes:
        if command.game:
            raise Refused(
                lazy_message("the limit is for all games together: leave {game} out", game=command.game)
            )
        everybody, nobody = LobbyGuest.From.EVERYBODY, LobbyGuest.From.NOBODY
        kept.challenges_from = nobody if command.most == 0 else everybody
        kept.most_games = command.most or None
        lobby_services.keep_settings(request.guest, kept)
    if kept.challenges_from == LobbyGuest.From.NOBODY:
        return said(lazy_message("You take no challenges."))
    if kept.most_games is None:
        return said(lazy_message("You take challenges."))
    playing = tables_of(request.guest, is_over=False).count()
    limited = lazy_plural(
        "You take challenges while you play no game.",
        "You take challenges while you play fewer than {count} games.",
        count=kept.most_games,
    )
    return said(limited, lazy_message("Games that you play now: {count}.", count=playing))


def subscribe(request: Request, command: commands.Subscribe) -> Result:
    """Be mailed every turn of a board, as somebody who watches."""
    row = request.table(command.board)
    if row.is_over:
        raise Refused(lazy_message("the match is over"))
    with writing():
        Subscription.objects.get_or_create(
            guest=request.guest, table=row, defaults={"created_at": clock.now()}
        )
    return shown(row.code, lazy_message("Every turn of this board is mailed to you from now on."))


def unsubscribe(request: Request, command: commands.Unsubscribe) -> Result:
    """Be mailed no more turns of a board; where none is meant, of none that one watches.

    Who plays at the board plays by mail no more: what they are told otherwise stays.
    """
    guest, is_about_board = request.guest, bool(command.board.code) or request.authority.table is not None
    kept = Subscription.objects.filter(guest=guest)
    if is_about_board:
        row = request.table(command.board)
        kept = kept.filter(table=row)
        if row.seats.filter(guest=guest).exists():
            Mailing.objects.filter(guest=guest).update(plays_by_mail=False)
    kept.delete()
    return said(lazy_message("You get no more of these mails. What is mailed otherwise, notify says."))
