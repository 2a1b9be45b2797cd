"""The ASGI application: Django, and the site's background work."""

import asyncio
from collections.abc import Sequence
from importlib import import_module

from kakomi.server.site.configuration import complete_environment

complete_environment()

import django

django.setup()

from django.urls import get_resolver

from kakomi.server.analysis.game_analysis import GameAnalysisWorker  # needs Django's apps
from kakomi.server.lobby import feed as lobby
from kakomi.server.mail.transports import LmtpServer
from kakomi.server.operations.background_tasks import BackgroundTasks
from kakomi.server.operations.gc_tuning import tune_gc
from kakomi.server.operations.metrics import RequestMonitor, register_gauges
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.realtime.pubsub import PubSub
from kakomi.server.security.rate_limits import limits_here
from kakomi.server.security.request_guard import RequestGuard
from kakomi.server.site.configuration import configuration
from kakomi.server.site.django_private import AsgiHandler, Receive, Scope, Send
from kakomi.server.site.pacing import TRAFFIC
from kakomi.server.site.request_threads import RequestThreads
from kakomi.server.tables import event_stream as tables
from kakomi.server.tables.outages import HeartbeatTask
from kakomi.server.tournaments import logs as tournaments

IMPORT_AFTER = 2.0
"""Seconds from the site's start until it imports the rest of its code, unless a request needs it earlier. The
API's schemas and the compiler are two fifths of all code to import, and the home page needs neither."""
LATE_IMPORTS = ("kakomi.server.api_v1", "kakomi.kernel.compiler")

_handler = AsgiHandler()
_pages = RequestGuard(RequestThreads(_handler), limits_here())
_monitored = RequestMonitor(_pages)
end_streams = _handler.end_streams


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Handle a request, or the server's startup and shutdown."""
    if scope["type"] == "lifespan":
        with TRAFFIC.site():
            await _run_lifespan(receive, send)
    else:
        await _monitored(scope, receive, send)


async def _run_lifespan(receive: Receive, send: Send) -> None:
    get_resolver().url_patterns  # noqa: B018 (imports every view before the garbage collector starts)
    register_gauges()
    heartbeat, background, analyses = HeartbeatTask(), BackgroundTasks(), GameAnalysisWorker()
    lmtp = LmtpServer()
    pubsub = PubSub(configuration().redis_url, _latest_news)
    await receive()
    await pubsub.start()
    await heartbeat.start()
    await background.start()
    await analyses.start()
    await JOBS.start()
    await lmtp.start()
    await send({"type": "lifespan.startup.complete"})
    importing = asyncio.create_task(_import_late())
    await receive()
    importing.cancel()
    await lmtp.stop()
    await JOBS.stop()
    await analyses.stop()
    await background.stop()
    await heartbeat.stop()
    await pubsub.stop()
    await send({"type": "lifespan.shutdown.complete"})


def _latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of topics' latest news, of all apps."""
    return tables.latest_news(codes) | lobby.latest_news(codes) | tournaments.latest_news(codes)


async def _import_late() -> None:
    await asyncio.sleep(IMPORT_AFTER)
    for module in LATE_IMPORTS:
        await asyncio.to_thread(import_module, module)
    tune_gc()
