"""The API under `/api/v1/`, put together from what the apps offer (docs/api.md is its contract)."""

from typing import Any

import msgspec
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.parser import Parser

from kakomi.server.accounts.api import router as guests
from kakomi.server.accounts.auth import name_scopes
from kakomi.server.analysis.api import router as studies
from kakomi.server.api.errors import refuse_unknown_parameters, spell_problems
from kakomi.server.api.games import router as games
from kakomi.server.chat.api import router as messages
from kakomi.server.lobby.api import router as lobby
from kakomi.server.people.api import router as people
from kakomi.server.plans.api import router as plans
from kakomi.server.puzzles.api import router as puzzles
from kakomi.server.ratings.api import router as ratings
from kakomi.server.rests.api import router as rests
from kakomi.server.tables.api import router as tables
from kakomi.server.tournaments.api import router as tournaments


class StrictParser(Parser):
    """JSON as its standard has it: UTF-8, no NaN, no halves of characters, no bottomless brackets, and no
    NUL, which databases take in no text."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """An object. Raises for anything else, which ninja makes a 400 of."""
        body = msgspec.json.decode(request.body)
        if not isinstance(body, dict) or b"\\u0000" in request.body:
            raise ValueError("no object, or NUL in it")
        return body


api = NinjaAPI(
    title="Kakomi",
    version="1",
    description="Five abstract strategy games, for programs that play them. Fields and query parameters that "
    "an operation doesn't know are refused.",
    urls_namespace="api",
    docs_url=None,  # its pages load scripts from elsewhere; docs/api.md is for reading
    parser=StrictParser(),
)
spell_problems(api)
api.add_router("/games", games)
api.add_router("", guests)
api.add_router("", people)
api.add_router("", tables)
api.add_router("", rests)
api.add_router("", plans)
api.add_router("/messages", messages)
api.add_router("/lobby", lobby)
api.add_router("/studies", studies)
api.add_router("/ratings", ratings)
api.add_router("/puzzles", puzzles)
api.add_router("/tournaments", tournaments)
name_scopes(api)
refuse_unknown_parameters(api)

urlpatterns, _, _ = api.urls
