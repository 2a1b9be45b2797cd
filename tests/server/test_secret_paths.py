"""No log holds what nobody else may know: paths of invitations, private links and the like."""

import json
import logging
import logging.config
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from kakomi.server.operations.logs import logging_config, masked

SECRET = "s3cretT0ken"
SECRET_PARTS = ("token", "invitation", "key", "uidb36")
"""Names that addresses give to what is secret in them."""


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """A log as sites write it; afterwards all is as before."""
    path = tmp_path / "log"
    loggers = [logging.getLogger(name) for name in ("kakomi", "django", "uvicorn")]
    before = [(each, each.handlers[:], each.level, each.propagate) for each in loggers]
    logging.config.dictConfig(logging_config(str(path)))
    yield path
    for each, handlers, level, propagate in before:
        for handler in each.handlers:
            handler.close()
        each.handlers[:], each.propagate = handlers, propagate
        each.setLevel(level)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("form", "kind", "host"),
    [
        ({}, "application/json", "elsewhere.example"),
        ("&".join(f"a{number}=1" for number in range(200)), "application/x-www-form-urlencoded", ""),
        ("x" * 100, "multipart/form-data; boundary=" + "x" * 300, ""),
        ("x" * 1_100_000, "application/x-www-form-urlencoded", ""),
    ],
    ids=("a foreign host", "many fields", "a bad boundary", "a large form"),
)
def test_what_strangers_send_wrongly_is_a_line_without_a_traceback(
    log: Path, form: Any, kind: str, host: str
) -> None:
    headers = {"Host": host} if host else {}
    answer = Client().post("/play/rin", form, kind, headers=headers)
    assert answer.status_code in (400, 413)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines and all("exc_info" not in line and line["level"] == "WARNING" for line in lines)


@pytest.mark.django_db
def test_a_fault_of_ours_keeps_its_traceback(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.server.tables.selectors.find_table", None)
    assert Client(raise_request_exception=False).get("/table/nowhere").status_code == 500
    assert "Traceback" in log.read_text() and '"ERROR"' in log.read_text()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"/join/{SECRET}", "/join/..."),
        (f"/join/{SECRET}/decline", "/join/..."),
        (f"/me/calendar/{SECRET}.ics", "/me/..."),
        (f"//me/{SECRET}", "/me/..."),
        (f"/ME/{SECRET}", "/ME/..."),
        (f"/api/v1/invitations/{SECRET}", "/api/v1/invitations/..."),
        (f"Not Found: /notices/off/{SECRET}", "Not Found: /notices/..."),
        (f"<ASGIRequest: GET '/mail/confirm/{SECRET}?x=1'>", "<ASGIRequest: GET '/mail/...?x=1'>"),
        (
            f"from https://games.example/join/{SECRET}, not ours",
            "from https://games.example/join/..., not ours",
        ),
        (f"/account/sign-in?next=/me/{SECRET}&x=1", "/account/...?next=/me/...&x=1"),
        (f"/account/?next=%2Fjoin%2F{SECRET}", "/account/?next=/join/..."),
        ("/me", "/me"),
        ("/table/abc", "/table/abc"),
        ('File "/srv/kakomi/server/notices/services.py", line 3', None),
        ("server/mail/inbox.py and ./me/x", None),
    ],
)
def test_what_follows_a_secret_area_is_left_out(text: str, shown: str | None) -> None:
    assert masked(text) == (text if shown is None else shown)


@pytest.mark.django_db
def test_refusals_and_errors_name_no_secret(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    strict = Client(enforce_csrf_checks=True)
    assert client.get(f"/join/{SECRET}").status_code == 404
    assert client.get(f"/me/calendar/{SECRET}.ics").status_code == 404
    assert client.post(f"/api/v1/invitations/{SECRET}").status_code in (401, 404)
    headers = {"Referer": f"https://testserver/me/{SECRET}"}
    assert strict.post(f"/join/{SECRET}/decline", headers=headers, secure=True).status_code == 403

    def fails(token: str) -> None:
        raise RuntimeError(f"/join/{token} is broken")

    monkeypatch.setattr("kakomi.server.tables.selectors.invited_seat", fails)
    assert client.get(f"/join/{SECRET}").status_code == 500
    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert {line["logger"] for line in lines} >= {"django.request", "django.security.csrf"}
    assert "/join/..." in text and "Traceback" in text and "tables/views.py" in text
    assert SECRET not in text


def test_every_address_with_a_secret_is_a_masked_one() -> None:
    """A new one outside of these areas would stand in logs."""
    told = [
        "/" + re.sub("<[^>]*>", SECRET, route)
        for route in routes(get_resolver().url_patterns)
        if re.search(rf"[:<]({'|'.join(SECRET_PARTS)})>", route)
    ]
    assert len(told) >= 6
    assert [path for path in told if SECRET in masked(path)] == []


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    for each in patterns:
        route = before + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from routes(each.url_patterns, route)
        else:
            yield route
