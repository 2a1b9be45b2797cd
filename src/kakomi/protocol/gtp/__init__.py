"""GTP, version 2 (https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2.pdf), for square boards."""

from kakomi.protocol.gtp.engine import GtpEngine
from kakomi.protocol.gtp.serving import serve

__all__ = ["GtpEngine", "serve"]
