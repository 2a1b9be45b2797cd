"""People at tables, as a browser sends what they do."""

import re
from dataclasses import dataclass, field

from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, Table, TimeControl

PART = {"HX-Request": "true"}


@dataclass
class Person:
    """A guest with a browser."""

    name: str = ""
    client: Client = field(default_factory=Client)
    guest: Guest = field(init=False)

    def __post_init__(self) -> None:
        self.guest = Guest.objects.create(name=self.name)
        session = self.client.session
        session["guest"] = self.guest.pk
        session.save()
        self.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""

    def look(self, row: models.Table, **asked: str | int) -> str:
        """The page."""
        response = self.client.get(f"/table/{row.code}", asked)
        assert response.status_code == 200
        return response.content.decode()

    def send(self, row: models.Table, kind: str, page: str = "", **fields: str | int) -> HttpResponse:
        """A button of the page that is before them; by default of one that they have just loaded."""
        form = form_of(page or self.look(row))
        return self.client.post(f"/table/{row.code}/act", {**form, "kind": kind, **fields}, headers=PART)

    def do(self, row: models.Table, kind: str, **fields: str | int) -> str:
        """The same, which has to be possible; the part of the page that comes back."""
        response = self.send(row, kind, **fields)
        assert response.status_code == 200, response.content.decode()[:2000]
        return response.content.decode()


def form_of(page: str) -> dict[str, str]:
    """The hidden fields of the form that commands are sent by."""
    form = page[page.index('<form id="command"') :]
    form = form[: form.index("</form>")]
    found = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    return {name: found[name] for name in ("base", "key", "seen")}


def opened(
    *sitters: Person | Sitter,
    game: str = "rin",
    legs: int = 1,
    negotiate: bool = False,
    swap: bool = False,
    control: TimeControl | None = None,
    **options: int,
) -> models.Table:
    """A table at which people and others sit."""
    terms = MatchConfig(catalog.game(game, **options), games=legs, negotiate=negotiate, swap=swap)
    seats = [sitter if isinstance(sitter, Sitter) else Sitter(sitter.guest) for sitter in sitters]
    return services.begin(terms, seats, control)


def now(row: models.Table) -> Table:
    """The table as it stands."""
    row.refresh_from_db()
    return selectors.table_of(row)
