"""Messages sent by mail: to the chat at a table, and to people."""

from collections.abc import Sequence

from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.commands import Board, ParsedMail
from kakomi.server.accounts.models import Guest
from kakomi.server.chat import direct_messages, selectors, services
from kakomi.server.chat.models import Message
from kakomi.server.lobby.selectors import find_people
from kakomi.server.mail.authority import Authority
from kakomi.server.mail.models import ReceivedMail
from kakomi.server.mail.requests import AT_A_BOARD, CommandResult, Request, table_meant, text_result
from kakomi.server.site.language import why
from kakomi.server.tables import models as tables
from kakomi.session import Refused, Table

NOT_PASSED_ON = lazy_message("Your message below the commands wasn’t sent.")
PASSED_ON = lazy_message("Your message was added to the game chat.")


def write_to_table(request: Request, board: Board, text: str) -> CommandResult:
    """Write to a table's chat. Raises `Refused`."""
    services.write_message(
        request.table(board), request.guest, text, f"mail{request.mail.pk}.{request.number}"
    )
    return text_result(PASSED_ON)


def send_message(request: Request, names: Sequence[str], text: str) -> CommandResult:
    """Send a message to people, to all or none of them. Raises `Refused`."""
    found, unknown = find_people(names)
    if unknown:
        raise Refused(lazy_message("there is no player called {name}", name=unknown[0]))
    for guest in found:
        direct_messages.send_message(request.guest, guest, text, f"mail{request.mail.pk}.{request.number}")
    recipients = ", ".join(str(guest) for guest in found)
    return text_result(lazy_message("Message sent to {names}.", names=recipients))


def pass_remark_on(mail: ReceivedMail, authority: Authority, parsed: ParsedMail) -> CommandResult:
    """Pass the remark below a mail's commands to a table's chat."""
    row = table_of_remark(authority, parsed)
    assert row is not None and authority.guest is not None
    try:
        services.write_message(row, authority.guest, parsed.remark, f"mail{mail.pk}.remark")
    except Refused as error:
        return text_result(NOT_PASSED_ON, why(error))
    return text_result(PASSED_ON)


def table_of_remark(authority: Authority, parsed: ParsedMail) -> tables.Table | None:
    """The table that a remark is for: the last table command's, or else the answered mail's.

    None if there is no remark, or its sender may not act there without confirmation.
    """
    boards = [command.board for command in parsed.commands if isinstance(command, AT_A_BOARD)]
    row = table_meant(boards[-1] if boards else Board(), authority) if parsed.remark else None
    return row if row is not None and authority.may_act_at(row) else None


def unanswered_remarks(row: tables.Table, table: Table, guest: Guest | None) -> tuple[tuple[str, str], ...]:
    """What others have said since the player's last action at the table, as (name, text)."""
    if guest is None or not services.may_write(row, guest):
        return ()
    own = {seat.number for seat in row.seats.all() if seat.guest_id == guest.pk}
    since = max((entry.at for entry in table.history if entry.seat in own), default=0.0)
    messages = selectors.room_messages(row, Message.Room.PLAYERS, guest).messages
    new = [each for each in messages if each.at > since and each.text and each.author_id != guest.pk]
    return tuple((each.author.display_name, each.text) for each in new)
