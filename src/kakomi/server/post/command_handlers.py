"""Does the commands of mails: each type of `protocol.mail.commands` has its place here."""

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
            return _handled(request)
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


def _handled(request: Request) -> Result:
    match request.command:
        case commands.Move(board, text):
            return table_handlers.move(request, board, text)
        case commands.Accept(board) | commands.Reject(board) | commands.Withdraw(board):
            return _answered(request, board)
        case commands.NameKomi(board, komi):
            return table_handlers.act(request, board, deeds.NameKomi(komi))
        case commands.ChooseColour(board, player):
            return table_handlers.act(request, board, deeds.ChooseColour(player))
        case commands.Swap(board):
            return table_handlers.act(request, board, deeds.Swap())
        case commands.Propose(board, offer):
            return table_handlers.act(request, board, _offer(request, board, offer))
        case commands.Resign(board):
            return table_handlers.resign(request, board)
        case commands.Submit(board, text):
            return table_handlers.submit(request, board, text)
        case commands.Confirm(board):
            return table_handlers.confirm(request, board)
        case commands.Queue(board, text):
            return table_handlers.queue_turn(request, board, text)
        case commands.Unqueue(board):
            return table_handlers.unqueue(request, board)
        case _:
            return _handled_beside(request)


def _handled_beside(request: Request) -> Result:
    """Do a command that is for no seat of a board."""
    match request.command:
        case commands.Help() as command:
            return reading_handlers.help_on(command)
        case commands.SignUp():
            raise Refused(lazy_message("you have an account already"))
        case commands.Challenge() as command:
            return lobby_handlers.challenge(request, command)
        case commands.Seek() as command:
            return lobby_handlers.look_for(request, command)
        case commands.StopSeeking() as command:
            return lobby_handlers.stop_seeking(request, command)
        case commands.Preview() as command:
            return preview(request, command)
        case commands.PreviewNew() as command:
            return preview_new(command)
        case commands.Show() as command:
            return reading_handlers.show(request, command)
        case commands.Games() as command:
            return reading_handlers.games(request, command)
        case commands.ListBoards() as command:
            return reading_handlers.list_boards(command)
        case commands.ListGames():
            return reading_handlers.list_games()
        case commands.Standings() as command:
            return reading_handlers.standings(command)
        case commands.History() as command:
            return reading_handlers.history(request, command)
        case commands.Subscribe() as command:
            return settings_handlers.subscribe(request, command)
        case commands.Unsubscribe() as command:
            return settings_handlers.unsubscribe(request, command)
        case commands.Notify() as command:
            return settings_handlers.notify(request, command)
        case commands.Limit() as command:
            return settings_handlers.limit(request, command)
        case commands.Chat(board, text):
            return remarks.say(request, board, text)
        case commands.Message(people, text):
            return remarks.write_to(request, people, text)
    raise AssertionError(f"no place for {request.command}")


def _answered(request: Request, board: commands.Board) -> Result:
    """Accept, reject or withdraw: a challenge by its code, else the open offer of a board."""
    command = request.command
    if lobby_handlers.is_seek(board.code):
        match command:
            case commands.Accept():
                return lobby_handlers.accept(request, board.code)
            case commands.Reject():
                return lobby_handlers.reject(request, board.code)
            case _:
                return lobby_handlers.withdraw(request, board.code)
    return table_handlers.act(request, board, table_handlers.ANSWERS[type(command)])


def _offer(request: Request, board: commands.Board, offer: str) -> deeds.LoggedCommand:
    """An offer; a takeback that needs nobody's consent is none."""
    at = Sitting.of(request.table(board), request.guest)
    if offer == "takeback" and Permissions(at.table, at.viewer).undoes_freely:
        return deeds.TakeBack()
    return deeds.logged_command("offer", offer)
