"""Does the commands of mails: each type of `protocol.mail.commands` has its place in a table at the end.

Commands at tables are in `table_handlers`, those that only read in `reading_handlers`; here are settings,
seeks and challenges. These use the lobby's own services, for games over days.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import TOPICS, ParsedLine, Terms
from kakomi.protocol.mail.printing import list_block, problem_block
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.chat.services import on_one_line, why_not_written
from kakomi.server.database import writing
from kakomi.server.language import translate, why
from kakomi.server.lobby import pairing
from kakomi.server.lobby import selectors as lobby
from kakomi.server.lobby import services as lobby_services
from kakomi.server.lobby.models import REMARK_LENGTH, LobbyGuest, Seek
from kakomi.server.lobby.pairing import CONTROLS
from kakomi.server.lobby.services import Outcome, Wish
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.notices.models import Mailing
from kakomi.server.notices.preferences import keep_wish, wanted_kinds
from kakomi.server.post import reading_handlers, remarks, table_handlers
from kakomi.server.post.models import Subscription
from kakomi.server.post.remarks import NOT_PASSED_ON
from kakomi.server.post.requests import Request, Result, Sitting, said, shown, table_meant
from kakomi.server.post.table_handlers import preview, preview_new
from kakomi.server.tables import commands as deeds
from kakomi.server.tables.permissions import Permissions
from kakomi.server.tables.selectors import tables_of
from kakomi.session import Refused


def handle_command(request: Request, line: str) -> Result:
    """Do a command, in a transaction; what can't be done is a result that says why."""
    try:
        with writing():  # all of it, or nothing
            return _HANDLERS[type(request.command)](request, request.command)
    except (Refused, IllegalAction, Http404) as error:
        return problem(line, why(error) or str(error), _board_of(request))


def problem(line: ParsedLine | str, reason: str, boards: tuple[tuple[str, str], ...] = ()) -> Result:
    """That a line could not be carried out, why, and the boards that show how things stand."""
    return Result((problem_block(line, reason, translate),), boards, is_problem=True)


def _board_of(request: Request) -> tuple[tuple[str, str], ...]:
    """The board that could not be acted at, for the answer to show."""
    board = getattr(request.command, "board", None)
    row = table_meant(board, request.authority) if board is not None else None
    return ((row.code, ""),) if row is not None else ()


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


def challenge(request: Request, command: commands.Challenge) -> Result:
    """Ask people for a game."""
    found, unknown = lobby.find_people(command.people)
    if unknown:
        raise Refused(lazy_message("nobody signs in as {name}", name=unknown[0]))
    wish = _wish(command.terms, Seek.Kind.CHALLENGE)
    remark, unsaid = _remark(request)
    wish = replace(wish, invitees=found, remark=remark)
    seek = lobby_services.create(request.guest, wish, request.key).seek
    names = ", ".join(str(guest) for guest in found)
    told = lazy_message(
        "You challenge {names}. The challenge has the code {code}; withdraw {code} takes it back.",
        names=names,
        code=seek.code,
    )
    return said(told, *unsaid)


def _remark(request: Request) -> tuple[str, tuple[str, ...]]:
    """The remark below a command as it is passed on, and sentences that explain why it isn't."""
    remark = on_one_line(request.remark)
    if not remark or not (wrong := why_not_written(request.guest, remark, REMARK_LENGTH)):
        return remark, ()
    return "", (NOT_PASSED_ON, wrong)


def look_for(request: Request, command: commands.Seek) -> Result:
    """Wait for opponents; there is a table at once if somebody waits for the same."""
    wish = _wish(command.terms, Seek.Kind.OPEN)
    wish = replace(wish, times=command.times)
    outcome = pairing.look_for(request.guest, wish, request.key)
    return _outcome(
        outcome,
        lazy_message(
            "You wait for opponents under the code {code}; withdraw {code} ends that.", code=outcome.seek.code
        ),
    )


def stop_seeking(request: Request, command: commands.StopSeeking) -> Result:
    """Withdraw one's seeks."""
    seeks = [
        seek.row
        for seek in lobby.own_seeks(request.guest, clock.now())
        if seek.row.is_open and command.game in ("", seek.row.game)
    ]
    if not seeks:
        raise Refused(lazy_message("no seek of yours waits"))
    for row in seeks:
        lobby_services.withdraw(row.code, request.guest)
    return said(lazy_message("Withdrawn: {codes}.", codes=", ".join(row.code for row in seeks)))


def accept(request: Request, code: str) -> Result:
    """Accept a challenge, or join a seek."""
    remark, unsaid = _remark(request)
    outcome = lobby_services.accept(code, request.guest, remark)
    return _outcome(outcome, lazy_message("You have accepted; the game begins when all have."), unsaid)


def reject(request: Request, code: str) -> Result:
    """Decline a challenge."""
    lobby_services.decline(code, request.guest, "")
    return said(lazy_message("You have declined."))


