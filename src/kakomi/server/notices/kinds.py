"""The kinds of notices: what each says, and what of it somebody can turn on and off."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


@dataclass(frozen=True)
class Kind:
    """A kind of notices."""

    name: str
    label: Promise
    """What it is called where people choose."""
    text: Promise
    """Sentences. `{game}`, `{opponents}` and the sentence `{deadline}` come from the table; other names from
    the notice's data."""
    needs: tuple[str, ...] = ()
    """What the data must hold for the text."""
    is_mailed: bool = True
    """Whether it is mailed unless somebody turns that off."""
    is_usual: bool = True
    """Whether everybody is told it who has not said otherwise; else only who wishes it."""
    is_urgent: bool = False
    """Whether its mail waits for nothing."""
    is_lasting: bool = False
    """Whether it is true until something is done: opening it doesn't make it read."""
    is_for_staff: bool = False
    """Whether only staff get it, and have it among their choices."""

    def words(self, values: Mapping[str, Any]) -> str:
        """The sentence, in the language that is spoken. What older notices lack is left out."""
        return " ".join(str(self.text).format_map(defaultdict(str, values)).split())


_ALL = (
    Kind(
        "turn",
        gettext_lazy("It is your turn"),
        gettext_lazy("It is your turn at {game}, {opponents}."),
        is_lasting=True,
    ),
    Kind(
        "over",
        gettext_lazy("A game is over"),
        gettext_lazy("{game}, {opponents}, is over: {result}. {reason}"),
        needs=("ending", "losers"),
    ),
    Kind(
        "offer",
        gettext_lazy("A draw or a takeback is offered"),
        gettext_lazy("You are asked something at {game}, {opponents}: a draw, a takeback, or a pause."),
    ),
    Kind(
        "seat_taken",
        gettext_lazy("Somebody sits down at your table"),
        gettext_lazy("Somebody has sat down at your table: {game}, {opponents}."),
    ),
    Kind(
        "invitation_declined",
        gettext_lazy("Your invitation is declined"),
        gettext_lazy("Your invitation to {game} was declined. {reason}"),
        needs=("reason",),
    ),
    Kind(
        "game_begun",
        gettext_lazy("A game of yours begins"),
        gettext_lazy("A game has begun: {game}, {opponents}. {deadline}"),
    ),
    Kind(
        "challenge",
        gettext_lazy("Somebody challenges you"),
        gettext_lazy("{name} challenges you to {title}."),
        needs=("name", "title"),
    ),
    Kind(
        "challenge_declined",
        gettext_lazy("Your challenge is declined"),
        gettext_lazy("{name} declines your challenge to {title}."),
        needs=("name", "title"),
    ),
    Kind(
        "challenge_withdrawn",
        gettext_lazy("A challenge is withdrawn"),
        gettext_lazy("{name} has withdrawn the challenge to {title}."),
        needs=("name", "title"),
        is_mailed=False,
    ),
    Kind(
        "seek_ended",
        gettext_lazy("Your seek has ended without a game"),
        gettext_lazy("Nobody took your seek for {title} in time. It has ended."),
        needs=("title",),
        is_mailed=False,
    ),
    Kind(
        "new_seeks",
        gettext_lazy("People look for opponents over days in games that you play, once a day"),
        gettext_lazy("People look for opponents in games that you play: {titles}."),
        needs=("titles",),
        is_mailed=False,
        is_usual=False,
    ),
    Kind(
        "table_message",
        gettext_lazy("Somebody writes beside the board at a table of yours"),
        gettext_lazy("Somebody has written beside the board at {game}, {opponents}."),
        is_mailed=False,
        is_usual=False,
    ),
    Kind(
        "reminder",
        gettext_lazy("It has been your turn for a third of your time"),
        gettext_lazy("It is still your turn at {game}, {opponents}. {deadline}"),
    ),
    Kind(
        "time_low",
        gettext_lazy("Your time is running out"),
        gettext_lazy("Your time runs out soon at {game}, {opponents}. {deadline}"),
        is_urgent=True,
    ),
    Kind(
        "player_left",
        gettext_lazy("A player leaves, and the others play on"),
        gettext_lazy("{game}, {opponents}, goes on without one player. {reason} {deadline}"),
        needs=("ending", "losers"),
    ),
    Kind(
        "time_out",
        gettext_lazy("Your time has run out, and the others play on"),
        gettext_lazy(
            "Your time has run out at {game}, {opponents}. You have left the game; the others play on."
        ),
    ),
    Kind(
        "plan_ended",
        gettext_lazy("A plan of yours has ended"),
        gettext_lazy("Your plan at {game}, {opponents}, has ended. The next turn is yours to think about."),
    ),
    Kind(
        "opponent_rests",
        gettext_lazy("An opponent’s vacation begins"),
        gettext_lazy("{name} is on vacation until {until}. Until then their clocks stand still. {deadline}"),
        needs=("name", "until"),
    ),
    Kind(
        "vacation_begun",
        gettext_lazy("A vacation of yours begins by itself"),
        gettext_lazy("Your time would have run out, so you are on vacation until {until}. {deadline}"),
        needs=("until",),
    ),
    Kind(
        "vacation_low",
        gettext_lazy("Your days of vacation run out"),
        gettext_lazy(
            "You have few days of vacation left: {days}. Once they are used up, nothing stops your clocks."
        ),
        needs=("days",),
    ),
    Kind(
        "rest_ending",
        gettext_lazy("Your vacation ends soon"),
        gettext_lazy("Your vacation ends soon. Then the clocks of your games run again."),
    ),
    Kind(
        "rest_ended",
        gettext_lazy("Your vacation has ended"),
        gettext_lazy("Your vacation has ended. The clocks of your games run again."),
    ),
    Kind(
        "tournament_round",
        gettext_lazy("A round of your tournament has begun"),
        gettext_lazy("Round {round} of {tournament} has begun. You play {game}, {opponents}. {title}"),
        needs=("tournament", "round"),
    ),
    Kind(
        "tournament_bye",
        gettext_lazy("You sit out a round of a tournament"),
        gettext_lazy("You sit out round {round} of {tournament}: there is nobody left to play you."),
        needs=("tournament", "round"),
    ),
    Kind(
        "tournament_out",
        gettext_lazy("You are out of a tournament that goes on"),
        gettext_lazy("You are out of {tournament}. It goes on without you; at its end you hear your place."),
        needs=("tournament",),
    ),
    Kind(
        "tournament_over",
        gettext_lazy("Your tournament is over"),
        gettext_lazy("{tournament} is over. {title} See who won."),
        needs=("tournament",),
    ),
    Kind(
        "tournament_won",
        gettext_lazy("You have won a tournament"),
        gettext_lazy("{tournament} is over, and you are first. Congratulations!"),
        needs=("tournament",),
    ),
    Kind(
        "tournament_cancelled",
        gettext_lazy("Your tournament is called off"),
        gettext_lazy("{tournament} is called off. Games that have begun go on."),
        needs=("tournament",),
    ),
    Kind(
        "tournament_removed",
        gettext_lazy("You are not paired any more in a tournament"),
        gettext_lazy("You are not paired any more in {tournament}. {title}"),
        needs=("tournament",),
    ),
    Kind(
        "message",
        gettext_lazy("Somebody writes to you"),
        gettext_lazy("{name} writes to you."),
        needs=("name",),
    ),
    Kind(
        "tournament_corrected",
        gettext_lazy("A result of yours in a tournament is corrected"),
        gettext_lazy(
            "The result of your game in round {round} of {tournament} was corrected: your place is {place}. "
            "The reason: {words} {title}"
        ),
        needs=("tournament", "round", "place", "words", "title"),
    ),
    Kind(
        "tournament_renamed",
        gettext_lazy("Staff give your tournament another name"),
        gettext_lazy("Staff have given your tournament another name: {tournament}. The reason: {words}"),
        needs=("tournament", "words"),
    ),
    Kind(
        "endpoint_off",
        gettext_lazy("Push to a browser was switched off"),
        gettext_lazy("{label} was switched off, as it has failed {count} times: {reason}"),
        needs=("label", "count", "reason"),
    ),
    Kind(
        "measure",
        gettext_lazy("Staff decide something about you"),
        gettext_lazy("{title} The reason: {words} Here it says until when, and how you can appeal."),
        needs=("title", "words"),
    ),
    Kind(
        "measure_lifted",
        gettext_lazy("Staff take a measure back"),
        gettext_lazy("A measure about you was taken back: {words}"),
        needs=("words",),
    ),
    Kind(
        "appeal_decided",
        gettext_lazy("Your appeal is answered"),
        gettext_lazy("Your appeal was looked at. {title} The answer: {words}"),
        needs=("title", "words"),
    ),
    Kind(
        "report_answered",
        gettext_lazy("Your report was looked at"),
        gettext_lazy("Your report was looked at. {title}"),
        needs=("title",),
        is_mailed=False,
    ),
    Kind(
        "case",
        gettext_lazy("Somebody reports a person, or appeals"),
        gettext_lazy("Case {number}, {name}: {title}"),
        needs=("number", "name", "title"),
        is_for_staff=True,
    ),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
"""All kinds, by name, in the order in which people choose."""
TURN = "turn"
TIME_LOW, REMINDER = "time_low", "reminder"
PRESSING = (REMINDER, TIME_LOW)
"""Kinds that are true as long as the turn lasts of which they were told."""
LASTING = tuple(kind.name for kind in _ALL if kind.is_lasting)
WISHED = tuple(kind.name for kind in _ALL if not kind.is_usual)
"""Kinds that are written for those alone who wish them."""
BY_MAIL = (
    *(TURN, "offer", "over", "challenge", "challenge_declined", "challenge_withdrawn", "seek_ended"),
    *("seat_taken", "invitation_declined", "game_begun", "tournament_round", "table_message", "plan_ended"),
    *(REMINDER, TIME_LOW, "time_out", "player_left"),
    *("opponent_rests", "vacation_begun", "vacation_low", "rest_ending", "rest_ended"),
)
"""Kinds that are mailed at once, with the board, to who plays by mail: all that are about a game."""
URGENT = tuple(kind.name for kind in _ALL if kind.is_urgent)
