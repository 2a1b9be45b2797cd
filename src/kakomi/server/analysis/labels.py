"""Records in words, for headings and remarks."""

from django.utils.translation import gettext as _

from kakomi.core import Game
from kakomi.records import Record, Result
from kakomi.server.language import translate


def how_it_ended(record: Record, game: Game) -> str:
    """How the game was won otherwise than by the rules; nothing if it wasn't."""
    if record.result is None or record.result.reason == "rules":
        return ""
    return _("As it was played, the game ended after turn {turn}: {result}.").format(
        turn=record.length, result=result_in_words(record.result, game)
    )


def result_in_words(result: Result, game: Game) -> str:
    """Who won, and why: `White won by resignation`."""
    why = {
        "rules": _("by the rules"),
        "resignation": _("by resignation"),
        "time": _("on time"),
        "forfeit": _("by forfeit"),
        "agreement": _("by agreement"),
        "counted": _("by the score when it was cut off"),
    }[result.reason]
    names = [translate(game.player_names[player]) for player in result.winners]
    if len(names) == game.players:
        return _("a draw {why}").format(why=why)
    if len(names) > 1:
        return _("{winners} share the win {why}").format(winners=", ".join(names), why=why)
    return _("{winner} won {why}").format(winner=names[0], why=why)


def options_in_words(game: Game) -> str:
    """The options of a game: `Size 8, Komi 5`."""
    described = game.description.options
    return ", ".join(f"{translate(option.title)} {game.options[option.name]}" for option in described)
