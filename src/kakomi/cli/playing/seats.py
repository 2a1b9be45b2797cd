"""Choosing a game and its players: from the menu or with options."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click

from kakomi.bots import DEFAULT_LEVEL, RANDOM, level_number, levels_of, make_bot
from kakomi.cli.playing import console
from kakomi.cli.playing.autosave import SavedGame
from kakomi.cli.playing.console import line
from kakomi.cli.shared.output import say
from kakomi.cli.shared.parameters import all_descriptions
from kakomi.core import Description, Game
from kakomi.session import MatchConfig, Seat, usual_terms

PERSON = "human"
PERSON_SEAT = Seat()


@dataclass(frozen=True)
class SeatPlan:
    """Assigns the seats for any number of players: named players first, then one person, then bots."""

    bot: str | None = DEFAULT_LEVEL
    """The bot on all remaining seats; None: people."""
    person: int = 0
    """The seat of the person at the terminal."""
    named: Mapping[int, str] = field(default_factory=dict)
    """By seat, `human` or a bot's name."""

    def seats(self, game: Game) -> tuple[Seat, ...]:
        """Return a game's seats. Raises ValueError for a seat that it lacks or a bot that can't play it."""
        players = game.players
        wanted = [self.person, *self.named]
        for seat in wanted:
            if not 0 <= seat < players:
                raise ValueError(f"there is no seat {seat}: this game has seats 0 to {players - 1}")
        return tuple(self._seat(seat, game) for seat in range(players))

    def _seat(self, seat: int, game: Game) -> Seat:
        who = self.named.get(seat)
        if who is None:
            who = PERSON if self.bot is None or self._is_for_person(seat) else self.bot
        if who == PERSON:
            return PERSON_SEAT
        make_bot(who).check(game)
        return Seat(bot=who)

    def _is_for_person(self, seat: int) -> bool:
        return seat == self.person and PERSON not in self.named.values()


def parsed_seat(text: str) -> tuple[int, str]:
    """Parse `0=human`, `1=bot:3` or `1=bot:random` as a seat and its occupant. Raises ValueError."""
    number, _, who = text.partition("=")
    number, who = number.strip(), who.strip().lower()
    if number.isdecimal() and who == PERSON:
        return int(number), PERSON
    if number.isdecimal() and who.startswith("bot:"):
        return int(number), who.removeprefix("bot:")
    raise ValueError(f"{text!r} should look like 0=human or 1=bot:3")


BY_LOT = "random"


@dataclass(frozen=True)
class PlayOptions:
    """The options of `kakomi play` for players and their settings."""

    level: str | None
    human: bool
    person: str | None
    named: tuple[str, ...]
    is_match: bool
    swap: bool
    position_text: str | None = None

    def seat_plan(self, game: Game) -> SeatPlan:
        """Return the plan of seats. Raises ValueError for contradictory or impossible options."""
        return SeatPlan(
            bot=self._opponent(),
            person=player_named(game, self.person) if self.person else 0,
            named=dict(parsed_seat(text) for text in self.named),
        )

    def config(self, game: Game, given: Mapping[str, Any]) -> MatchConfig:
        """Return the configuration of the match; `given` holds the game's options as typed. With a given komi
        or a starting position, no komi is negotiated."""
        settled = self.swap or self.position_text is not None
        return MatchConfig(
            game,
            games=max(game.description.match_games, game.players) if self.is_match else 1,
            negotiate=usual_terms(game.description, given, is_settled=settled).negotiate,
            swap=self.swap,
            position="" if self.position_text is None else str(game.position(self.position_text)),
        )

    def _opponent(self) -> str | None:
        """Return the bot for the opponents; None for people."""
        if self.human and self.level:
            raise ValueError("use either --human or --bot, not both")
        who = PERSON if self.human else (self.level or DEFAULT_LEVEL).lower()
        return None if who == PERSON else who


def player_named(game: Game, text: str) -> int:
    """Return a player by number, by name, or at random (RULES G1). Raises ValueError for anything else."""
    if text.lower() == BY_LOT:
        return secrets.randbelow(game.players)
    for player, name in enumerate(game.player_names):
        if text.lower() in (str(player), name.lower()):
            return player
    names = ", ".join(f"{player} ({name})" for player, name in enumerate(game.player_names))
    raise ValueError(f"there is no player {text!r}: choose {names} or {BY_LOT}")


Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Choice:
    """A choice in the menu."""

    config: MatchConfig
    seat_plan: SeatPlan


