"""Handlers for the commands of mails; `_HANDLERS` maps each type in `protocol.mail.commands` to one.

Commands at tables are in `table_handlers`, commands that only read in `reading_handlers`. Here are settings,
seeks and challenges, which use the lobby's services and are for correspondence games only.
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
from kakomi.server.accounts.models import Guest
from kakomi.server.chat.services import on_one_line, why_not_written
from kakomi.server.lobby import pairing
from kakomi.server.lobby import selectors as lobby
from kakomi.server.lobby import services as lobby_services
from kakomi.server.lobby.models import REMARK_LENGTH, LobbyGuest, Seek
from kakomi.server.lobby.pairing import CONTROLS
from kakomi.server.lobby.services import SeekOutcome, Wish
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.mail import reading_handlers, remarks, table_handlers
from kakomi.server.mail.models import Subscription
from kakomi.server.mail.remarks import NOT_PASSED_ON
from kakomi.server.mail.requests import (
    CommandResult,
    Request,
    TableContext,
    board_result,
    table_meant,
    text_result,
)
from kakomi.server.mail.table_handlers import preview, preview_new
from kakomi.server.notices.models import Mailing
from kakomi.server.notices.preferences import save_preference, wanted_kinds
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.language import translate, why
from kakomi.server.tables import commands as table_commands
from kakomi.server.tables.permissions import Permissions
from kakomi.server.tables.selectors import tables_of
from kakomi.session import Refused


def handle_mail_command(request: Request, line: str) -> CommandResult:
    """Carry out a command in a transaction. A refused command gives a result with the reason."""
    try:
        with writing():  # all or nothing
            return _HANDLERS[type(request.command)](request, request.command)
    except (Refused, IllegalAction, Http404) as error:
        return problem_result(line, why(error) or str(error), _board_of(request))


def problem_result(
    line: ParsedLine | str, reason: str, boards: tuple[tuple[str, str], ...] = ()
) -> CommandResult:
    """The result for a line that couldn't be carried out: the reason, and boards to show."""
    return CommandResult((problem_block(line, reason, translate),), boards, is_problem=True)


def _board_of(request: Request) -> tuple[tuple[str, str], ...]:
    """The board of the refused command, for the answer to show."""
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
"""Topic -> the kinds of notices that it covers."""


def notify(request: Request, command: commands.Notify) -> CommandResult:
    """Choose which notices are mailed, or show the choices."""
    if command.wanted is not None:
        with writing():
            _save_mail_settings(request.guest, command.topic, is_on=command.wanted)
    return _mail_settings_result(request.guest)


def _save_mail_settings(guest: Guest, topic: str, *, is_on: bool) -> None:
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
        save_preference(guest, kind, "mail", is_on=is_on)


def _mail_settings_result(guest: Guest) -> CommandResult:
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
    return CommandResult((list_block(gettext("Email notifications"), ("", ""), rows, translate),))


def limit(request: Request, command: commands.Limit) -> CommandResult:
    """Choose when to accept challenges, or show the choice."""
    kept = lobby.settings_of(request.guest)
    if command.changes:
        if command.game:
            raise Refused(
                lazy_message("the limit applies to all games together: leave out {game}", game=command.game)
            )
        everybody, nobody = LobbyGuest.From.EVERYBODY, LobbyGuest.From.NOBODY
        kept.challenges_from = nobody if command.most == 0 else everybody
        kept.most_games = command.most or None
        lobby_services.save_settings(request.guest, kept)
    if kept.challenges_from == LobbyGuest.From.NOBODY:
        return text_result(lazy_message("You don’t accept challenges."))
    if kept.most_games is None:
        return text_result(lazy_message("You accept challenges."))
    playing = tables_of(request.guest, is_over=False).count()
    limited = lazy_plural(
        "You accept challenges while you have no game in progress.",
        "You accept challenges while you have fewer than {count} games in progress.",
        count=kept.most_games,
    )
    return text_result(limited, lazy_message("Your games in progress: {count}.", count=playing))


