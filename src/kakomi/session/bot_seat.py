"""What a bot does when a match wants something of it."""

import threading

from kakomi.bots import Bot
from kakomi.core.i18n import lazy_message
from kakomi.session.exceptions import Refused
from kakomi.session.match import Match


def act_for_bot(match: Match, bot: Bot, *, stop: threading.Event | None = None) -> Match:
    """The match after the bot of the seat to act has done what is wanted of it.

    `stop` ends its thinking with the best found so far. Raises Refused if the match is over.
    """
    seat, leg = match.to_act, match.leg
    if seat is None:
        raise Refused(lazy_message("the match is over"))
    if leg.phase == "komi":
        return match.name_komi(seat, bot.name_komi(leg.game))
    if leg.phase == "colour":
        return match.choose_player(seat, bot.choose_player(leg.game, leg.komi or 0))
    if leg.may_swap and bot.wants_swap(leg.position, stop=stop):
        return match.swap(seat)
    return match.play(seat, leg.game.action_texts[bot.choose(leg.position, stop=stop)])
