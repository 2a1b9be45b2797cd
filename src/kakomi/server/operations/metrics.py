"""Metrics of requests and their durations, and gauges of this process's current state."""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from django.urls import get_resolver
from prometheus_client import REGISTRY, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kakomi import __version__
from kakomi.server.engines import shared_pool
from kakomi.server.operations.logs import masked
from kakomi.server.realtime import BROKER
from kakomi.server.site.django_private import Application, Receive, Scope, Send
from kakomi.server.site.pacing import TRAFFIC

UNWATCHED = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths of frequent health checks, which aren't counted."""

REQUESTS = Counter("kakomi_requests", "Requests that were answered.", ("area", "method", "status"))
SECONDS = Histogram(
    "kakomi_request_seconds",
    "Seconds until a response began.",
    ("area",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)

_LOG = logging.getLogger("kakomi.requests")


class RequestMonitor:
    """An ASGI application that wraps another one and counts requests, without IP addresses or contents."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and record the status and time of its response's beginning."""
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


@cache
def _times(area: str) -> Histogram:
    return SECONDS.labels(area)


def area_of(path: str) -> str:
    """The area of the site to which a path belongs: its first part, if any page's path begins with it.

    All others count as `other`, so that made-up paths don't create labels.
    """
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in _areas() else "other" if first else "home"


@cache
def _areas() -> frozenset[str]:
    return frozenset({"static", *_first_parts(get_resolver().url_patterns)})


def _first_parts(patterns: Iterable[Any]) -> Iterator[str]:
    for pattern in patterns:
        if route := str(pattern.pattern):
            yield route.lstrip("^").partition("/")[0]
        else:
            yield from _first_parts(getattr(pattern, "url_patterns", ()))


class SiteCollector(Collector):
    """Gauges of busy engines, waiting jobs, and listening pages."""

    def collect(self) -> Iterable[Metric]:
        """The current values of the gauges."""
        pool = shared_pool()
        yield GaugeMetricFamily("kakomi_engines", "Engines that may run.", pool.size)
        yield GaugeMetricFamily("kakomi_engines_busy", "Engines at work.", pool.busy)
        yield GaugeMetricFamily("kakomi_engine_jobs_waiting", "Jobs that wait for an engine.", pool.waiting)
        yield GaugeMetricFamily("kakomi_listeners", "Pages that listen for news.", BROKER.listeners)
        version = GaugeMetricFamily("kakomi_version", "1, for the version that runs.", labels=("version",))
        version.add_metric((__version__,), 1)
        yield version


def register_gauges() -> None:
    """Add the gauges to the metrics; call this once per process."""
    REGISTRY.register(SiteCollector())
