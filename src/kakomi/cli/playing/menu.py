"""The menu: which game, how large, against whom."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import click

from kakomi import catalog
from kakomi.bots import DEFAULT_LEVEL, RANDOM, level_number, levels_of
from kakomi.cli.playing import messages
from kakomi.cli.playing.autosave import Kept
from kakomi.cli.playing.console import line
from kakomi.cli.playing.seats import BY_LOT, PERSON, SeatPlan, player_named
from kakomi.cli.shared.output import say
from kakomi.cli.shared.parameters import all_descriptions
from kakomi.core import Description, Game
from kakomi.session import MatchConfig

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Choice:
    """A choice in the menu."""

    config: MatchConfig
    seat_plan: SeatPlan


def ask(kept: Kept | None) -> Choice | Kept:
    """Ask until there is a game to play. Raises Quit at the end of the input."""
    games = all_descriptions()
    say("Welcome to Kakomi. Which game would you like to play?\n")
    for number, game in enumerate(games, 1):
        say(f"  {number}  {click.style(game.title.ljust(6), bold=True)} {game.summary}", indent=12)
    if kept:
        unfinished = messages.title_line(kept.match, kept.match.current_game)
        say(f"\n  c  Go on with the unfinished game: {unfinished}", indent=5)
    click.echo()
    chosen = _asked("Game> ", lambda text: _chosen(text, games, kept))
    return chosen if isinstance(chosen, Kept) else _asked_config(chosen)


def _asked_config(description: Description) -> Choice:
    game = _asked_options(description)
    last = levels_of(description)[-1]
    bot = _asked(
        f"Opponent: 1 (easiest) to {last}, {RANDOM} or {PERSON} [{DEFAULT_LEVEL}]> ",
        lambda text: _opponent(text, last),
    )
    person = 0 if bot is None else _asked_seat(game)
    games = _asked_games(description)
    negotiate = game.players == 2 and bool(description.komi_option)
    return Choice(MatchConfig(game, games=games, negotiate=negotiate), SeatPlan(bot=bot, person=person))


def _asked(prompt: str, read: Callable[[str], Answer]) -> Answer:
    while True:
        try:
            return read(line(prompt))
        except ValueError as error:
            say(messages.sentence(str(error)))


def _chosen(text: str, games: Sequence[Description], kept: Kept | None) -> Description | Kept:
    if kept and text.lower() in ("c", "continue"):
        return kept
    for number, game in enumerate(games, 1):
        if text.lower() in (str(number), game.name, game.title.lower()):
            return game
    raise ValueError(f"type a number from 1 to {len(games)}, or a game's name")


def _asked_options(description: Description) -> Game:
    """Show the options and let them be changed. A komi is left to the negotiation."""
    game = catalog.game(description.name)
    offered = [option for option in description.options if option.name != description.komi_option]
    for option in offered:
        presets = f" ({', '.join(map(str, option.presets))})" if option.presets else ""
        name = option.name.replace("_", "-")
        click.echo(f"  {name}={game.options[option.name]}".ljust(18) + f"{option.help}{presets}")
    example = (
        f"{offered[0].name}={(offered[0].presets or (game.options[offered[0].name],))[0]}" if offered else ""
    )
    return _asked(
        f"Enter if that suits you, or changes such as {example}> ", lambda text: _changed(game, text)
    )


def _changed(game: Game, text: str) -> Game:
    """The game with changes such as `size=8 line=5`; a number alone is for the first option, the size."""
    changes: dict[str, str] = {}
    if text.isdecimal():
        text = f"{game.description.options[0].name}={text}"
    for part in text.replace(" =", "=").replace("= ", "=").split():
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} should look like size=8")
        changes[name.replace("-", "_").lower()] = value
    return catalog.game(game.name, **changes)


def _opponent(text: str, last: int) -> str | None:
    """A bot's name, of a level up to the last one; None for a person."""
    name = text.lower().removeprefix("level").strip() or DEFAULT_LEVEL
    if name in (PERSON, "person", "p"):
        return None
    if name != RANDOM and (level_number(name) or last + 1) > last:
        raise ValueError(f"type a level from 1 to {last}, {RANDOM} or {PERSON}")
    return name


def _asked_seat(game: Game) -> int:
    names = ", ".join(f"{player} ({name})" for player, name in enumerate(game.player_names))
    if game.description.komi_option:
        names = "0 (name the komi), 1 (choose a colour)"
    return _asked(f"You are {names} or {BY_LOT} [0]> ", lambda text: player_named(game, text or "0"))


def _asked_games(description: Description) -> int:
    games = description.match_games
    if games == 1:
        return 1
    prompt = f"How many games? 1, or {games} as the author recommends, the points added [1]> "
    return _asked(prompt, lambda text: _game_count(text, games))


def _game_count(text: str, games: int) -> int:
    if text in ("", "1"):
        return 1
    if text == str(games):
        return games
    raise ValueError(f"type 1 or {games}")
