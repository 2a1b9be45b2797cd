"""The application that an ASGI server runs: Django, and the site's own work between requests."""

import asyncio
from collections.abc import Sequence
from importlib import import_module

from kakomi.server.configuration import complete_environment

complete_environment()

import django

django.setup()

from django.urls import get_resolver

from kakomi.server.analysis.game_analysis import GameAnalysisWorker  # needs Django's apps
from kakomi.server.asgi_types import Receive, Scope, Send
from kakomi.server.configuration import configuration
from kakomi.server.django_private import AsgiHandler
from kakomi.server.lobby import news as lobby
from kakomi.server.operations.background_tasks import BackgroundTasks
from kakomi.server.operations.gc_tuning import tune_gc
from kakomi.server.operations.metrics import RequestMonitor, register_gauges
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.pacing import TRAFFIC
from kakomi.server.post.transports import LmtpServer
from kakomi.server.realtime.pubsub import PubSub
from kakomi.server.request_threads import RequestThreads
from kakomi.server.security.rate_limits import limits_here
from kakomi.server.security.request_guard import RequestGuard
from kakomi.server.tables import event_stream as tables
from kakomi.server.tournaments import logs as tournaments
from kakomi.server.uptime.heartbeat import HeartbeatTask

REST_AFTER = 2.0
"""Seconds from the site's start until it loads the rest of its code, unless a request needs it first. The
API's schemas and the compiler are two fifths of all code to load, and the home page needs neither."""
REST = ("kakomi.server.api_v1", "kakomi.kernel.compiler")

_handler = AsgiHandler()
_pages = RequestGuard(RequestThreads(_handler), limits_here())
_monitored = RequestMonitor(_pages)
end_streams = _handler.end_streams


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request, or start and end with the server."""
    if scope["type"] == "lifespan":
        with TRAFFIC.site():
            await _live(receive, send)
    else:
        await _monitored(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
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
    rest = asyncio.create_task(_load_rest())
    await receive()
    rest.cancel()
    await lmtp.stop()
    await JOBS.stop()
    await analyses.stop()
    await background.stop()
    await heartbeat.stop()
    await pubsub.stop()
    await send({"type": "lifespan.shutdown.complete"})


def _latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of topics' latest news, whichever app's they are."""
    return tables.latest_news(codes) | lobby.latest_news(codes) | tournaments.latest_news(codes)


async def _load_rest() -> None:
    await asyncio.sleep(REST_AFTER)
    for module in REST:
        await asyncio.to_thread(import_module, module)
    tune_gc()
