"""What players do at their tables by mail: the same typed commands, the same services as from a page."""

from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board
from kakomi.protocol.mail.turns import read_turn, turns_in
from kakomi.server.post import confirmations, queue
from kakomi.server.post.previews import turn_preview
from kakomi.server.post.requests import Request, Sitting
from kakomi.server.post.results import Result, shown
from kakomi.server.tables import commands as deeds
from kakomi.server.tables.command_handlers import handle_command
from kakomi.server.tables.commands import Stale, Submission
from kakomi.session import Refused

_NOT_YOUR_TURN = lazy_message("it isn't your turn")


def move(request: Request, board: Board, text: str, note: str = "") -> Result:
    """Play a whole turn."""
    at, base = _arrive(request, board)
    return _done(request, at, deeds.Confirm(_read(at, text)), base, note)


def act(request: Request, board: Board, deed: deeds.LoggedCommand) -> Result:
    """Do what is one entry of the log."""
    at, base = _arrive(request, board)
    return _done(request, at, deed, base)


def resign(request: Request, board: Board) -> Result:
    """Give the game up; while that still can be, end it without a result instead."""
    at = Sitting.of(request.table(board), request.guest)
    seat = at.viewer.speaking(at.table)
    may_end = seat is not None and not at.table.is_over and at.table.may(seat, "abort")
    deed = deeds.Abort("declined") if may_end else deeds.Resign()
    return _done(request, at, deed, at.row.entries)


def submit(request: Request, board: Board, text: str) -> Result:
    """Show a turn, and keep it until it is confirmed."""
    at, base = _arrive(request, board)
    actions = _read(at, text)
    number = confirmations.keep_submission(request, at.row, actions, base)
    return Result((turn_preview(at, actions),), confirmation=number)


def confirm(request: Request, board: Board) -> Result:
    """Play the turn that was submitted last at a table."""
    at = Sitting.of(request.table(board), request.guest)
    kept = confirmations.open_submission(at.row, request.guest)
    if kept is None:
        raise Refused(lazy_message("nothing was submitted at this board"))
    return play_submission(request, at, kept.data)


def play_submission(request: Request, at: Sitting, kept: dict[str, object]) -> Result:
    """Play a turn that was kept, as a turn of the moment at which it was submitted."""
    actions = tuple(map(str, kept["actions"]))  # type: ignore[call-overload]
    done = _done(request, at, deeds.Confirm(actions), int(str(kept["base"])))
    confirmations.close_submissions(at.row, request.guest)
    return done


def queue_turn(request: Request, board: Board, text: str) -> Result:
    """Keep a turn that is played as soon as it is its player's turn."""
    at = Sitting.of(request.table(board), request.guest)
    if at.viewer.acting(at.table) is not None and at.table.match.phase == "play":
        at_once = lazy_message("It is your turn already, so this turn was played at once.")
        return move(request, board, text, at_once)
    queue.keep(at, text)
    return shown(at.row.code, lazy_message("Your turn is kept, and is played as soon as it is yours."))


def unqueue(request: Request, board: Board) -> Result:
    """Drop the turn that is kept."""
    at = Sitting.of(request.table(board), request.guest)
    if not queue.drop(at):
        raise Refused(lazy_message("no turn is kept at this board"))
    return shown(at.row.code, lazy_message("Your turn is no longer kept."))


def _arrive(request: Request, board: Board) -> tuple[Sitting, int]:
    """A table for its player, and how much of its log they have seen. Raises Stale if it has gone on."""
    at = Sitting.of(request.table(board), request.guest)
    seen = request.authority.seen(at.row)
    if board.turns is not None:
        if turns_in(at.table.match) != board.turns:
            raise Stale
        return at, at.row.entries
    base = at.row.entries if seen is None else seen
    if not at.table.has_seen(base):
        raise Stale
    return at, base


def _read(at: Sitting, text: str) -> tuple[str, ...]:
    """The actions of a turn."""
    if at.viewer.acting(at.table) is None:
        raise Refused(
            _NOT_YOUR_TURN if at.viewer.is_player else lazy_message("you are watching: only players act")
        )
    return read_turn(at.table.match.position, text).actions


def _done(request: Request, at: Sitting, deed: deeds.Command, base: int, note: str = "") -> Result:
    handle_command(at.row, at.viewer, Submission(deed, base, request.key))
    return shown(at.row.code, note)


ANSWERS: dict[type, deeds.LoggedCommand] = {
    commands.Accept: deeds.Accept(),
    commands.Reject: deeds.Decline(),
    commands.Withdraw: deeds.Withdraw(),
}
"""What answers an open offer."""
