"""The API under `/api/v1/`, combined from the apps' routers (docs/api.md is its contract)."""

from typing import Any

import msgspec
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.parser import Parser

from kakomi.server.accounts.api import router as guests
from kakomi.server.accounts.auth import name_scopes
from kakomi.server.analysis.api import router as studies
from kakomi.server.chat.api import router as messages
from kakomi.server.lobby.api import router as lobby
from kakomi.server.people.api import router as people
from kakomi.server.plans.api import router as plans
from kakomi.server.puzzles.api import router as puzzles
from kakomi.server.ratings.api import router as ratings
from kakomi.server.site.api import refuse_unknown_parameters, spell_problems
from kakomi.server.site.api import router as games
from kakomi.server.tables.api import router as tables
from kakomi.server.tables.vacation_api import router as time_off
from kakomi.server.tournaments.api import router as tournaments


class StrictParser(Parser):
    """Parses strict JSON: UTF-8, no NaN, no lone surrogates, limited nesting. It also refuses NUL, which
    databases don't accept in texts."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """Parse an object. Raises for anything else, which ninja turns into a 400."""
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
    docs_url=None,  # ninja's pages load scripts from other sites; docs/api.md is for people
    parser=StrictParser(),
)
spell_problems(api)
api.add_router("/games", games)
api.add_router("", guests)
api.add_router("", people)
api.add_router("", tables)
api.add_router("", time_off)
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
