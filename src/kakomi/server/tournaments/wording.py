"""Words for tournaments: formats, tie-breaks, states, points."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from kakomi.contest.tournament import (
    AnyFormat,
    Elimination,
    Ladder,
    RoundRobin,
    Swiss,
    Tables,
    TieBreak,
)
from kakomi.server.tournaments.models import Entrant, Tournament
from kakomi.session import Pace

STATES: Mapping[str, Promise] = {
    Tournament.State.OPEN: gettext_lazy("open for entry"),
    Tournament.State.RUNNING: gettext_lazy("running"),
    Tournament.State.OVER: gettext_lazy("over"),
    Tournament.State.CANCELLED: gettext_lazy("called off"),
}
REPEATS: Mapping[str, Promise] = {
    Tournament.Repeat.WEEKLY: gettext_lazy("every week"),
    Tournament.Repeat.MONTHLY: gettext_lazy("every month"),
}
PACES: Mapping[Pace, Promise] = {"live": gettext_lazy("in one go"), "days": gettext_lazy("over days")}
"""How games are played."""
LEAVING: Mapping[str, Promise] = {
    Entrant.Leaving.OWN: gettext_lazy("has left"),
    Entrant.Leaving.REMOVED: gettext_lazy("removed by the director"),
    Entrant.Leaving.ABSENT: gettext_lazy("did not come to a game"),
    Entrant.Leaving.SUSPENDED: gettext_lazy("may begin no such games for now"),
    Entrant.Leaving.ERASED: gettext_lazy("has left"),
}


class TieBreakText(NamedTuple):
    """How a tie-break is headed, called and explained."""

    sign: str
    """FIDE's acronym, where FIDE has this tie-break (Handbook C.07): the head of a narrow column."""
    name: Promise
    explanation: Promise


TIE_BREAKS: Mapping[TieBreak, TieBreakText] = {
    "direct encounter": TieBreakText(
        "DE",
        gettext_lazy("Direct encounter"),
        gettext_lazy("Points from the games of those who are level against each other, if all of them met."),
    ),
    "wins": TieBreakText("WIN", gettext_lazy("Wins"), gettext_lazy("Games won.")),
    "buchholz": TieBreakText(
        "BH",
        gettext_lazy("Buchholz"),
        gettext_lazy("The sum of the opponents’ points; at tables of several, of their mean."),
    ),
    "buchholz cut 1": TieBreakText(
        "BH-C1",
        gettext_lazy("Buchholz cut 1"),
        gettext_lazy("The sum of the opponents’ points without the round in which they had fewest."),
    ),
    "sonneborn-berger": TieBreakText(
        "SB",
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("The points of those who were beaten, and half of those of equals."),
    ),
    "progressive": TieBreakText(
        "PS",
        gettext_lazy("Progressive"),
        gettext_lazy("The sum of one’s points after each round: early wins count more."),
    ),
    "less begun": TieBreakText(
        "2ND", gettext_lazy("Games not begun"), gettext_lazy("Games that somebody else began.")
    ),
}


def format_label(config: AnyFormat) -> str:
    """A format in a few words."""
    match config:
        case Swiss():
            rounds = config.rounds
            return ngettext("Swiss, {rounds} round", "Swiss, {rounds} rounds", rounds).format(rounds=rounds)
        case Tables():
            said = ngettext(
                "{rounds} round at tables of {seats}", "{rounds} rounds at tables of {seats}", config.rounds
            )
            return said.format(rounds=config.rounds, seats=config.seats)
        case Elimination(losses=1):
            return gettext("knock-out")
        case Elimination():
            return gettext("knock-out after two losses")
        case Ladder():
            return gettext("ladder")
        case RoundRobin() if config.groups > 1:
            said = ngettext("{groups} group and a final", "{groups} groups and a final", config.groups)
            return said.format(groups=config.groups)
        case RoundRobin():
            return gettext("everybody plays everybody") if config.legs == 1 else gettext("double round robin")


_FRACTIONS = {
    Fraction(1, 2): "½",
    **{Fraction(part, 3): sign for part, sign in enumerate("⅓⅔", 1)},
    **{Fraction(part, 4): sign for part, sign in ((1, "¼"), (3, "¾"))},
    **{Fraction(part, 5): sign for part, sign in enumerate("⅕⅖⅗⅘", 1)},
}


def points_label(points: Fraction) -> str:
    """Points: what places at tables of two to six bring as fractions, others with two decimals."""
    whole, rest = divmod(points, 1)
    if not rest:
        return str(whole)
    if sign := _FRACTIONS.get(rest):
        return f"{whole or ''}{sign}"
    return f"{float(points):.2f}"


def knock_out_label(games: int) -> str:
    """A round of a knock-out in which so many games decide who goes on."""
    known = {1: gettext("Final"), 2: gettext("Semi-final"), 4: gettext("Quarter-final")}
    return known.get(games) or gettext("Round of {count}").format(count=2 * games)


def stage_label(stage: str) -> str:
    """A part of a tournament, such as `group 2` or `final losers 3`, in the reader's language."""
    if stage.startswith("final ") and stage != "final again":
        return f"{_PLAIN['final']}: {stage_label(stage.removeprefix('final '))}"
    name, _, number = stage.rpartition(" ")
    if name in _NUMBERED:
        return str(_NUMBERED[name]).format(number=number)
    return str(_PLAIN.get(stage, stage))


_NUMBERED = {
    "group": gettext_lazy("Group {number}"),
    "winners": gettext_lazy("Main bracket, round {number}"),
    "losers": gettext_lazy("Second bracket, round {number}"),
}
_PLAIN = {"final": gettext_lazy("Final"), "final again": gettext_lazy("Final, once more")}
"""Parts of a tournament as the log calls them, with a number and without."""
