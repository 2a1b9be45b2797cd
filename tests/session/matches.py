"""Helpers that begin and play matches."""

import kakomi
from kakomi.bots import make_bot
from kakomi.catalog import describe
from kakomi.core import Game
from kakomi.session import Match, MatchConfig, Seat, act_for_bot


def quick(name: str) -> Game:
    return kakomi.game(name, **describe(name).quick)


def begun(game: Game, **terms: object) -> Match:
    return Match.begun(MatchConfig(game, **terms), [Seat()] * game.players)  # type: ignore[arg-type]


def played(match: Match, text: str) -> Match:
    """The match after actions, each by the seat to act."""
    for action in text.split():
        assert match.to_act is not None
        match = match.play(match.to_act, action)
    return match


def played_out(match: Match, seed: int = 1) -> Match:
    bot = make_bot("random", seed=seed)
    while not match.is_over:
        match = act_for_bot(match, bot)
    return match
