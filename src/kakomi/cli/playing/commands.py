"""The commands that players can type besides actions."""

import difflib
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from kakomi.bots import Bot, SearchBot
from kakomi.cli.playing import console
from kakomi.cli.playing.console import Quit
from kakomi.cli.playing.terminal_game import TerminalGame
from kakomi.core import Game, IllegalAction, Position
from kakomi.core.action import normalised
from kakomi.core.returns import percent
from kakomi.search import Line, Report
from kakomi.session import Match, Refused

ADVISER = "time:1"
WHO = "The engine"
LINES = 3


def hint(table: TerminalGame, argument: str) -> None:
    """Give a search's advice, in any phase of a match."""
    del argument
    match_game = table.match.current_game
    if match_game.phase == "over":
        raise Refused("the game is over: there are no more hints")
    if match_game.phase == "komi":
        komi = table.run_bot(WHO, ADVISER, lambda bot, stop: bot.name_komi(match_game.game))
        known = match_game.game.description.fair_komi(match_game.game.options)
        told = f", give or take {known.doubt} (measured between equal bots)" if known else ""
        table.say(f"A komi of {komi} looks fair{told}.")
    elif match_game.phase == "colour":
        player = table.run_bot(
            WHO, ADVISER, lambda bot, stop: bot.choose_player(match_game.game, match_game.komi or 0)
        )
        table.say(f"{match_game.game.player_names[player]} looks better.")
    else:
        position = match_game.position
        report = table.run_bot(WHO, ADVISER, lambda bot, stop: _searched(bot, position, stop))
        table.say(advice(position, report))


def advice(position: Position, report: Report) -> str:
    """Return a search's best actions in words: `Try c3 e5 (62 % wins in 3,204 tries), or d4 (58 %)`."""
    best, *others = report.lines[:LINES]
    texts = position.game.action_texts
    words = f"Try {' '.join(_rest_of_turn(position, report))}"
    if best.wins:
        return f"{words}, which wins the game."
    words += f" ({_share(best, report)} wins in {best.visits:,} tries)"
    if others:
        words += ", or " + ", ".join(f"{texts[line.action]} ({_share(line, report)})" for line in others)
    return words + "."


def _searched(bot: Bot, position: Position, stop: threading.Event) -> Report:
    assert isinstance(bot, SearchBot)
    return bot.think(position, stop=stop)


def _rest_of_turn(position: Position, report: Report) -> list[str]:
    """Return the best line up to the end of the turn."""
    texts: list[str] = []
    for action in report.principal or (report.action,):
        texts.append(position.game.action_texts[action])
        position = position.play_action(action)
        if not position.turn:
            break
    return texts


def _share(line: Line, report: Report) -> str:
    """Return the share of its tries that a line won for the player to act."""
    return percent(line.chances[report.to_move])


LONGEST_REPEATED = 200


@dataclass(frozen=True)
class Command:
    """A command word, with an optional argument."""

    name: str
    argument: str
    help: str
    run: Callable[[TerminalGame, str], None]
    aliases: tuple[str, ...] = ()


def execute_line(table: TerminalGame, line: str) -> None:
    """Execute a line that the player typed, or say why that is impossible. Raises Quit on `quit`.

    Words that are actions of the game take precedence over commands.
    """
    word, _, argument = line.partition(" ")
    command = None if _is_action(table.match.current_game.game, line) else _BY_NAME.get(word.lower())
    try:
        if command:
            command.run(table, argument.strip())
        elif line:
            answer(table, line)
    except OSError as error:
        table.say(console.sentence(f"{clipped(argument)}: {error.strerror or error}"))
    except ValueError as error:
        table.say(f"{console.sentence(str(error))}{_advice(word)}")


def _is_action(game: Game, text: str) -> bool:
    try:
        return game.action(text) >= 0
    except IllegalAction:
        return False


def clipped(text: str) -> str:
    """Return typed text, shortened for a message."""
    return text if len(text) <= LONGEST_REPEATED else f"{text[: LONGEST_REPEATED - 3]}..."


def answer(table: TerminalGame, line: str) -> None:
    """Play a komi, a colour or actions, depending on the phase. Raises ValueError saying what is wrong."""
    match = table.match
    seat = match.to_act
    if seat is None:
        raise Refused("the game is over: `again`, `undo`, `save FILE` or `quit`")
    if match.phase == "komi":
        table.continue_with(match.name_komi(seat, _komi(line)))
    elif match.phase == "colour":
        table.continue_with(match.choose_player(seat, _player(match.current_game.game, line)))
    else:
        for text in _one_turn(match.position, line):
            match = match.play(seat, text)
        table.continue_with(match)


def _komi(line: str) -> int:
    try:
        return int(normalised(line).removeprefix("komi"))
    except ValueError:
        raise Refused(f"{clipped(line)!r} isn't a number of points") from None


def _player(game: Game, line: str) -> int:
    wanted = normalised(line)
    fitting = [
        p for p, name in enumerate(game.player_names) if name.lower().startswith(wanted) or wanted == str(p)
    ]
    if len(fitting) != 1:
        raise Refused(f"{clipped(line)!r} isn't a colour: choose {' or '.join(game.player_names)}")
    return fitting[0]


def _one_turn(position: Position, line: str) -> list[str]:
    """Return the actions of a line in a legal order. Raises ValueError if one is illegal or they are more
    than one turn."""
    after = position.play(line)
    actions = after.actions_since(position) or []
    for number, action in enumerate(actions[:-1], 1):
        position = position.play_action(action)
        if not position.turn:
            rest = " ".join(position.game.action_texts[action] for action in actions[number:])
            raise Refused(f"your turn ends with {position.game.action_texts[action]}: leave out {rest}")
    return [after.game.action_texts[action] for action in actions]


