"""Advice from a search."""

import threading

from kakomi.bots import Bot, SearchBot
from kakomi.cli.playing.terminal_game import TerminalGame
from kakomi.core import Position
from kakomi.core.returns import percent
from kakomi.search import Line, Report
from kakomi.session import Refused

ADVISER = "time:1"
WHO = "The adviser"
LINES = 3


def hint(table: TerminalGame, argument: str) -> None:
    """Say what a search would do, in every phase of a match."""
    del argument
    match_game = table.match.current_game
    if match_game.phase == "over":
        raise Refused("the game is over: there is nothing left to advise")
    if match_game.phase == "komi":
        komi = table.thought(WHO, ADVISER, lambda bot, stop: bot.name_komi(match_game.game))
        known = match_game.game.description.fair_komi(match_game.game.options)
        told = f", give or take {known.doubt}: so it was between equal bots" if known else ""
        table.say(f"A komi of {komi} looks fair{told}.")
    elif match_game.phase == "colour":
        player = table.thought(
            WHO, ADVISER, lambda bot, stop: bot.choose_player(match_game.game, match_game.komi or 0)
        )
        table.say(f"{match_game.game.player_names[player]} looks better.")
    else:
        position = match_game.position
        report = table.thought(WHO, ADVISER, lambda bot, stop: _searched(bot, position, stop))
        table.say(advice(position, report))


def advice(position: Position, report: Report) -> str:
    """The best actions of a search in words: `Try c3 e5 (wins 62 % of 3,204 tries); else d4 (58 %)`."""
    best, *others = report.lines[:LINES]
    texts = position.game.action_texts
    words = f"Try {' '.join(_rest_of_turn(position, report))}"
    if best.wins:
        return f"{words}, which wins the game."
    words += f" (wins {_share(best, report)} of {best.visits:,} tries)"
    if others:
        words += "; else " + ", ".join(f"{texts[line.action]} ({_share(line, report)})" for line in others)
    return words + "."


def _searched(bot: Bot, position: Position, stop: threading.Event) -> Report:
    assert isinstance(bot, SearchBot)
    return bot.think(position, stop=stop)


def _rest_of_turn(position: Position, report: Report) -> list[str]:
    """The searched line as far as the turn goes."""
    texts: list[str] = []
    for action in report.principal or (report.action,):
        texts.append(position.game.action_texts[action])
        position = position.play_action(action)
        if not position.turn:
            break
    return texts


def _share(line: Line, report: Report) -> str:
    """The share of its tries that a line won for the player to act."""
    return percent(line.chances[report.to_move])
