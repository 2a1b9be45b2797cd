"""Telling browsers that something has happened at a table.

`hub` has the news, which nobody may miss, `whispers` what is told at once or never; `views` sends both as
`events`. Between the processes of a site a `relay` brings them: `polling` finds news in the database, and a
`courier` carries them as `news` and `murmur` spell them.
"""

from kakomi.server.realtime.broker import BROKER


def announce(code: str, news: int, *, to_bots: bool = False) -> None:
    """Tell everybody who watches a table of its latest news; bots only if one has to act."""
    BROKER.announce(code, news, to_bots=to_bots)


__all__ = ["BROKER", "announce"]