def _advice(word: str) -> str:
    near = difflib.get_close_matches(word.lower(), _BY_NAME, 1, 0.75)
    return f" Did you mean `{near[0]}`?" if near and near[0] != word.lower() else ""


def show_help(table: TerminalGame, argument: str) -> None:
    """List the commands."""
    del argument
    game = table.match.current_game.game
    firsts = {action.kind: action.text for action in reversed(game.actions)}
    table.say(
        f"Type a move, such as {', '.join(firsts.values())}; separate the actions of a turn by spaces. Or:"
    )
    width = max(len(f"{command.name} {command.argument}") for command in COMMANDS)
    for command in COMMANDS:
        table.say(f"  {f'{command.name} {command.argument}'.ljust(width)}  {command.help}")


def show_legal(table: TerminalGame, argument: str) -> None:
    """Show the legal actions."""
    del argument
    if table.match.phase != "play":
        raise Refused("no move is possible now")
    texts = table.match.position.legal()
    table.show(legal=True)
    table.say(f"{len(texts)}: {' '.join(texts)}")


def undo(table: TerminalGame, argument: str) -> None:
    """Go back to the player's previous decision."""
    del argument
    table.continue_with(table.match.taken_back(table.persons))


def swap(table: TerminalGame, argument: str) -> None:
    """Take over the first player's stones."""
    del argument
    table.continue_with(table.match.swap(_seat(table)))


def resign(table: TerminalGame, argument: str) -> None:
    """Resign."""
    del argument
    table.continue_with(table.match.resign(_seat(table)))


def _seat(table: TerminalGame) -> int:
    if table.match.to_act is None:
        raise Refused("the game is over")
    return table.match.to_act


def save(table: TerminalGame, argument: str) -> None:
    """Write a record."""
    from kakomi import records
    from kakomi.session.record import record_of

    replace, path = _file(argument)
    if path.exists() and path.resolve() not in table.saved and not replace:
        raise Refused(f"{path} already exists; `save ! {path}` replaces it")
    match_game = table.match.current_game
    records.save(record_of(table.match, match_game, date=date.today().isoformat()), match_game.game, path)
    table.saved.add(path.resolve())
    table.say(f"Saved as {path}.")


def load(table: TerminalGame, argument: str) -> None:
    """Continue from a record."""
    from kakomi import catalog, records
    from kakomi.session.record import match_of

    reading = records.Reading()
    record = records.load(_file(argument)[1], catalog.game, "", reading)
    for message in reading.warnings:
        table.say(f"{message}.")
    game = records.game_of(record, catalog.game)
    table.begin(match_of(record, table.seat_plan.seats(game)))


def _file(argument: str) -> tuple[bool, Path]:
    """Return whether to replace an existing file, and the path, with .json as the default suffix."""
    name = argument.removeprefix("!").strip()
    if not name:
        raise Refused("which file? For example `save game.json`")
    path = Path(os.path.expanduser(name))  # leaves an unknown home as it is
    return argument.startswith("!"), path if path.suffix else path.with_suffix(".json")


def overlay(table: TerminalGame, argument: str) -> None:
    """Switch an overlay on or off."""
    known = {overlay.name: overlay.title for overlay in table.match.position.overlays()}
    if not known:
        raise Refused(f"{table.match.current_game.game.description.title} has no overlays")
    if argument.lower() not in known:
        listed = "; ".join(f"{name} ({title})" for name, title in known.items())
        raise Refused(f"which overlay? {listed}")
    table.overlays ^= {argument.lower()}
    table.show()


def show_board(table: TerminalGame, argument: str) -> None:
    """Draw the board again."""
    del argument
    table.show()


def show_rules(table: TerminalGame, argument: str) -> None:
    """Show the rules page by page."""
    del argument
    from kakomi.cli.games import show_markdown

    show_markdown(table.match.current_game.game.description.rules_text)


def play_again(table: TerminalGame, argument: str) -> None:
    """Begin another match like this one."""
    del argument
    if not table.match.is_over:
        raise Refused("this game isn't over yet; you can `resign` it")
    table.begin(Match.begun(table.match.config, table.match.seats))


def quit_game(table: TerminalGame, argument: str) -> None:
    """Quit."""
    del table, argument
    raise Quit


COMMANDS = (
    Command("help", "", "show this list", show_help, ("?", "h")),
    Command("legal", "", "show all legal moves", show_legal),
    Command("undo", "", "take back your last action", undo),
    Command("hint", "", "get a hint", hint),
    Command("overlay", "NAME", "show or hide an overlay; without a name, list them", overlay),
    Command("board", "", "draw the board again", show_board),
    Command("rules", "", "read the rules", show_rules),
    Command("save", "FILE", "save the game; FILE ends in .json or .sgf", save, ("write",)),
    Command("load", "FILE", "continue a saved game", load, ("open",)),
    Command("swap", "", "swap colours, if --swap is on", swap),
    Command("resign", "", "resign the game", resign),
    Command("again", "", "start a new game after this one", play_again),
    Command("quit", "", "save and quit; `kakomi play --continue` resumes", quit_game, ("exit", "q", "bye")),
)
_BY_NAME = {name: command for command in COMMANDS for name in (command.name, *command.aliases)}
NAMES = [command.name for command in COMMANDS]
"""The names of commands, for completion."""
