"""Does the commands of mails: each type of `protocol.mail.commands` has its place here."""

from collections.abc import Callable
from typing import Any

from django.http import Http404

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import ParsedLine
from kakomi.protocol.mail.printing import problem_block
from kakomi.server.database import writing
from kakomi.server.language import translate, why
from kakomi.server.post import lobby_handlers, reading_handlers, remarks, settings_handlers, table_handlers
from kakomi.server.post.previews import preview, preview_new
from kakomi.server.post.requests import Request, Sitting, table_meant
from kakomi.server.post.results import Result
from kakomi.server.tables import commands as deeds
from kakomi.server.tables.permissions import Permissions
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


def _no_sign_up(request: Request, command: commands.SignUp) -> Result:
    raise Refused(lazy_message("you have an account already"))


def _answered(request: Request, command: commands.Accept | commands.Reject | commands.Withdraw) -> Result:
    """Accept, reject or withdraw: a challenge by its code, else the open offer of a board."""
    if lobby_handlers.is_seek(command.board.code):
        return lobby_handlers.ANSWERS[type(command)](request, command.board.code)
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
    commands.Challenge: lobby_handlers.challenge,
    commands.Seek: lobby_handlers.look_for,
    commands.StopSeeking: lobby_handlers.stop_seeking,
    commands.Preview: preview,
    commands.PreviewNew: lambda request, command: preview_new(command),
    commands.Show: reading_handlers.show,
    commands.Games: reading_handlers.games,
    commands.ListBoards: lambda request, command: reading_handlers.list_boards(command),
    commands.ListGames: lambda request, command: reading_handlers.list_games(),
    commands.Standings: lambda request, command: reading_handlers.standings(command),
    commands.History: reading_handlers.history,
    commands.Subscribe: settings_handlers.subscribe,
    commands.Unsubscribe: settings_handlers.unsubscribe,
    commands.Notify: settings_handlers.notify,
    commands.Limit: settings_handlers.limit,
    commands.Chat: lambda request, command: remarks.say(request, command.board, command.text),
    commands.Message: lambda request, command: remarks.write_to(request, command.people, command.text),
}
"""What does each of the commands."""
