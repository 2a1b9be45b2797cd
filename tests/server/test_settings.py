"""What a site that the public reaches through TLS does differently."""

import os
import runpy
import secrets
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import global_settings
from django.conf import settings as here
from django.test import Client

import site_settings
from kakomi import server
from kakomi.server.site import configuration as module

SETTINGS = str(Path(server.__file__).with_name("settings.py"))


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings of a public site at one address."""
    site = replace(module.configuration(), is_public=True, hosts=(*module.LOCAL_HOSTS, "go.example"))
    monkeypatch.setattr(module, "configuration", lambda: site)
    return runpy.run_path(SETTINGS)


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


def test_tests_use_no_folder_of_whoever_runs_them() -> None:
    assert module.configuration().folder == Path(os.environ["KAKOMI_DATA_DIR"])
    assert module.configuration().folder.parent == Path(tempfile.gettempdir())


def test_folders_of_tests_that_were_killed_go_with_the_next_start(tmp_path: Path) -> None:
    program = """
import sys, os, signal; from pathlib import Path; from site_settings import own_folder
print(own_folder(Path(sys.argv[1])), flush=True)
if sys.argv[2] == "killed": os.kill(os.getpid(), signal.SIGKILL)
"""

    def run(end: str) -> Path:
        command = [sys.executable, "-c", program, str(tmp_path), end]
        environment = {**os.environ, "PYTHONPATH": str(Path(site_settings.__file__).parent)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=end != "killed")
        return Path(done.stdout.strip())

    mine, others = site_settings.own_folder(tmp_path), tmp_path / "kakomi-site-notes"
    others.mkdir()
    killed = run("killed")
    assert killed.exists()
    assert not run("of itself").exists()
    assert not killed.exists() and mine.exists() and others.exists()


def test_processes_that_start_at_once_share_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAKOMI_SECRET_KEY", raising=False)
    monkeypatch.setenv("KAKOMI_DATA_DIR", str(tmp_path))
    keys = []

    def begun_meanwhile(size: int) -> str:
        monkeypatch.setattr(secrets, "token_urlsafe", lambda size: "the second")
        keys.append(module.configuration.__wrapped__().secret_key)
        return "the first"

    monkeypatch.setattr(secrets, "token_urlsafe", begun_meanwhile)
    keys.append(module.configuration.__wrapped__().secret_key)
    assert keys == ["the second", "the second"]
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]
    assert (tmp_path / "secret.key").stat().st_mode & 0o077 == 0


def test_passwords_are_hashed_as_django_does_it() -> None:
    """Tests have a quicker way of their own."""
    found = runpy.run_path(SETTINGS)
    assert "PASSWORD_HASHERS" not in found
    assert here.PASSWORD_HASHERS != global_settings.PASSWORD_HASHERS
    assert "PBKDF2" in global_settings.PASSWORD_HASHERS[0]


@pytest.mark.parametrize(("asked", "seconds"), [("", 5), ("?connect_timeout=9", 9)])
def test_a_server_that_is_away_keeps_nobody_waiting(
    asked: str, seconds: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = replace(module.configuration(), database_url=f"postgresql://there/kakomi{asked}")
    monkeypatch.setattr(module, "configuration", lambda: site)
    (database,) = runpy.run_path(SETTINGS)["DATABASES"].values()
    assert database["OPTIONS"]["connect_timeout"] == seconds
    assert database["OPTIONS"]["tcp_user_timeout"] == 15_000
    assert database["CONN_HEALTH_CHECKS"]


def test_compiled_code_goes_to_the_data_folder_where_the_usual_one_can_t_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KAKOMI_DATA_DIR", str(tmp_path / "data"))
    for folder, used in ((tmp_path / "own", "own"), (tmp_path / "file" / "below", "data/kernels")):
        monkeypatch.setenv("KAKOMI_CACHE_DIR", str(folder))
        module.complete_environment()
        assert Path(os.environ["KAKOMI_CACHE_DIR"]) == tmp_path / used
