"""Failed sign-ins count once for all processes of a site with Redis, and for each while Redis is away."""

import logging
import secrets
import subprocess
import sys
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from kakomi.server.site.shared_cache import SharedCache
from server.people import make_user
from server.services import REDIS, require

NOBODY = "redis://127.0.0.1:1/0"


def cache_of_a_process(url: str = REDIS, prefix: str = "test") -> SharedCache:
    return SharedCache(url, {"KEY_PREFIX": prefix})


@pytest.fixture
def prefix() -> str:
    require(REDIS)
    return f"test-{secrets.token_hex(8)}"


def test_processes_count_together(prefix: str) -> None:
    one, other = cache_of_a_process(prefix=prefix), cache_of_a_process(prefix=prefix)
    one.set("failed", [1.5, 2], timeout=60)
    assert other.get("failed") == [1.5, 2]
    assert other.add("failed", []) is False and other.add("turns", 1, timeout=60) is True
    assert one.incr("turns") == 2 and one.has_key("turns") and one.touch("turns", 60)
    assert other.delete("turns") and one.get("turns", "none") == "none"
    other.delete("failed")


def test_while_redis_is_away_a_process_counts_for_itself(caplog: pytest.LogCaptureFixture) -> None:
    cache = cache_of_a_process(NOBODY)
    with caplog.at_level(logging.WARNING):
        assert cache.get("failed") is None
        cache.set("failed", [1.0], timeout=60)
        assert cache.get("failed") == [1.0] and cache.add("failed", []) is False
    assert len(caplog.records) == 1 and "Redis is away" in caplog.text


@pytest.mark.django_db
def test_who_guesses_at_one_process_is_stopped_at_the_other(settings: Any, prefix: str) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    make_user("ada")
    settings.CACHES = {
        "default": {
            "BACKEND": "kakomi.server.site.shared_cache.SharedCache",
            "LOCATION": REDIS,
            "KEY_PREFIX": prefix,
        }
    }
    for _ in range(10):
        Client().post("/account/sign-in", {"login": "ada", "password": "a wrong guess"})
    del caches["default"]  # as another process, which has counted nothing
    answer = Client().post("/account/sign-in", {"login": "ada", "password": "a wrong guess"})
    assert "Try again in five minutes or use a passkey" in answer.content.decode()


@pytest.mark.parametrize(("url", "backend"), [("", "LocMemCache"), (NOBODY, "SharedCache")])
def test_the_site_takes_redis_where_there_is_one(url: str, backend: str, tmp_path: Any) -> None:
    code = "from kakomi.server import settings; print(settings.CACHES['default']['BACKEND'])"
    env = {"KAKOMI_REDIS_URL": url, "KAKOMI_DATA_DIR": str(tmp_path), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stdout.strip().endswith(backend), done.stderr
