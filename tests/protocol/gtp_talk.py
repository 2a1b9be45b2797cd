"""Send lines to a GTP engine in this process."""

from kakomi.bots import Bot, RandomBot
from kakomi.protocol.gtp import GtpEngine, serve


def talk(*lines: str | bytes | None, game: str = "rin", bot: Bot | None = None, **given: int) -> list[str]:
    """The responses to lines, without the empty lines that end them."""
    written: list[bytes] = []
    read = [line.encode() if isinstance(line, str) else line for line in lines]
    serve(GtpEngine(game, given, bot or RandomBot(1)), read, written.append)
    assert all(response.endswith(b"\n\n") and b"\n\n" not in response[:-1] for response in written)
    return [response.decode()[:-2] for response in written]
