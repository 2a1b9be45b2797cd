"""What requests were answered, how and how fast, and what goes on in this process at the moment."""

import logging
import time
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from prometheus_client import REGISTRY, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kakomi import __version__
from kakomi.server.asgi_types import Application, Receive, Scope, Send
from kakomi.server.engines import shared_pool
from kakomi.server.operations.logs import masked
from kakomi.server.pacing import TRAFFIC
from kakomi.server.realtime import BROKER

AREAS = frozenset(
    {
        "about",
        "account",
        "admin",
        "analysis",
        "api",
        "join",
        "me",
        "notices",
        "picture",
        "play",
        "post",
        "rules",
        "static",
        "table",
    }
)
"""First parts of paths; what else is asked for is `other`, so that strangers can't make up names."""
UNWATCHED = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths that programs ask for all day."""

REQUESTS = Counter("kakomi_requests", "Requests that were answered.", ("area", "method", "status"))
SECONDS = Histogram(
    "kakomi_request_seconds",
    "Seconds until a response began.",
    ("area",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)

_LOG = logging.getLogger("kakomi.requests")


class RequestMonitor:
    """An ASGI application round another one. No addresses of visitors are kept, nor what they sent."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note how its response begins."""
        if scope["type"] != "http" or scope["path"] in UNWATCHED:
            await self._application(scope, receive, send)
            return
        started = time.perf_counter()

        async def noting(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                _note(scope, message["status"], time.perf_counter() - started)
            await send(message)

        with TRAFFIC.request():
            await self._application(scope, receive, noting)


def _note(scope: Scope, status: int, seconds: float) -> None:
    area = area_of(scope["path"])
    _count(area, scope["method"], status).inc()
    _times(area).observe(seconds)
    if area != "static":
        told = {"method": scope["method"], "path": masked(scope["path"]), "status": status}
        _LOG.info("request", extra={**told, "ms": round(1000 * seconds, 1)})


@lru_cache(maxsize=500)
def _count(area: str, method: str, status: int) -> Counter:
    return REQUESTS.labels(area, method, status)


@lru_cache(maxsize=len(AREAS) + 2)
def _times(area: str) -> Histogram:
    return SECONDS.labels(area)


def area_of(path: str) -> str:
    """The part of the site that a path belongs to."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in AREAS else "other" if first else "home"


class SiteCollector(Collector):
    """Engines at work, jobs that wait for one, and pages that listen."""

    def collect(self) -> Iterable[Metric]:
        """The gauges, read now."""
        pool = shared_pool()
        yield GaugeMetricFamily("kakomi_engines", "Engines that may run.", pool.size)
        yield GaugeMetricFamily("kakomi_engines_busy", "Engines at work.", pool.busy)
        yield GaugeMetricFamily("kakomi_engine_jobs_waiting", "Jobs that wait for an engine.", pool.waiting)
        yield GaugeMetricFamily("kakomi_listeners", "Pages that listen for news.", BROKER.listeners)
        version = GaugeMetricFamily("kakomi_version", "1, for the version that runs.", labels=("version",))
        version.add_metric((__version__,), 1)
        yield version


def register_gauges() -> None:
    """Have metrics tell of the site; once a process."""
    REGISTRY.register(SiteCollector())
