"""What a worker of a cluster does: a piece, if its versions are those of whoever sends it."""

import socket

from kakomi.farm.piece import do
from kakomi.farm.versions import Versions, versions


def do_there(packed: bytes, wanted: Versions) -> bytes | str:
    """Do a piece: its packed outcome, or in words what is different on this machine."""
    if differences := versions().differences(wanted):
        return f"{socket.gethostname()} has {differences}"
    return do(packed)
