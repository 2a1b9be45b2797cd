"""Mail commands at tables, carried out by the same typed commands and services as on pages.

Also previews: boards after hypothetical turns, or at an earlier moment.
"""

from collections.abc import Sequence

from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core import Position
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board
from kakomi.protocol.mail.printing import Block, joined, position_block, sentence_block
from kakomi.protocol.mail.turns import read_turn, read_turns, turns_in
from kakomi.server.mail import pending
from kakomi.server.mail.requests import CommandResult, Request, TableContext, board_result
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.site.language import translate
from kakomi.server.tables import commands as table_commands
from kakomi.server.tables.command_handlers import handle_table_command
from kakomi.server.tables.commands import Stale, Submission, build_turn
from kakomi.session import Match, Refused

_NOT_YOUR_TURN = lazy_message("it isn’t your turn")


def move(request: Request, board: Board, text: str, note: str = "") -> CommandResult:
    """Play a whole turn."""
    context, base = _context_to_act(request, board)
    return _carry_out(request, context, table_commands.Confirm(_read_actions(context, text)), base, note)


def act(request: Request, board: Board, command: table_commands.LoggedCommand) -> CommandResult:
    """Carry out a command that is one entry in the log."""
    context, base = _context_to_act(request, board)
    return _carry_out(request, context, command, base)


def resign(request: Request, board: Board) -> CommandResult:
    """Abort the game if that is still allowed; otherwise resign."""
    context = TableContext.of(request.table(board), request.guest)
    seat = context.viewer.seat_to_resign(context.table)
    may_end = seat is not None and not context.table.is_over and context.table.may(seat, "abort")
    command = table_commands.Abort("declined") if may_end else table_commands.Resign()
    return _carry_out(request, context, command, context.row.entries)


def submit(request: Request, board: Board, text: str) -> CommandResult:
    """Preview a turn, and store it until it is confirmed."""
    context, base = _context_to_act(request, board)
    actions = _read_actions(context, text)
    number = pending.save_submission(request, context.row, actions, base)
    return CommandResult((turn_preview(context, actions),), confirmation=number)


def confirm(request: Request, board: Board) -> CommandResult:
    """Play the turn last submitted at a table."""
    context = TableContext.of(request.table(board), request.guest)
    submission = pending.open_submission(context.row, request.guest)
    if submission is None:
        raise Refused(lazy_message("you haven’t submitted a move on this board"))
    return play_submission(request, context, submission.data)


def play_submission(request: Request, context: TableContext, submission: dict[str, object]) -> CommandResult:
    """Play a submitted turn. Raises `Stale` if the game has moved on since it was submitted."""
    actions = tuple(map(str, submission["actions"]))  # type: ignore[call-overload]
    done = _carry_out(request, context, table_commands.Confirm(actions), int(str(submission["base"])))
    pending.close_submissions(context.row, request.guest)
    return done


def queue_turn(request: Request, board: Board, text: str) -> CommandResult:
    """Queue a turn for when the sender's seat is to act, or play it if that is now."""
    context = TableContext.of(request.table(board), request.guest)
    if context.viewer.seat_to_act(context.table) is not None and context.table.match.phase == "play":
        at_once = lazy_message("It was already your turn, so this move has been played.")
        return move(request, board, text, at_once)
    pending.save_queued_turn(context, text)
    return board_result(
        context.row.code, lazy_message("Your move is queued and will be played when it’s your turn.")
    )


def unqueue(request: Request, board: Board) -> CommandResult:
    """Delete the queued turn."""
    context = TableContext.of(request.table(board), request.guest)
    if not pending.delete_queued_turn(context):
        raise Refused(lazy_message("you have no queued move on this board"))
    return board_result(context.row.code, lazy_message("Your queued move has been removed."))


def _context_to_act(request: Request, board: Board) -> tuple[TableContext, int]:
    """The sender at a table, and the log length they have seen. Raises `Stale` if the game has moved on."""
    context = TableContext.of(request.table(board), request.guest)
    seen = request.authority.seen(context.row)
    if board.turns is not None:
        if turns_in(context.table.match) != board.turns:
            raise Stale
        return context, context.row.entries
    base = context.row.entries if seen is None else seen
    if not context.table.has_seen(base):
        raise Stale
    return context, base


def _read_actions(context: TableContext, text: str) -> tuple[str, ...]:
    """The actions of a turn in text. Raises `Refused` if the sender isn't to act."""
    if context.viewer.seat_to_act(context.table) is None:
        raise Refused(
            _NOT_YOUR_TURN
            if context.viewer.is_player
            else lazy_message("you’re watching: only players can do that")
        )
    return read_turn(context.table.match.position, text).actions


def _carry_out(
    request: Request, context: TableContext, command: table_commands.Command, base: int, note: str = ""
) -> CommandResult:
    handle_table_command(context.row, context.viewer, Submission(command, base, request.key))
    return board_result(context.row.code, note)


ANSWERS: dict[type, table_commands.LoggedCommand] = {
    commands.Accept: table_commands.Accept(),
    commands.Reject: table_commands.Decline(),
    commands.Withdraw: table_commands.Withdraw(),
}
"""Mail command -> table command for an open offer."""


def preview(request: Request, command: commands.Preview) -> CommandResult:
    """Preview a board after hypothetical turns, from now or from an earlier moment."""
    context = TableContext.of(request.table(command.board), request.authority.guest)
    match, turns = context.table.match, command.board.turns
    before = match.position if turns is None else position_after(match, turns)
    title = gettext("Board {number} after {turns}").format(number=context.row.number, turns=command.text)
    return _preview_result(before, command.text, title, context)


def preview_new(command: commands.PreviewNew) -> CommandResult:
    """Preview a game after turns from its start."""
    game = catalog.game(command.terms.game, **command.terms.options)
    title = gettext("{game} after {turns}").format(game=translate(game.description.title), turns=command.text)
    return _preview_result(game.start(), command.text, title)


def _preview_result(
    before: Position, text: str, title: str, context: TableContext | None = None
) -> CommandResult:
    turns = read_turns(before, text)
    after = turns[-1].position if turns else before
    block = position_block(after, title, translate, has_picture=can_draw())
    if context is None or not context.viewer.is_player:
        return CommandResult((block,))
    how = lazy_message(
        "Nothing has been played. Reply with “preview” and other moves, or with the move you want to play."
    )
    return CommandResult((joined((block, sentence_block(how, say=translate))),), about=context.row.code)


def turn_preview(context: TableContext, actions: Sequence[str]) -> Block:
    """The board after a submitted turn, with how to confirm it."""
    after = build_turn(context.table.match.position, actions).position
    title = gettext("Board {number} after {turns}").format(number=context.row.number, turns=" ".join(actions))
    how = lazy_message("Nothing has been played yet. Reply with the word “confirm” to play this move.")
    return joined(
        (sentence_block(how, say=translate), position_block(after, title, translate, has_picture=can_draw()))
    )


def position_after(match: Match, turns: int) -> Position:
    """The position of a match after `turns` finished turns. Raises `Refused` if there were fewer."""
    count = 0
    for game in match.games:
        position = game.start
        if count == turns:
            return position
        for action in game.actions():
            position = position.play_action(action)
            count += not position.turn
            if count == turns:
                return position
    raise Refused(lazy_message("this board has {count} moves, not {turns}", count=count, turns=turns))
