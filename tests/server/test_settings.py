"""What a site that the public reaches through TLS does differently."""

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as here
from django.test import Client

from kakomi.server import configuration as module


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings of a public site at one address."""
    site = replace(module.configuration(), is_public=True, hosts=(*module.LOCAL_HOSTS, "go.example"))
    monkeypatch.setattr(module, "configuration", lambda: site)
    return runpy.run_path(str(Path(module.__file__).with_name("settings.py")))


def test_cookies_go_over_nothing_but_tls(public: dict[str, Any]) -> None:
    assert public["SESSION_COOKIE_SECURE"] and public["CSRF_COOKIE_SECURE"]
    assert (public["SESSION_COOKIE_NAME"], public["CSRF_COOKIE_NAME"]) == ("__Host-session", "__Host-csrf")
    assert "https://go.example" in public["CSRF_TRUSTED_ORIGINS"]
    assert "go.example" in public["ALLOWED_HOSTS"]
    assert not here.SESSION_COOKIE_SECURE and not here.CSRF_TRUSTED_ORIGINS


@pytest.mark.django_db
def test_browsers_are_told_to_stay_with_tls(public: dict[str, Any], settings: Any) -> None:
    assert "Strict-Transport-Security" not in Client().get("/").headers
    for name in ("SECURE_HSTS_SECONDS", "SECURE_PROXY_SSL_HEADER", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_NAME"):
        setattr(settings, name, public[name])
    answer = Client().get("/play/rin", headers={"X-Forwarded-Proto": "https"})
    assert answer["Strict-Transport-Security"] == f"max-age={365 * 24 * 3600}"
    cookie = answer.cookies["__Host-csrf"]
    assert cookie["secure"] and cookie["path"] == "/" and not cookie["domain"]