def subscribe(request: Request, command: commands.Subscribe) -> CommandResult:
    """Subscribe to every turn of a board, as a watcher."""
    row = request.table(command.board)
    if row.is_over:
        raise Refused(lazy_message("the match is over"))
    with writing():
        Subscription.objects.get_or_create(
            guest=request.guest, table=row, defaults={"created_at": clock.now()}
        )
    return board_result(row.code, lazy_message("You’ll now get an email for every move on this board."))


def unsubscribe(request: Request, command: commands.Unsubscribe) -> CommandResult:
    """End the subscription to a board or, if no board is meant, all subscriptions.

    A player at the board also stops playing by mail; their other notices stay.
    """
    guest, is_about_board = request.guest, bool(command.board.code) or request.authority.table is not None
    kept = Subscription.objects.filter(guest=guest)
    if is_about_board:
        row = request.table(command.board)
        kept = kept.filter(table=row)
        if row.seats.filter(guest=guest).exists():
            Mailing.objects.filter(guest=guest).update(plays_by_mail=False)
    kept.delete()
    return text_result(
        lazy_message(
            "You won’t get any more of these emails. Send “notify” to see your other email settings."
        )
    )


def challenge(request: Request, command: commands.Challenge) -> CommandResult:
    """Challenge people to a game."""
    found, unknown = lobby.find_people(command.people)
    if unknown:
        raise Refused(lazy_message("there is no player called {name}", name=unknown[0]))
    wish = _wish(command.terms, Seek.Kind.CHALLENGE)
    remark, unsaid = _remark_to_pass_on(request)
    wish = replace(wish, invitees=found, remark=remark)
    seek = lobby_services.create_seek(request.guest, wish, request.key).seek
    names = ", ".join(str(guest) for guest in found)
    sentence = lazy_message(
        "You challenged {names}. The code is {code}; to withdraw the challenge, send “withdraw {code}”.",
        names=names,
        code=seek.code,
    )
    return text_result(sentence, *unsaid)


def _remark_to_pass_on(request: Request) -> tuple[str, tuple[str, ...]]:
    """The remark to pass on with a command, and sentences that explain a refused one."""
    remark = on_one_line(request.remark)
    if not remark or not (wrong := why_not_written(request.guest, remark, REMARK_LENGTH)):
        return remark, ()
    return "", (NOT_PASSED_ON, wrong)


def open_seek(request: Request, command: commands.Seek) -> CommandResult:
    """Open a seek, or start a game at once if a matching seek waits."""
    wish = _wish(command.terms, Seek.Kind.OPEN)
    wish = replace(wish, times=command.times)
    outcome = pairing.look_for(request.guest, wish, request.key)
    return _outcome_result(
        outcome,
        lazy_message(
            "Your open challenge has the code {code}; to withdraw it, send “withdraw {code}”.",
            code=outcome.seek.code,
        ),
    )


def stop_seeking(request: Request, command: commands.StopSeeking) -> CommandResult:
    """Withdraw the sender's seeks."""
    seeks = [
        seek.row
        for seek in lobby.own_seeks(request.guest, clock.now())
        if seek.row.is_open and command.game in ("", seek.row.game)
    ]
    if not seeks:
        raise Refused(lazy_message("you have no open challenges"))
    for row in seeks:
        lobby_services.withdraw(row.code, request.guest)
    return text_result(lazy_message("Withdrawn: {codes}.", codes=", ".join(row.code for row in seeks)))


def accept(request: Request, code: str) -> CommandResult:
    """Accept a challenge, or join a seek."""
    remark, unsaid = _remark_to_pass_on(request)
    outcome = lobby_services.accept(code, request.guest, remark)
    return _outcome_result(
        outcome, lazy_message("Accepted. The game starts when everyone has accepted."), unsaid
    )


def reject(request: Request, code: str) -> CommandResult:
    """Decline a challenge."""
    lobby_services.decline(code, request.guest, "")
    return text_result(lazy_message("Declined."))


