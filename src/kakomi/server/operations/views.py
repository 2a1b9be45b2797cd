"""Monitoring of a site: liveness, readiness, and metrics."""

import secrets
from http import HTTPStatus
from pathlib import Path
from shutil import disk_usage

from django.db import Error, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from kakomi import __version__
from kakomi.server.site.configuration import configuration
from kakomi.server.tables.outages import OUTAGES

LEAST_FREE = 1 << 20
"""The free bytes below which a disk counts as full."""
REDIS_SECONDS = 1.0
"""The most seconds that Redis may take to answer."""


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Show that the process is alive. Without a response, it should be restarted."""
    del request
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Check the services that the site needs. While this returns 503, visitors should be sent elsewhere.

    The state of Redis is included, but a site is ready without it.
    """
    del request
    found = {"version": __version__, "database": _database()}
    if redis_url := configuration().redis_url:
        found["redis"] = _redis(redis_url)
    ready = found["database"] == "ok"
    return JsonResponse(found, status=HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """This process's Prometheus metrics. Requires the token in `KAKOMI_METRICS_TOKEN`."""
    wanted = configuration().metrics_token
    if not wanted:
        raise Http404
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not secrets.compare_digest(shown.encode(), wanted.encode()):
        return HttpResponse(
            "Authorization: Bearer and the site's token are wanted\n",
            status=HTTPStatus.UNAUTHORIZED,
            headers={"WWW-Authenticate": "Bearer"},
            content_type="text/plain",
        )
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _database() -> str:
    """The database's state: "ok", or why it can't be read or, according to the latest heartbeat, written."""
    file = Path(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and file.exists() and disk_usage(file.parent).free < LEAST_FREE:
        return "the disk is full"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return str(error).strip().partition("\n")[0]
    return OUTAGES.trouble or "ok"


def _redis(url: str) -> str:
    from redis import Redis, RedisError

    try:
        with Redis.from_url(
            url, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as client:
            client.ping()
    except RedisError as error:
        return str(error)
    return "ok"
