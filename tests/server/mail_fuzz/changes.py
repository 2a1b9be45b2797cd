"""Checks that a mail's handling changed only what the mail may change."""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.db import connection

from kakomi.server.mail.reply_addresses import Purpose
from server.ledgers import key_of_sender
from server.mail_fuzz.rights import Rights
from server.mail_fuzz.state import Change, State


class LoggedEntry(NamedTuple):
    """A new entry of a table's log."""

    table: int
    key: str
    content: dict[str, Any]

    @property
    def is_by_mail(self) -> bool:
        """Whether a mail command made it."""
        return key_of_sender(self.key).startswith("mail:")


def new_entries(before: State) -> list[LoggedEntry]:
    """The log entries made since a state."""
    with connection.cursor() as cursor:
        query = "SELECT table_id, key, content FROM tables_entry WHERE id > %s ORDER BY id"
        cursor.execute(query, [before.last_entry])
        found = cursor.fetchall()
    return [LoggedEntry(row, key, json.loads(kept) if isinstance(kept, str) else kept)
            for row, key, kept in found]  # fmt: skip


def forbidden(before: State, after: State, rights: Rights, entries: list[LoggedEntry]) -> Iterator[str]:
    """The changes and entries that this mail must not have caused, a line each."""
    for change in after.changes_since(before):
        if not _RULES[change.model](change, rights, after):
            yield f"{change.model} {change.pk}: {change.before} became {change.after}"
    for entry in entries:
        if not _may_enter(entry, before, after, rights):
            yield f"{entry}"


def _may_enter(entry: LoggedEntry, before: State, after: State, rights: Rights) -> bool:
    if entry.is_by_mail:
        seat = after.seat(entry.table, entry.content["seat"])
        return bool(seat) and rights.acts_at(entry.table, seat["guest"])  # type: ignore[index]
    if entry.key.startswith("queued:"):
        waited = (before.row("mail.QueuedTurn", pk) for pk in before.rows["mail.QueuedTurn"])
        seats = [after.row("tables.Seat", kept["seat"]) for kept in waited if kept]
        seat = after.seat(entry.table, entry.content["seat"])
        return seat in seats or (bool(seat) and rights.acts_at(entry.table, seat["guest"]))  # type: ignore[index]
    return entry.content["do"] not in ("play", "komi", "colour", "swap", "resign")


def plays_stale(entries: list[LoggedEntry], lengths: dict[int, int], rights: Rights) -> Iterator[str]:
    """Turns played through an address for an earlier state of a board. `lengths` is the shortest log that the
    sender must have seen, by table. Only for mails that don't state otherwise what their sender has seen."""
    for entry in entries:
        if not entry.is_by_mail or entry.content["do"] != "play":
            continue
        for token in rights.tokens:
            is_of_table = (token.purpose, token.subject) == (Purpose.TABLE, entry.table)
            if is_of_table and lengths.get(entry.table, 0) > token.state:
                yield f"{entry} was played by an address for a log of {token.state} entries"


def _never(change: Change, rights: Rights, after: State) -> bool:
    return False


def _by_sign_up(change: Change, rights: Rights, after: State) -> bool:
    return change.before is None and rights.may_sign_up


def _of_seat(change: Change, rights: Rights, after: State) -> bool:
    """A new table's seats, or a seat at a table where the sender may act."""
    row = change.row
    seats = [after.seat(row["table"], number) for number in range(6)]
    begins = change.before is None and any(seat and rights.seeks_for(seat["guest"]) for seat in seats)
    return begins or any(seat and rights.acts_at(row["table"], seat["guest"]) for seat in seats)


def _of_table(change: Change, rights: Rights, after: State) -> bool:
    seats = [after.seat(change.pk, number) for number in range(6)]
    begins = change.before is None and any(seat and rights.seeks_for(seat["guest"]) for seat in seats)
    return begins or any(seat and rights.acts_for(seat["guest"]) for seat in seats)


def _of_seek(change: Change, rights: Rights, after: State) -> bool:
    return any(rights.seeks_for(guest) for guest in after.people_in(change.pk))


def _of_people(change: Change, rights: Rights, after: State) -> bool:
    people = {change.row["guest"]} | after.people_in(change.row["seek"])
    return any(rights.seeks_for(guest) for guest in people)


def _of_account(change: Change, rights: Rights, after: State) -> bool:
    return rights.acts_for(change.row["guest"])


def _of_lobby_guest(change: Change, rights: Rights, after: State) -> bool:
    """Others' actions may create a person's row with the default settings."""
    is_usual = change.before is None and change.after is not None and _USUAL.items() <= change.after.items()
    return is_usual or rights.acts_for(change.pk)


_USUAL = {"challenges_from": "all", "takes_live": 1, "takes_days": 1, "takes_rated": 1, "takes_casual": 1}


def _of_mailing(change: Change, rights: Rights, after: State) -> bool:
    guest = change.row["guest"]
    if rights.acts_for(guest) or (change.before is None and rights.may_sign_up):
        return True
    if change.before is None or change.after is None:
        return rights.brings_back(guest)
    is_less = change.after == {**change.before, "plays_by_mail": 0}
    return (is_less and rights.reads_mail_of(guest)) or rights.brings_back(guest)


def _of_confirmation(change: Change, rights: Rights, after: State) -> bool:
    row = change.row
    kind, guest = str(row["kind"]), row["guest"]
    if change.before is not None:
        return (kind, guest, row["table"]) in rights.confirmed or rights.acts_at(row["table"] or 0, guest)
    match kind:
        case "signup":
            return guest is None
        case "mail":
            return guest in rights.asked
        case _:
            return rights.acts_at(row["table"], guest)


def _of_queued(change: Change, rights: Rights, after: State) -> bool:
    seat = after.row("tables.Seat", change.row["seat"])
    is_played = change.after is None or change.before == change.after
    return is_played or (bool(seat) and rights.acts_at(change.row["table"], seat["guest"]))  # type: ignore[index]


def _of_subscription(change: Change, rights: Rights, after: State) -> bool:
    guest = change.row["guest"]
    return rights.seeks_for(guest) or (change.after is None and rights.reads_mail_of(guest))


def _of_correspondent(change: Change, rights: Rights, after: State) -> bool:
    return rights.brings_back(change.pk) or rights.reads_mail_of(change.pk)


def _of_message(change: Change, rights: Rights, after: State) -> bool:
    return change.before is None and rights.acts_at(change.row["table"], change.row["author"])


_RULES: dict[str, Callable[[Change, Rights, State], bool]] = {
    "accounts.Guest": _by_sign_up,
    "accounts.User": _by_sign_up,
    "account.EmailAddress": _by_sign_up,
    "accounts.Block": _never,
    "tables.Table": _of_table,
    "tables.Seat": _of_seat,
    "lobby.Seek": _of_seek,
    "lobby.Place": _of_people,
    "lobby.Invitee": _of_people,
    "lobby.LobbyGuest": _of_lobby_guest,
    "notices.Mailing": _of_mailing,
    "notices.Preference": _of_account,
    "mail.Confirmation": _of_confirmation,
    "mail.QueuedTurn": _of_queued,
    "mail.Subscription": _of_subscription,
    "mail.Correspondent": _of_correspondent,
    "chat.Message": _of_message,
    "chat.ChatChoice": _never,
}
"""Model -> rule that decides whether a change was permitted."""
