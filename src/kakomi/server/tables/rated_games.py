"""Games whose results count for ratings: what they have to be like, and who may play them.

Nobody is helped in them, nothing is taken back, and lots decide who begins. A clock ends every game: whoever
goes away loses, against bots too.
"""

from collections.abc import Iterable

from django.utils.translation import gettext

from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.core.option import Option
from kakomi.server.accounts.bots import have_one_owner
from kakomi.server.accounts.models import Guest
from kakomi.session import MatchConfig, Refused, TimeControl

NEEDS_ACCOUNTS = lazy_message("rated games are for people with an account: sign up, or play a casual one")
_ONE_OWNER = lazy_message("a bot plays no rated games against its owner, or against another bot of theirs")
_SEVERAL_SEATS = lazy_message("in a rated game everybody plays for one seat")


def why_unrated(game: Game, control: TimeControl | None, position: str = "") -> dict[str, str]:
    """What would have to be different for a game to be rated, by field of the form."""
    wrong = {}
    if control is None:
        wrong["clock"] = gettext("A rated game needs a clock: choose one, or play a casual game.")
    if position:
        wrong["position"] = gettext("A rated game begins at the start: leave this empty.")
    for option in game.description.options:
        if option.name not in ("size", "players") and not _is_usual(option, game):
            said = gettext("In a rated game it is {usual}.")
            wrong[option.name] = said.format(usual=" / ".join(map(str, _usual(option, game))))
    if game.description.size_class(game.options) is None:
        wrong["size"] = gettext("Boards of this size are not rated: choose a larger one.")
    return wrong


def _is_usual(option: Option, game: Game) -> bool:
    return game.options[option.name] in _usual(option, game)


def _usual(option: Option, game: Game) -> tuple[int, ...]:
    """What an option is in rated games: what is offered first, or its default."""
    return tuple(sorted({*option.presets, option.default_given(game.options)}))


def expect_ratable(terms: MatchConfig, control: TimeControl | None, guests: Iterable[Guest | None]) -> None:
    """Raises Refused for terms or people that no rated game has; None is a bot, or nobody yet."""
    for wrong in why_unrated(terms.game, control, terms.position).values():
        raise Refused(wrong)
    expect_rated_players([guest for guest in guests if guest])


def expect_rated_players(guests: Iterable[Guest]) -> None:
    """Raises Refused unless these people may play a rated game with each other."""
    people = list(guests)
    numbers = {guest.pk for guest in people}
    if len(numbers) < len(people):
        raise Refused(_SEVERAL_SEATS)
    if not all(map(has_account, people)):
        raise Refused(NEEDS_ACCOUNTS)
    if have_one_owner(people):
        raise Refused(_ONE_OWNER)


def has_account(guest: Guest | None) -> bool:
    """Whether somebody may play rated games."""
    return guest is not None and guest.handle is not None