def ask_for_game(kept: SavedGame | None) -> Choice | SavedGame:
    """Show the menu until a game is chosen. Raises Quit at the end of the input."""
    games = all_descriptions()
    say("Welcome to Kakomi. Which game would you like to play?\n")
    for number, game in enumerate(games, 1):
        say(f"  {number}  {click.style(game.title.ljust(6), bold=True)} {game.summary}", indent=12)
    if kept:
        unfinished = console.title_line(kept.match, kept.match.current_game)
        say(f"\n  c  Continue your unfinished game: {unfinished}", indent=5)
    click.echo()
    chosen = _ask_until_valid("Game> ", lambda text: _chosen(text, games, kept))
    return chosen if isinstance(chosen, SavedGame) else _ask_for_config(chosen)


def _ask_for_config(description: Description) -> Choice:
    game = _ask_for_options(description)
    last = levels_of(description)[-1]
    bot = _ask_until_valid(
        f"Opponent: 1 (easiest) to {last}, {RANDOM} or {PERSON} [{DEFAULT_LEVEL}]> ",
        lambda text: _opponent(text, last),
    )
    person = 0 if bot is None else _ask_for_seat(game)
    games = _ask_for_games(description)
    negotiate = game.players == 2 and bool(description.komi_option)
    return Choice(MatchConfig(game, games=games, negotiate=negotiate), SeatPlan(bot=bot, person=person))


def _ask_until_valid(prompt: str, read: Callable[[str], Answer]) -> Answer:
    while True:
        try:
            return read(line(prompt))
        except ValueError as error:
            say(console.sentence(str(error)))


def _chosen(text: str, games: Sequence[Description], kept: SavedGame | None) -> Description | SavedGame:
    if kept and text.lower() in ("c", "continue"):
        return kept
    for number, game in enumerate(games, 1):
        if text.lower() in (str(number), game.name, game.title.lower()):
            return game
    raise ValueError(f"type a number from 1 to {len(games)}, or a game's name")


def _ask_for_options(description: Description) -> Game:
    """Show the usual options and let the person change them. A komi is left to the negotiation."""
    game = usual_terms(description).game
    offered = [option for option in description.options if option.name != description.komi_option]
    for option in offered:
        presets = f" ({', '.join(map(str, option.presets))})" if option.presets else ""
        name = option.name.replace("_", "-")
        click.echo(f"  {name}={game.options[option.name]}".ljust(18) + f"{option.help}{presets}")
    example = (
        f"{offered[0].name}={(offered[0].presets or (game.options[offered[0].name],))[-1]}" if offered else ""
    )
    return _ask_until_valid(
        f"Press Enter to accept, or type changes such as {example}> ", lambda text: _changed(game, text)
    )


def _changed(game: Game, text: str) -> Game:
    """Return the game with changes such as `size=8 line=5`; a bare number sets the first option, the size."""
    changes: dict[str, str] = {}
    if text.isdecimal():
        text = f"{game.description.options[0].name}={text}"
    for part in text.replace(" =", "=").replace("= ", "=").split():
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} should look like size=8")
        changes[name.replace("-", "_").lower()] = value
    return usual_terms(game.description, changes).game


def _opponent(text: str, last: int) -> str | None:
    """Parse the name of a bot, with a level up to `last`; None for a person. Raises ValueError."""
    name = text.lower().removeprefix("level").strip() or DEFAULT_LEVEL
    if name in (PERSON, "person", "p"):
        return None
    if name != RANDOM and (level_number(name) or last + 1) > last:
        raise ValueError(f"type a level from 1 to {last}, {RANDOM} or {PERSON}")
    return name


def _ask_for_seat(game: Game) -> int:
    names = ", ".join(f"{player} ({name})" for player, name in enumerate(game.player_names))
    if game.description.komi_option:
        names = "0 (names the komi), 1 (chooses a colour)"
    prompt = f"Play as {names} or {BY_LOT} [0]> "
    return _ask_until_valid(prompt, lambda text: player_named(game, text or "0"))


def _ask_for_games(description: Description) -> int:
    games = description.match_games
    if games == 1:
        return 1
    prompt = f"How many games? 1, or a match of {games} as the author recommends [1]> "
    return _ask_until_valid(prompt, lambda text: _game_count(text, games))


def _game_count(text: str, games: int) -> int:
    if text in ("", "1"):
        return 1
    if text == str(games):
        return games
    raise ValueError(f"type 1 or {games}")
