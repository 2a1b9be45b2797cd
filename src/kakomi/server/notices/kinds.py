"""The kinds of notices: their texts, and their defaults in people's preferences."""

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
    """Its name in the preferences."""
    text: Promise
    """The text's template. `{game}`, `{opponents}` and the sentence `{deadline}` come from the table, other
    names from the notice's data."""
    needs: tuple[str, ...] = ()
    """The keys that the notice's data must have."""
    is_mailed: bool = True
    """Whether it is mailed by default."""
    is_usual: bool = True
    """Whether it is on by default; otherwise people must turn it on."""
    is_urgent: bool = False
    """Whether it is mailed immediately."""
    is_lasting: bool = False
    """Whether it holds until the person acts; opening it doesn't mark it as read."""
    is_for_staff: bool = False
    """Whether only staff get it and can choose it."""

    def words(self, values: Mapping[str, Any]) -> str:
        """The text in the active language. Values that older notices lack are left out."""
        return " ".join(str(self.text).format_map(defaultdict(str, values)).split())


_ALL = (
    Kind(
        "turn",
        gettext_lazy("It’s your turn"),
        gettext_lazy("Your turn: {game}, {opponents}."),
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
        gettext_lazy("Draw, takeback or pause offered"),
        gettext_lazy("You have an offer in {game}, {opponents}: a draw, a takeback or a pause."),
    ),
    Kind(
        "seat_taken",
        gettext_lazy("Someone joins your game"),
        gettext_lazy("Someone joined your game: {game}, {opponents}."),
    ),
    Kind(
        "invitation_declined",
        gettext_lazy("Your invitation is declined"),
        gettext_lazy("Your invitation to {game} was declined. {reason}"),
        needs=("reason",),
    ),
    Kind(
        "game_begun",
        gettext_lazy("Your game starts"),
        gettext_lazy("Game started: {game}, {opponents}. {deadline}"),
    ),
    Kind(
        "challenge",
        gettext_lazy("Someone challenges you"),
        gettext_lazy("{name} challenges you to {title}."),
        needs=("name", "title"),
    ),
    Kind(
        "challenge_declined",
        gettext_lazy("Your challenge is declined"),
        gettext_lazy("{name} declined your challenge to {title}."),
        needs=("name", "title"),
    ),
    Kind(
        "challenge_withdrawn",
        gettext_lazy("A challenge is withdrawn"),
        gettext_lazy("{name} withdrew the challenge to {title}."),
        needs=("name", "title"),
        is_mailed=False,
    ),
    Kind(
        "seek_ended",
        gettext_lazy("Your open challenge expires"),
        gettext_lazy("Your open challenge for {title} expired: no one accepted it."),
        needs=("title",),
        is_mailed=False,
    ),
    Kind(
        "new_seeks",
        gettext_lazy("Open correspondence challenges in your games, once a day"),
        gettext_lazy("Open challenges in your games: {titles}."),
        needs=("titles",),
        is_mailed=False,
        is_usual=False,
    ),
    Kind(
        "table_message",
        gettext_lazy("Chat message in your game"),
        gettext_lazy("New chat message in {game}, {opponents}."),
        is_mailed=False,
        is_usual=False,
    ),
    Kind(
        "reminder",
        gettext_lazy("A third of your time for a move has passed"),
        gettext_lazy("Still your turn: {game}, {opponents}. {deadline}"),
    ),
    Kind(
        "time_low",
        gettext_lazy("You’re running out of time"),
        gettext_lazy("Time is running out: {game}, {opponents}. {deadline}"),
        is_urgent=True,
    ),
    Kind(
        "player_left",
        gettext_lazy("A player leaves and the others play on"),
        gettext_lazy("{game}, {opponents}, continues without one player. {reason} {deadline}"),
        needs=("ending", "losers"),
    ),
    Kind(
        "time_out",
        gettext_lazy("You run out of time and the others play on"),
        gettext_lazy("You ran out of time in {game}, {opponents}. The others play on without you."),
    ),
    Kind(
        "plan_ended",
        gettext_lazy("Your conditional moves end"),
        gettext_lazy("Your plan in {game}, {opponents}, has ended. You have to make the next move yourself."),
    ),
    Kind(
        "opponent_rests",
        gettext_lazy("An opponent goes on vacation"),
        gettext_lazy("{name} is on vacation until {until}. Their clocks are paused until then. {deadline}"),
        needs=("name", "until"),
    ),
    Kind(
        "vacation_begun",
        gettext_lazy("Your vacation starts automatically"),
        gettext_lazy(
            "You were about to run out of time, so your vacation started. It lasts until {until}. {deadline}"
        ),
        needs=("until",),
    ),
    Kind(
        "vacation_low",
        gettext_lazy("You’re running out of vacation days"),
        gettext_lazy("Vacation days left: {days}. Once you’ve used them up, your clocks keep running."),
        needs=("days",),
    ),
    Kind(
        "rest_ending",
        gettext_lazy("Your vacation ends soon"),
        gettext_lazy("Your vacation ends soon. Your clocks will then resume."),
    ),
    Kind(
        "rest_ended",
        gettext_lazy("Your vacation ends"),
        gettext_lazy("Your vacation has ended. Your clocks are running again."),
    ),
    Kind(
        "tournament_round",
        gettext_lazy("A round of your tournament starts"),
        gettext_lazy(
            "Round {round} of {tournament} has started. You’re playing {game}, {opponents}. {title}"
        ),
        needs=("tournament", "round"),
    ),
    Kind(
        "tournament_bye",
        gettext_lazy("You have a bye in a tournament"),
        gettext_lazy("You have a bye in round {round} of {tournament}."),
        needs=("tournament", "round"),
    ),
    Kind(
        "tournament_out",
        gettext_lazy("You’re eliminated from a tournament"),
        gettext_lazy("You’ve been eliminated from {tournament}. You’ll get your final place when it ends."),
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
        gettext_lazy("You win a tournament"),
        gettext_lazy("You won {tournament}. Congratulations!"),
        needs=("tournament",),
    ),
    Kind(
        "tournament_cancelled",
        gettext_lazy("Your tournament is cancelled"),
        gettext_lazy("{tournament} has been cancelled. Games in progress continue."),
        needs=("tournament",),
    ),
    Kind(
        "tournament_removed",
        gettext_lazy("You’re no longer paired in a tournament"),
        gettext_lazy("You’re no longer paired in {tournament}. {title}"),
        needs=("tournament",),
    ),
    Kind(
        "message",
        gettext_lazy("Direct message"),
        gettext_lazy("{name} sent you a message."),
        needs=("name",),
    ),
    Kind(
        "tournament_corrected",
        gettext_lazy("Your result in a tournament is corrected"),
        gettext_lazy(
            "The result of your game in round {round} of {tournament} was corrected: your place "
            "is {place}. Reason: {words} {title}"
        ),
        needs=("tournament", "round", "place", "words", "title"),
    ),
    Kind(
        "tournament_renamed",
        gettext_lazy("Moderators rename your tournament"),
        gettext_lazy("A moderator renamed your tournament to {tournament}. Reason: {words}"),
        needs=("tournament", "words"),
    ),
    Kind(
        "endpoint_off",
        gettext_lazy("Push notifications to a browser are turned off"),
        gettext_lazy("{label} was turned off after {count} failures: {reason}"),
        needs=("label", "count", "reason"),
    ),
    Kind(
        "measure",
        gettext_lazy("Moderators take action on your account"),
        gettext_lazy("{title} Reason: {words} See how long it lasts and how to appeal."),
        needs=("title", "words"),
    ),
    Kind(
        "measure_lifted",
        gettext_lazy("Moderators lift a restriction"),
        gettext_lazy("A restriction on your account was lifted: {words}"),
        needs=("words",),
    ),
    Kind(
        "appeal_decided",
        gettext_lazy("Your appeal is answered"),
        gettext_lazy("Your appeal was reviewed. {title} Answer: {words}"),
        needs=("title", "words"),
    ),
    Kind(
        "report_answered",
        gettext_lazy("Your report is reviewed"),
        gettext_lazy("Your report was reviewed. {title}"),
        needs=("title",),
        is_mailed=False,
    ),
    Kind(
        "case",
        gettext_lazy("New report or appeal"),
        gettext_lazy("Case {number}, {name}: {title}"),
        needs=("number", "name", "title"),
        is_for_staff=True,
    ),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
"""Name -> kind, in the order of the preferences page."""
GROUPS: Mapping[str, tuple[Promise, tuple[str, ...]]] = {
    "turns": (gettext_lazy("Your turn"), ("turn", "reminder", "time_low", "offer", "plan_ended")),
    "challenges": (
        gettext_lazy("Challenges and new games"),
        (
            *("challenge", "challenge_declined", "challenge_withdrawn", "seek_ended", "new_seeks"),
            *("seat_taken", "invitation_declined", "game_begun"),
        ),
    ),
    "games": (
        gettext_lazy("Results and vacations in your games"),
        (
            *("over", "player_left", "time_out", "opponent_rests"),
            *("vacation_begun", "vacation_low", "rest_ending", "rest_ended"),
        ),
    ),
    "tournaments": (
        gettext_lazy("Tournaments"),
        tuple(kind.name for kind in _ALL if kind.name.startswith("tournament_")),
    ),
    "messages": (gettext_lazy("Messages"), ("message", "table_message")),
}
"""Name -> label and kinds, for choosing several kinds at once. The other kinds are rare."""
TURN = "turn"
TIME_LOW, REMINDER = "time_low", "reminder"
PRESSING = (REMINDER, TIME_LOW)
"""Kinds that hold only as long as the turn they are about."""
LASTING = tuple(kind.name for kind in _ALL if kind.is_lasting)
OFF_BY_DEFAULT = tuple(kind.name for kind in _ALL if not kind.is_usual)
"""Kinds that are off by default."""
BY_MAIL = (
    *(TURN, "offer", "over", "challenge", "challenge_declined", "challenge_withdrawn", "seek_ended"),
    *("seat_taken", "invitation_declined", "game_begun", "tournament_round", "table_message", "plan_ended"),
    *(REMINDER, TIME_LOW, "time_out", "player_left"),
    *("opponent_rests", "vacation_begun", "vacation_low", "rest_ending", "rest_ended"),
)
"""Kinds that are mailed promptly, with the board, to people who play by mail: all those about a game."""
URGENT = tuple(kind.name for kind in _ALL if kind.is_urgent)
