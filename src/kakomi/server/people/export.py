"""A guest's own data as a streamed ZIP archive."""

import json
from collections.abc import Iterator
from typing import Any

from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, Q
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from kakomi.records import write_json
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.selectors import models_of_people, own_fields, rows_of
from kakomi.server.analysis.models import Study
from kakomi.server.site.streamed_files import file_response, zipped
from kakomi.server.tables import models
from kakomi.server.tables import selectors as tables
from kakomi.server.tables.selectors import record_at
from kakomi.server.tables.wording import public_names

SECRETS = {"token", "password", "digest", "key_hash", "key", "secret", "hash", "invitation", "refresh_digest"}
"""Fields that would grant access. They are omitted, as archives get copied around."""
SECRET_DATA = {
    "mfa.authenticator": {"data"},
    "accounts.signin": {"data"},
    "chat.directmessage": {"is_withheld", "read_at"},  # reveal blocks, and what others have read
}
"""Further fields to omit, by model."""
_README = """All that this site keeps of you, as JSON (UTF-8).

profile.json    who you are here, and what you have chosen
games.json      every game in which you have a seat
games/          the record of each, which Kakomi and its own programs read
studies/        your studies, as records with their variations and notes
more/           whatever else points to you, one file for each kind; secrets such as tokens are left out
"""


def archive(guest: Guest) -> Iterator[bytes]:
    """Yield the archive in pieces, one per game and study, so that it is never in memory as a whole."""
    return zipped(_files(guest))


def archive_response(request: HttpRequest, guest: Guest) -> HttpResponse | StreamingHttpResponse:
    """A response that streams a guest's archive."""
    return file_response(request, archive(guest), "application/zip", "kakomi.zip")


def _files(guest: Guest) -> Iterator[tuple[str, str | bytes]]:
    yield "README.txt", _README
    accounts = User.objects.filter(Q(guest=guest) | Q(owner__guest=guest)).order_by("pk")
    yield "profile.json", _json({"guest": _fields(guest), "accounts": [_fields(user) for user in accounts]})
    rows = models.Table.objects.filter(seats__guest=guest).distinct().order_by("pk")
    with_seats = rows.prefetch_related("seats__guest")
    yield "games.json", _json([_game(row, guest) for row in with_seats])
    # Fetch the rows one at a time, as the database connection may change between two pieces.
    for number in list(rows.values_list("pk", flat=True)):
        for row in models.Table.objects.filter(pk=number):
            yield from _records(row)
    for number in list(guest.studies.order_by("pk").values_list("pk", flat=True)):
        for study in Study.objects.filter(pk=number):
            yield f"studies/{study.code}.json", study.record
    for model, names in models_of_people():
        if found := [_fields(row) for row in rows_of(guest, model, own_fields(model, names))]:
            yield f"more/{model._meta.label_lower}.json", _json(found)


def _game(row: models.Table, guest: Guest) -> dict[str, Any]:
    seats = list(row.seats.all())
    return {
        "code": row.code,
        "game": row.game,
        "players": public_names(seats),
        "your_seats": [seat.number for seat in seats if seat.guest_id == guest.pk],
        "shares": [seat.share for seat in seats],
        "is_over": row.is_over,
        "is_rated": row.is_rated,
        "opened_at": row.created_at,
        "ended_at": row.ended_at,
    }


def _records(row: models.Table) -> Iterator[tuple[str, bytes]]:
    """Yield a file for each game of a match, except those whose colours aren't settled yet."""
    games = tables.table_of(row).match.games
    for number, leg in enumerate(games, 1):
        if leg.players is not None:
            yield f"games/{row.code}-{number}.json", write_json(record_at(row, leg))


def _fields(row: Model) -> dict[str, Any]:
    """A row's fields as Django serializes them, without secrets."""
    data = serializers.serialize("python", [row])[0]
    secrets = SECRETS | SECRET_DATA.get(row._meta.label_lower, set())
    public = {name: value for name, value in data["fields"].items() if name not in secrets}
    return {"id": data["pk"], **public}


def _json(data: object) -> str:
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
