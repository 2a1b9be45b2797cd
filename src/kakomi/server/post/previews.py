"""Boards as they would be after some turns, and as they once were."""

from collections.abc import Sequence

from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core import Position
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.printing import Block, joined, position_block, sentence_block
from kakomi.protocol.mail.turns import read_turns
from kakomi.server.language import translate
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.post.requests import Request, Sitting
from kakomi.server.post.results import Result
from kakomi.server.tables.commands import build_turn
from kakomi.session import Match, Refused


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
