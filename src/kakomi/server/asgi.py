"""The application that an ASGI server runs: Django, and the site's own work between requests."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")

import django

django.setup()

from kakomi.server.analysis.surveying import Surveyor  # needs Django's apps
from kakomi.server.application import Receive, Scope, Send
from kakomi.server.configuration import configuration
from kakomi.server.handler import Handler
from kakomi.server.keeping import Keeper
from kakomi.server.live.relay import Relay
from kakomi.server.pauses import keep_pauses_rare
from kakomi.server.security.gate import Gate
from kakomi.server.security.limits import limits_here
from kakomi.server.workers import Workers

_pages = Gate(Workers(Handler()), limits_here())


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request, or start and end with the server."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    else:
        await _pages(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    keeper, relay, surveyor = Keeper(), Relay(configuration().redis_url), Surveyor()
    await receive()
    await relay.start()
    await keeper.start()
    await surveyor.start()
    keep_pauses_rare()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await surveyor.stop()
    await keeper.stop()
    await relay.stop()
    await send({"type": "lifespan.shutdown.complete"})