def withdraw(request: Request, code: str) -> CommandResult:
    """Withdraw the sender's own challenge or seek."""
    lobby_services.withdraw(code, request.guest)
    return text_result(lazy_message("Withdrawn: {codes}.", codes=code))


ANSWERS = {commands.Accept: accept, commands.Reject: reject, commands.Withdraw: withdraw}
"""The handlers that answer or withdraw a challenge or seek, by command."""


def is_seek(code: str) -> bool:
    """Whether a code belongs to a challenge or seek."""
    return bool(code) and Seek.objects.filter(code=code).exists()


def _outcome_result(outcome: SeekOutcome, waits: str, unsaid: Sequence[str] = ()) -> CommandResult:
    if outcome.table is None:
        return text_result(waits, *unsaid)
    begun = map(translate, (lazy_message("The game has started."), *unsaid))
    return board_result(outcome.table.code, " ".join(begun))


def _wish(terms: Terms, kind: Seek.Kind) -> Wish:
    """The lobby wish for these terms. Raises `Refused` for a time control that isn't in days."""
    control = replace(terms.time or CONTROLS["days"], nag=terms.nag)
    if control.pace != "days":
        raise Refused(
            lazy_message("games by email are correspondence games: choose a time control such as 3d")
        )
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


def _no_sign_up(request: Request, command: commands.SignUp) -> CommandResult:
    raise Refused(lazy_message("you already have an account"))


def _answer_seek_or_offer(
    request: Request, command: commands.Accept | commands.Reject | commands.Withdraw
) -> CommandResult:
    """Accept, reject or withdraw a challenge if the code is one, otherwise the open offer at a board."""
    if is_seek(command.board.code):
        return ANSWERS[type(command)](request, command.board.code)
    return table_handlers.act(request, command.board, table_handlers.ANSWERS[type(command)])


def _propose(request: Request, command: commands.Propose) -> CommandResult:
    """Make an offer, or take back directly if no consent is needed."""
    context = TableContext.of(request.table(command.board), request.guest)
    if command.offer == "takeback" and Permissions(context.table, context.viewer).undoes_freely:
        return table_handlers.act(request, command.board, table_commands.TakeBack())
    return table_handlers.act(request, command.board, table_commands.logged_command("offer", command.offer))


def _logged(of: Callable[[Any], table_commands.LoggedCommand]) -> Callable[[Request, Any], CommandResult]:
    """The handler for a command that is one entry in a board's log."""
    return lambda request, command: table_handlers.act(request, command.board, of(command))


_HANDLERS: dict[type, Callable[[Request, Any], CommandResult]] = {
    commands.Move: lambda request, command: table_handlers.move(request, command.board, command.text),
    commands.Accept: _answer_seek_or_offer,
    commands.Reject: _answer_seek_or_offer,
    commands.Withdraw: _answer_seek_or_offer,
    commands.NameKomi: _logged(lambda command: table_commands.NameKomi(command.komi)),
    commands.ChooseColour: _logged(lambda command: table_commands.ChooseColour(command.player)),
    commands.Swap: _logged(lambda command: table_commands.Swap()),
    commands.Propose: _propose,
    commands.Resign: lambda request, command: table_handlers.resign(request, command.board),
    commands.Submit: lambda request, command: table_handlers.submit(request, command.board, command.text),
    commands.Confirm: lambda request, command: table_handlers.confirm(request, command.board),
    commands.Queue: lambda request, command: table_handlers.queue_turn(request, command.board, command.text),
    commands.Unqueue: lambda request, command: table_handlers.unqueue(request, command.board),
    commands.Help: lambda request, command: reading_handlers.help_on(command),
    commands.SignUp: _no_sign_up,
    commands.Challenge: challenge,
    commands.Seek: open_seek,
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
    commands.Chat: lambda request, command: remarks.write_to_table(request, command.board, command.text),
    commands.Message: lambda request, command: remarks.send_message(request, command.people, command.text),
}
"""Command type -> its handler."""
