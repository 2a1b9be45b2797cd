"""Labels for tournaments: formats, tie-breaks, states, points."""

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
    Tournament.State.OPEN: gettext_lazy("open for registration"),
    Tournament.State.RUNNING: gettext_lazy("in progress"),
    Tournament.State.OVER: gettext_lazy("over"),
    Tournament.State.CANCELLED: gettext_lazy("cancelled"),
}
REPEATS: Mapping[str, Promise] = {
    Tournament.Repeat.WEEKLY: gettext_lazy("every week"),
    Tournament.Repeat.MONTHLY: gettext_lazy("every month"),
}
PACES: Mapping[Pace, Promise] = {"live": gettext_lazy("live"), "days": gettext_lazy("correspondence")}
"""Labels of the paces."""
LEAVING: Mapping[str, Promise] = {
    Entrant.Leaving.OWN: gettext_lazy("withdrew"),
    Entrant.Leaving.REMOVED: gettext_lazy("removed by the organiser"),
    Entrant.Leaving.ABSENT: gettext_lazy("missed a game"),
    Entrant.Leaving.SUSPENDED: gettext_lazy("can’t start this kind of game for now"),
    Entrant.Leaving.ERASED: gettext_lazy("withdrew"),
}


class TieBreakText(NamedTuple):
    """The column head, name and explanation of a tie-break."""

    sign: str
    """The head of a narrow column: FIDE's acronym where FIDE defines this tie-break (Handbook C.07)."""
    name: Promise
    explanation: Promise


TIE_BREAKS: Mapping[TieBreak, TieBreakText] = {
    "direct encounter": TieBreakText(
        "DE",
        gettext_lazy("Direct encounter"),
        gettext_lazy("Points from the games between the tied players, if all of them have met."),
    ),
    "wins": TieBreakText("WIN", gettext_lazy("Wins"), gettext_lazy("Games won.")),
    "buchholz": TieBreakText(
        "BH",
        gettext_lazy("Buchholz"),
        gettext_lazy("The sum of the opponents’ points; in multiplayer games, of their average."),
    ),
    "buchholz cut 1": TieBreakText(
        "BH-C1",
        gettext_lazy("Buchholz cut 1"),
        gettext_lazy("The sum of the opponents’ points, without the lowest."),
    ),
    "sonneborn-berger": TieBreakText(
        "SB",
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("The points of the opponents you beat, plus half the points of those you drew with."),
    ),
    "progressive": TieBreakText(
        "PS",
        gettext_lazy("Progressive"),
        gettext_lazy("The sum of your points after each round: early wins count more."),
    ),
    "less begun": TieBreakText(
        "2ND", gettext_lazy("Games going second"), gettext_lazy("Games in which another player went first.")
    ),
}


def format_label(config: AnyFormat) -> str:
    """A short label of a format."""
    match config:
        case Swiss():
            rounds = config.rounds
            return ngettext("Swiss, {rounds} round", "Swiss, {rounds} rounds", rounds).format(rounds=rounds)
        case Tables():
            said = ngettext(
                "{rounds} round, {seats} players per game",
                "{rounds} rounds, {seats} players per game",
                config.rounds,
            )
            return said.format(rounds=config.rounds, seats=config.seats)
        case Elimination(losses=1):
            return gettext("knock-out")
        case Elimination():
            return gettext("knock-out after two losses")
        case Ladder():
            return gettext("ladder")
        case RoundRobin() if config.groups > 1:
            said = ngettext("{groups} group and final", "{groups} groups and final", config.groups)
            return said.format(groups=config.groups)
        case RoundRobin():
            return gettext("round robin") if config.legs == 1 else gettext("double round robin")


_FRACTIONS = {
    Fraction(1, 2): "½",
    **{Fraction(part, 3): sign for part, sign in enumerate("⅓⅔", 1)},
    **{Fraction(part, 4): sign for part, sign in ((1, "¼"), (3, "¾"))},
    **{Fraction(part, 5): sign for part, sign in enumerate("⅕⅖⅗⅘", 1)},
}


def points_label(points: Fraction) -> str:
    """Points as text: with a fraction sign for those of tables of two to six, otherwise with two decimals."""
    whole, rest = divmod(points, 1)
    if not rest:
        return str(whole)
    if sign := _FRACTIONS.get(rest):
        return f"{whole or ''}{sign}"
    return f"{float(points):.2f}"


def knock_out_label(games: int) -> str:
    """The name of a knock-out round with this number of matches."""
    known = {1: gettext("Final"), 2: gettext("Semi-final"), 4: gettext("Quarter-final")}
    return known.get(games) or gettext("Round of {count}").format(count=2 * games)


def stage_label(stage: str) -> str:
    """The name of a stage, such as `group 2` or `final losers 3`, in the active language."""
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
_PLAIN = {"final": gettext_lazy("Final"), "final again": gettext_lazy("Final, replay")}
"""Labels by the log's stage names, with a number and without."""