def withdraw(request: Request, code: str) -> Result:
    """Take a challenge or a seek of one's own back."""
    lobby_services.withdraw(code, request.guest)
    return said(lazy_message("Withdrawn: {codes}.", codes=code))


ANSWERS = {commands.Accept: accept, commands.Reject: reject, commands.Withdraw: withdraw}
"""What answers a challenge, or takes one back."""


def is_seek(code: str) -> bool:
    """Whether a code is a challenge's or a seek's."""
    return bool(code) and Seek.objects.filter(code=code).exists()


def _outcome(outcome: Outcome, waits: str, unsaid: Sequence[str] = ()) -> Result:
    if outcome.table is None:
        return said(waits, *unsaid)
    begun = map(translate, (lazy_message("The game has begun."), *unsaid))
    return shown(outcome.table.code, " ".join(begun))


def _wish(terms: Terms, kind: Seek.Kind) -> Wish:
    """What the terms ask for. Raises Refused for a game that isn't over days."""
    control = replace(terms.time or CONTROLS["days"], nag=terms.nag)
    if control.pace != "days":
        raise Refused(lazy_message("games by mail are over days: choose a clock such as 3d"))
    description = catalog.describe(terms.game)
    left_open = description.komi_option if terms.negotiate else None
    options = {name: value for name, value in terms.options.items() if name != left_open}
    game = catalog.game(terms.game, **options)
    wanted = SeekTerms.of(
        game,
        control,
        is_match=terms.games > 1,
        negotiate=terms.negotiate,
        swap=terms.swap,
        leavers=terms.leavers,
    )
    return Wish(kind, wanted, bool(terms.is_rated), game.players, game.players)


def _no_sign_up(request: Request, command: commands.SignUp) -> Result:
    raise Refused(lazy_message("you have an account already"))


def _answered(request: Request, command: commands.Accept | commands.Reject | commands.Withdraw) -> Result:
    """Accept, reject or withdraw: a challenge by its code, else the open offer of a board."""
    if is_seek(command.board.code):
        return ANSWERS[type(command)](request, command.board.code)
    return table_handlers.act(request, command.board, table_handlers.ANSWERS[type(command)])


def _propose(request: Request, command: commands.Propose) -> Result:
    """Make an offer; a takeback that needs nobody's consent is none."""
    at = Sitting.of(request.table(command.board), request.guest)
    if command.offer == "takeback" and Permissions(at.table, at.viewer).undoes_freely:
        return table_handlers.act(request, command.board, deeds.TakeBack())
    return table_handlers.act(request, command.board, deeds.logged_command("offer", command.offer))


def _deed(of: Callable[[Any], deeds.LoggedCommand]) -> Callable[[Request, Any], Result]:
    """The handler of a command that is one entry of a board's log."""
    return lambda request, command: table_handlers.act(request, command.board, of(command))


_HANDLERS: dict[type, Callable[[Request, Any], Result]] = {
    commands.Move: lambda request, command: table_handlers.move(request, command.board, command.text),
    commands.Accept: _answered,
    commands.Reject: _answered,
    commands.Withdraw: _answered,
    commands.NameKomi: _deed(lambda command: deeds.NameKomi(command.komi)),
    commands.ChooseColour: _deed(lambda command: deeds.ChooseColour(command.player)),
    commands.Swap: _deed(lambda command: deeds.Swap()),
    commands.Propose: _propose,
    commands.Resign: lambda request, command: table_handlers.resign(request, command.board),
    commands.Submit: lambda request, command: table_handlers.submit(request, command.board, command.text),
    commands.Confirm: lambda request, command: table_handlers.confirm(request, command.board),
    commands.Queue: lambda request, command: table_handlers.queue_turn(request, command.board, command.text),
    commands.Unqueue: lambda request, command: table_handlers.unqueue(request, command.board),
    commands.Help: lambda request, command: reading_handlers.help_on(command),
    commands.SignUp: _no_sign_up,
    commands.Challenge: challenge,
    commands.Seek: look_for,
    commands.StopSeeking: stop_seeking,
    commands.Preview: preview,
    commands.PreviewNew: lambda request, command: preview_new(command),
    commands.Show: reading_handlers.show,
    commands.Games: reading_handlers.games,
    commands.ListBoards: lambda request, command: reading_handlers.list_boards(command),
    commands.ListGames: lambda request, command: reading_handlers.list_games(),
    commands.Standings: lambda request, command: reading_handlers.standings(command),
    commands.History: reading_handlers.history,
    commands.Subscribe: subscribe,
    commands.Unsubscribe: unsubscribe,
    commands.Notify: notify,
    commands.Limit: limit,
    commands.Chat: lambda request, command: remarks.say(request, command.board, command.text),
    commands.Message: lambda request, command: remarks.write_to(request, command.people, command.text),
}
"""What does each of the commands."""
