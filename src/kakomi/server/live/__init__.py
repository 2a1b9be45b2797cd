"""Telling browsers that something has happened at a table."""

from kakomi.server.live.hub import HUB


def announce(code: str, news: int, *, to_bots: bool = False) -> None:
    """Tell everybody who watches a table of its latest news; bots only if one has to act."""
    HUB.announce(code, news, to_bots=to_bots)


__all__ = ["HUB", "announce"]
