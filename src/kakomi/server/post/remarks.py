"""What people say by mail: at their tables, where it stands beside the board, and to each other."""

from collections.abc import Sequence

from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.commands import Board, ParsedMail
from kakomi.server.accounts.models import Guest
from kakomi.server.chat import direct_messages, selectors, services
from kakomi.server.chat.models import Message
from kakomi.server.language import why
from kakomi.server.lobby.selectors import find_people
from kakomi.server.post.authority import Authority
from kakomi.server.post.models import ReceivedMail
from kakomi.server.post.requests import AT_A_BOARD, Request, Result, said, table_meant
from kakomi.server.tables import models as tables
from kakomi.session import Refused, Table

NOT_PASSED_ON = lazy_message("What you wrote below was not passed on.")
PASSED_ON = lazy_message("Your words stand beside the board, for those who play there.")


def say(request: Request, board: Board, text: str) -> Result:
    """Say something at a table. Raises Refused."""
    services.write(request.table(board), request.guest, text, f"mail{request.mail.pk}.{request.number}")
    return said(PASSED_ON)


def write_to(request: Request, names: Sequence[str], text: str) -> Result:
    """Write to people: to all of them or to none. Raises Refused."""
    found, unknown = find_people(names)
    if unknown:
        raise Refused(lazy_message("nobody signs in as {name}", name=unknown[0]))
    for guest in found:
        direct_messages.send(request.guest, guest, text, f"mail{request.mail.pk}.{request.number}")
    told = ", ".join(str(guest) for guest in found)
    return said(lazy_message("Your message is with {names}.", names=told))


def pass_on(mail: ReceivedMail, authority: Authority, parsed: ParsedMail) -> Result:
    """Say at a table what was written below the commands of a mail."""
    row = table_of_remark(authority, parsed)
    assert row is not None and authority.guest is not None
    try:
        services.write(row, authority.guest, parsed.remark, f"mail{mail.pk}.remark")
    except Refused as error:
        return said(NOT_PASSED_ON, why(error))
    return said(PASSED_ON)


def table_of_remark(authority: Authority, parsed: ParsedMail) -> tables.Table | None:
    """The table for which a remark is meant: that of the last command for one, else the one answered.

    None if there is no remark, or its sender may not act there.
    """
    boards = [command.board for command in parsed.commands if isinstance(command, AT_A_BOARD)]
    row = table_meant(boards[-1] if boards else Board(), authority) if parsed.remark else None
    return row if row is not None and authority.may_act_at(row) else None


def unanswered_remarks(row: tables.Table, table: Table, guest: Guest | None) -> tuple[tuple[str, str], ...]:
    """What others have said since a player last did something there: names and texts."""
    if guest is None or not services.may_write(row, guest):
        return ()
    own = {seat.number for seat in row.seats.all() if seat.guest_id == guest.pk}
    since = max((entry.at for entry in table.history if entry.seat in own), default=0.0)
    messages = selectors.conversation(row, Message.Room.PLAYERS, guest).messages
    new = [each for each in messages if each.at > since and each.text and each.author_id != guest.pk]
    return tuple((each.author.called, each.text) for each in new)
