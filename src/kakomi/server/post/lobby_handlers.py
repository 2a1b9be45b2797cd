"""Seeks and challenges by mail: the lobby's own services, for games over days."""

from collections.abc import Sequence
from dataclasses import replace

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Terms
from kakomi.server import clock
from kakomi.server.chat.text_rules import on_one_line, why_not_written
from kakomi.server.language import translate
from kakomi.server.lobby import pairing, selectors, services
from kakomi.server.lobby.models import REMARK_LENGTH, Seek
from kakomi.server.lobby.pairing import CONTROLS
from kakomi.server.lobby.services import Outcome, Wish
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.post.remarks import NOT_PASSED_ON
from kakomi.server.post.requests import Request
from kakomi.server.post.results import Result, said, shown
from kakomi.session import Refused


def challenge(request: Request, command: commands.Challenge) -> Result:
    """Ask people for a game."""
    found, unknown = selectors.find_people(command.people)
    if unknown:
        raise Refused(lazy_message("nobody signs in as {name}", name=unknown[0]))
    wish = _wish(command.terms, Seek.Kind.CHALLENGE)
    remark, unsaid = _remark(request)
    wish = replace(wish, invitees=found, remark=remark)
    seek = services.create(request.guest, wish, request.key).seek
    names = ", ".join(str(guest) for guest in found)
    told = lazy_message(
        "You challenge {names}. The challenge has the code {code}; withdraw {code} takes it back.",
        names=names,
        code=seek.code,
    )
    return said(told, *unsaid)


def _remark(request: Request) -> tuple[str, tuple[str, ...]]:
    """The remark below a command as it is passed on, and sentences that explain why it isn't."""
    remark = on_one_line(request.remark)
    if not remark or not (wrong := why_not_written(request.guest, remark, REMARK_LENGTH)):
        return remark, ()
    return "", (NOT_PASSED_ON, wrong)


def look_for(request: Request, command: commands.Seek) -> Result:
    """Wait for opponents; there is a table at once if somebody waits for the same."""
    wish = _wish(command.terms, Seek.Kind.OPEN)
    wish = replace(wish, times=command.times)
    outcome = pairing.look_for(request.guest, wish, request.key)
    return _outcome(
        outcome,
        lazy_message(
            "You wait for opponents under the code {code}; withdraw {code} ends that.", code=outcome.seek.code
        ),
    )


def stop_seeking(request: Request, command: commands.StopSeeking) -> Result:
    """Withdraw one's seeks."""
    seeks = [
        seek.row
        for seek in selectors.own_seeks(request.guest, clock.now())
        if seek.row.is_open and command.game in ("", seek.row.game)
    ]
    if not seeks:
        raise Refused(lazy_message("no seek of yours waits"))
    for row in seeks:
        services.withdraw(row.code, request.guest)
    return said(lazy_message("Withdrawn: {codes}.", codes=", ".join(row.code for row in seeks)))


def accept(request: Request, code: str) -> Result:
    """Accept a challenge, or join a seek."""
    remark, unsaid = _remark(request)
    outcome = services.accept(code, request.guest, remark)
    return _outcome(outcome, lazy_message("You have accepted; the game begins when all have."), unsaid)


def reject(request: Request, code: str) -> Result:
    """Decline a challenge."""
    services.decline(code, request.guest, "")
    return said(lazy_message("You have declined."))


def withdraw(request: Request, code: str) -> Result:
    """Take a challenge or a seek of one's own back."""
    services.withdraw(code, request.guest)
    return said(lazy_message("Withdrawn: {codes}.", codes=code))


ANSWERS = {commands.Accept: accept, commands.Reject: reject, commands.Withdraw: withdraw}
"""What answers a challenge, or takes one back."""


def is_seek(code: str) -> bool:
    """Whether a code is a challenge's or a seek's."""
    return bool(code) and Seek.objects.filter(code=code).exists()


def _outcome(outcome: Outcome, waits: str, unsaid: Sequence[str] = ()) -> Result:
    if outcome.table is None:
        return said(waits, *unsaid)
    begun = map(translate, (lazy_message("The game has begun."), *unsaid))
    return shown(outcome.table.code, " ".join(begun))


def _wish(terms: Terms, kind: Seek.Kind) -> Wish:
    """What the terms ask for. Raises Refused for a game that isn't over days."""
    control = replace(terms.time or CONTROLS["days"], nag=terms.nag)
    if control.pace != "days":
        raise Refused(lazy_message("games by mail are over days: choose a clock such as 3d"))
    description = catalog.describe(terms.game)
    left_open = description.komi_option if terms.negotiate else None
    options = {name: value for name, value in terms.options.items() if name != left_open}
    game = catalog.game(terms.game, **options)
    wanted = SeekTerms.of(
        game,
        control,
        is_match=terms.games > 1,
        negotiate=terms.negotiate,
        swap=terms.swap,
        leavers=terms.leavers,
    )
    return Wish(kind, wanted, bool(terms.is_rated), game.players, game.players)
