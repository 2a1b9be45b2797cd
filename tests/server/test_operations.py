"""What an operator sees of a site: health, metrics, the log, its start without a database and its end."""

import asyncio
import json
import logging
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from kakomi.server.operations import views
from kakomi.server.operations.logs import logging_config
from kakomi.server.operations.metrics import REQUESTS, RequestMonitor, area_of
from kakomi.server.site import configuration as configurations
from kakomi.server.tables import outages
from kakomi.server.urls import urlpatterns
from server.asgi_client import ask

TOKEN = "for-prometheus"


def configure(monkeypatch: pytest.MonkeyPatch, **changes: str) -> None:
    changed = replace(configurations.configuration(), **changes)  # type: ignore[arg-type]  # all are texts
    monkeypatch.setattr(views, "configuration", lambda: changed)


def test_the_process_says_that_it_lives(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"] and not answer.cookies


@pytest.mark.django_db
def test_the_site_says_whether_it_is_of_use(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (200, "ok")

    def fail() -> None:
        raise DatabaseError("the disk is gone\nand this is too long a story")

    monkeypatch.setattr(connection, "cursor", fail)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "the disk is gone")


@pytest.mark.django_db
def test_a_site_that_can_not_write_is_of_no_use(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise DatabaseError("database or disk is full\nas it says")

    monkeypatch.setattr(outages, "beat", fail)
    with pytest.raises(DatabaseError):
        outages.OUTAGES.refresh()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "database or disk is full")
    monkeypatch.undo()
    outages.OUTAGES.refresh()
    assert client.get("/readyz").json()["database"] == "ok"


def test_a_disk_without_room_is_full(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any
) -> None:
    file = tmp_path / "site.sqlite3"
    file.touch()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setattr(views, "disk_usage", lambda folder: SimpleNamespace(free=4096))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "the disk is full")


@pytest.mark.django_db
def test_redis_makes_no_site_unready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("redis")
    configure(monkeypatch, redis_url="redis://127.0.0.1:1/0")
    answer = client.get("/readyz")
    assert answer.status_code == 200 and "Connection refused" in answer.json()["redis"]


@pytest.mark.parametrize(
    ("token", "shown", "status"),
    [
        ("", "", 404),
        ("", "Bearer ", 404),
        (TOKEN, "", 401),
        (TOKEN, "Bearer x", 401),
        (TOKEN, f"Bearer {TOKEN}", 200),
    ],
)
def test_metrics_are_for_who_has_the_token(
    client: Client, monkeypatch: pytest.MonkeyPatch, token: str, shown: str, status: int
) -> None:
    configure(monkeypatch, metrics_token=token)
    answer = client.get("/metrics", headers={"Authorization": shown})
    assert answer.status_code == status
    assert (b"kakomi_requests" in answer.content) == (status == 200)


async def answer_ok(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def test_requests_are_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    site = RequestMonitor(answer_ok)
    counted = REQUESTS.labels("table", "GET", 200)
    before = counted._value.get()
    with caplog.at_level(logging.INFO, "kakomi.requests"):
        for path in (
            "/table/abc",
            "/join/secret",
            "/account/forgotten/1/secret",
            "/static/a.css",
            "/healthz",
        ):
            asyncio.run(ask(site, path))
    assert counted._value.get() == before + 1
    assert [record.__dict__["path"] for record in caplog.records] == [
        "/table/abc",
        "/join/...",
        "/account/...",
    ]


@pytest.mark.parametrize(
    ("path", "area"), [("/", "home"), ("/rules/rin", "rules"), ("/x%0a/y", "other"), ("*", "home")]
)
def test_strangers_make_up_no_areas(path: str, area: str) -> None:
    assert area_of(path) == area


def test_all_parts_of_the_site_are_areas() -> None:
    routes = [
        f"{part.pattern}{page.pattern}" for part in urlpatterns for page in getattr(part, "url_patterns", ())
    ]
    first = {route.partition("/")[0] for route in routes if "/" in route}
    assert not [area for area in first if area.isalpha() and area_of(f"/{area}/") == "other"]


def test_the_log_is_lines_of_json(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = (
        "import logging.config, sys; logging.config.dictConfig(eval(sys.argv[1]));"
        "logging.getLogger('kakomi.requests').info('request', extra={'ms': 3})"
    )
    subprocess.run([sys.executable, "-c", program, repr(logging_config(str(log)))], check=True)
    line = json.loads(log.read_text())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d{4}", line.pop("time"))
    assert line == {"level": "INFO", "logger": "kakomi.requests", "message": "request", "ms": 3}
