"""The database rows that a mail might change, read without the site's own code."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection, models

WATCHED: dict[str, tuple[str, ...]] = {
    "accounts.Guest": ("name", "handle", "token", "sign_outs", "zone", "is_erased"),
    "accounts.User": ("username", "password", "email", "is_active", "guest"),
    "account.EmailAddress": ("email", "verified", "primary", "user"),
    "tables.Table": ("code", "game"),
    "tables.Seat": ("table", "number", "guest", "bot", "draft"),
    "lobby.Seek": ("owner", "kind", "game", "ending", "round"),
    "lobby.Place": ("seek", "guest", "round"),
    "lobby.Invitee": ("seek", "guest", "answer"),
    "lobby.LobbyGuest": ("challenges_from", "takes_live", "takes_days", "takes_rated", "takes_casual"),
    "notices.Mailing": ("guest", "pace", "hour", "language", "plays_by_mail"),
    "notices.Preference": ("guest", "kind", "channel", "is_on"),
    "mail.Confirmation": ("kind", "guest", "table", "done_at"),
    "mail.QueuedTurn": ("seat", "table", "text"),
    "mail.Subscription": ("guest", "table"),
    "mail.Correspondent": ("bounces",),
    "chat.Message": ("table", "author", "text"),
    "chat.ChatChoice": ("guest", "is_off"),
    "accounts.Block": ("blocker", "blocked"),
}
"""Model -> the fields compared, besides the primary key."""
Row = Mapping[str, Any]


class Change(NamedTuple):
    """A row that was added, deleted or changed."""

    model: str
    pk: int
    before: Row | None
    after: Row | None

    @property
    def row(self) -> Row:
        """The row after the change, or before it if deleted."""
        row = self.after if self.after is not None else self.before
        assert row is not None
        return row


class State:
    """All watched rows, and the last log entry."""

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            self.rows = {name: _rows(cursor, name) for name in WATCHED}
            cursor.execute("SELECT coalesce(max(id), 0) FROM tables_entry")
            (self.last_entry,) = cursor.fetchone()

    def changes_since(self, before: "State") -> Iterator[Change]:
        """The changes since an earlier state."""
        for name, rows in self.rows.items():
            known = before.rows[name]
            if rows == known:
                continue
            for pk in rows.keys() | known.keys():
                if rows.get(pk) != known.get(pk):
                    yield Change(name, pk, _named(name, known.get(pk)), _named(name, rows.get(pk)))

    def row(self, name: str, pk: int) -> Row | None:
        """A row by model and primary key; None if there is none."""
        return _named(name, self.rows[name].get(pk))

    def seat(self, table: int, number: int) -> Row | None:
        """A seat of a table."""
        seats = (_named("tables.Seat", values) or {} for values in self.rows["tables.Seat"].values())
        return next((seat for seat in seats if (seat["table"], seat["number"]) == (table, number)), None)

    def people_in(self, seek: int) -> set[int]:
        """Primary keys of a seek's owner, participants and invitees."""
        owner = self.row("lobby.Seek", seek)
        people = {owner["owner"]} if owner else set()
        for name in ("lobby.Place", "lobby.Invitee"):
            rows = (_named(name, values) or {} for values in self.rows[name].values())
            people |= {row["guest"] for row in rows if row["seek"] == seek}
        return people


def _named(name: str, values: tuple[Any, ...] | None) -> Row | None:
    return None if values is None else dict(zip(WATCHED[name], values, strict=True))


def _model(name: str) -> type[models.Model]:
    return EmailAddress if name == "account.EmailAddress" else apps.get_model(name)


def _rows(cursor: Any, name: str) -> dict[int, tuple[Any, ...]]:
    if name not in _QUERIES:
        meta, quote = _model(name)._meta, connection.ops.quote_name
        columns = [meta.pk.column, *(meta.get_field(field).column for field in WATCHED[name])]  # type: ignore[union-attr]
        _QUERIES[name] = f"SELECT {', '.join(map(quote, columns))} FROM {quote(meta.db_table)}"
    cursor.execute(_QUERIES[name])
    return {pk: tuple(values) for pk, *values in cursor.fetchall()}


_QUERIES: dict[str, str] = {}
