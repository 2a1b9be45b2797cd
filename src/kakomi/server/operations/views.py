"""What programs ask that look after a site: whether it lives, whether it is of use, and its figures."""

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
from kakomi.server.configuration import configuration
from kakomi.server.uptime.heartbeat import OUTAGES

LEAST_FREE = 1 << 20
"""Bytes below which a disk counts as full."""
REDIS_SECONDS = 1.0
"""Seconds that Redis may take to answer."""


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Whoever gets no answer should start it again."""
    del request
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """What the site needs answers too. Whoever gets 503 should send visitors elsewhere for now.

    Redis is told of and never makes a site unready, as all is right without it.
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
    """The process's figures for Prometheus, for who shows the token of `KAKOMI_METRICS_TOKEN`."""
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
    """Whether it can be read, and written: by the latest heartbeat, so that asking writes nothing."""
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
