"""What players do at their tables by mail: the same typed commands, the same services as from a page.

Boards can be previewed as they would be after some turns, or as they once were.
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
from kakomi.server.language import translate
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.post import pending
from kakomi.server.post.requests import Request, Result, Sitting, shown
from kakomi.server.tables import commands as deeds
from kakomi.server.tables.command_handlers import handle_command
from kakomi.server.tables.commands import Stale, Submission, build_turn
from kakomi.session import Match, Refused

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
    number = pending.keep_submission(request, at.row, actions, base)
    return Result((turn_preview(at, actions),), confirmation=number)


def confirm(request: Request, board: Board) -> Result:
    """Play the turn that was submitted last at a table."""
    at = Sitting.of(request.table(board), request.guest)
    kept = pending.open_submission(at.row, request.guest)
    if kept is None:
        raise Refused(lazy_message("nothing was submitted at this board"))
    return play_submission(request, at, kept.data)


def play_submission(request: Request, at: Sitting, kept: dict[str, object]) -> Result:
    """Play a turn that was kept, as a turn of the moment at which it was submitted."""
    actions = tuple(map(str, kept["actions"]))  # type: ignore[call-overload]
    done = _done(request, at, deeds.Confirm(actions), int(str(kept["base"])))
    pending.close_submissions(at.row, request.guest)
    return done


def queue_turn(request: Request, board: Board, text: str) -> Result:
    """Keep a turn that is played as soon as it is its player's turn."""
    at = Sitting.of(request.table(board), request.guest)
    if at.viewer.acting(at.table) is not None and at.table.match.phase == "play":
        at_once = lazy_message("It is your turn already, so this turn was played at once.")
        return move(request, board, text, at_once)
    pending.keep_turn(at, text)
    return shown(at.row.code, lazy_message("Your turn is kept, and is played as soon as it is yours."))


def unqueue(request: Request, board: Board) -> Result:
    """Drop the turn that is kept."""
    at = Sitting.of(request.table(board), request.guest)
    if not pending.drop_turn(at):
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


def preview(request: Request, command: commands.Preview) -> Result:
    """A board after turns of anybody's, from now on or from an earlier moment."""
    at = Sitting.of(request.table(command.board), request.authority.guest)
    match, turns = at.table.match, command.board.turns
    before = match.position if turns is None else position_after(match, turns)
    title = gettext("Board {number} after {turns}").format(number=at.row.number, turns=command.text)
    return _previewed(before, command.text, title, at)


def preview_new(command: commands.PreviewNew) -> Result:
    """A game from its start, after turns."""
    game = catalog.game(command.terms.game, **command.terms.options)
    said = gettext("{game} after {turns}").format(game=translate(game.description.title), turns=command.text)
    return _previewed(game.start(), command.text, said)


def _previewed(before: Position, text: str, title: str, at: Sitting | None = None) -> Result:
    turns = read_turns(before, text)
    after = turns[-1].position if turns else before
    shown = position_block(after, title, translate, has_picture=can_draw())
    if at is None or not at.viewer.is_player:
        return Result((shown,))
    how = lazy_message(
        "Nothing is played. Answer with preview and other turns, or with the turn that you play."
    )
    return Result((joined((shown, sentence_block(how, say=translate))),), about=at.row.code)


def turn_preview(at: Sitting, actions: Sequence[str]) -> Block:
    """The board after a turn that is submitted, with how it is played."""
    after = build_turn(at.table.match.position, actions).position
    title = gettext("Board {number} after {turns}").format(number=at.row.number, turns=" ".join(actions))
    how = lazy_message("Nothing is played yet. Answer with the word confirm, and this turn is played.")
    return joined(
        (sentence_block(how, say=translate), position_block(after, title, translate, has_picture=can_draw()))
    )


def position_after(match: Match, turns: int) -> Position:
    """The position of a match after so many finished turns. Raises Refused if there were fewer."""
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
    raise Refused(lazy_message("this board has had {count} turns, not {turns}", count=count, turns=turns))
