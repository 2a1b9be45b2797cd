"""The services that a site can use: where tests find them, and what becomes of a test without them."""

import os
import socket
from urllib.parse import urlsplit

import pytest

POSTGRES = os.environ.get("KAKOMI_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("KAKOMI_TEST_REDIS", "redis://127.0.0.1:6379/0")


def is_there(url: str) -> bool:
    """Whether somebody listens at an address."""
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname, address.port), timeout=5).close()
    except OSError:
        return False
    return True


def require(url: str) -> None:
    """Skip a test whose service isn't there; in CI that is a failure."""
    if not is_there(url):
        missing(f"nothing listens at {url}")


def missing(what: str) -> None:
    """Skip a test because of what is missing; in CI that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}, and CI needs it")
    pytest.skip(what)
