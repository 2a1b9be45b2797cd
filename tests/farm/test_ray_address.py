"""Checks of cluster addresses before Ray is used: invalid ones, no answer, and other servers."""

import socket
import threading
from collections.abc import Iterator

import pytest

from kakomi.farm import FarmError, ray_cluster
from kakomi.farm.ray_cluster import answering


def loopback() -> str:
    return "127.0.0.1"


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def answer_once(server: socket.socket, answer: bytes) -> str:
    """Let a server answer one connection with some bytes, and return its address."""

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return f"localhost:{server.getsockname()[1]}"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "local",
        "6379",
        "10.0.0.1",
        "host:",
        ":6379",
        "host:0",
        "host:65536",
        "host:x",
        "host:" + "9" * 5000,
        "ray://host:10001",
    ],
)
def test_what_is_no_address_is_refused_with_what_would_be_one(address: str) -> None:
    with pytest.raises(
        FarmError, match=r"it should be HOST:PORT of its head, such as 10.0.0.1:6379, or auto"
    ):
        answering(address, loopback)


def test_a_machine_belongs_to_a_cluster_or_ray_says_so() -> None:
    assert answering("auto", loopback) == "auto"


def test_a_closed_port_is_said(listening: socket.socket) -> None:
    port = listening.getsockname()[1]
    listening.close()
    with pytest.raises(
        FarmError, match=rf"no Ray cluster answers at 127.0.0.1:{port} \(Connection refused\)"
    ):
        answering(f"127.0.0.1:{port}", loopback)


@pytest.mark.parametrize("name", ["nowhere.invalid", "x" * 70, "a\0b", "::"])
def test_a_name_that_nobody_has_is_said(name: str) -> None:
    with pytest.raises(FarmError, match=rf"no Ray cluster answers at {name}:1 \("):
        answering(f"{name}:1", loopback)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-x\r\n"])
def test_others_who_answer_are_told_apart(listening: socket.socket, answer: bytes) -> None:
    with pytest.raises(FarmError, match=r"what answers at localhost:\d+ is no Ray cluster"):
        answering(answer_once(listening, answer), loopback)


def test_somebody_who_says_nothing_is_not_waited_for(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_cluster, "SECONDS", 0.1)
    with pytest.raises(FarmError, match="is no Ray cluster"):
        answering(f"127.0.0.1:{listening.getsockname()[1]}", loopback)


def test_whoever_speaks_as_ray_does_is_taken_by_the_address_that_ray_uses(listening: socket.socket) -> None:
    address = answer_once(listening, bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
    assert answering(address, loopback) == f"127.0.0.1:{address.rpartition(':')[2]}"
