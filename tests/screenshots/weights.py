"""The bytes and requests of a page."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from browser.visitor import Visitor


@dataclass
class Weight:
    """What a browser with an empty cache transfers for a page."""

    requests: int = 0
    bytes: int = 0
    """With headers, as compressed."""
    document: int = 0
    """The page itself."""
    scripts: int = 0
    styles: int = 0
    others: int = 0


_KINDS = {"Document": "document", "Script": "scripts", "Stylesheet": "styles"}


def weigh(visitor: "Visitor", address: str, settling: int) -> Weight:
    """Open a page without using the cache, and count what arrives. Event streams count as requests only."""
    weight, kinds = Weight(), dict[str, str]()
    tools = visitor.context.new_cdp_session(visitor.page)

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]
        weight.requests += 1

    def finished(event: dict[str, Any]) -> None:
        field = _KINDS.get(kinds.get(event["requestId"], ""), "others")
        size = int(event["encodedDataLength"])
        weight.bytes += size
        setattr(weight, field, getattr(weight, field) + size)

    tools.on("Network.responseReceived", answered)
    tools.on("Network.loadingFinished", finished)
    tools.send("Network.enable")
    tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    visitor.page.goto(address)
    visitor.page.wait_for_timeout(settling)
    return weight


def write_weights(
    weights: dict[str, Weight], path: Path, before: Path | None, show: Callable[[str], None]
) -> None:
    """Write the weights into a file, and show them beside those of an earlier run."""
    path.write_text(json.dumps({name: asdict(weight) for name, weight in weights.items()}, indent=2) + "\n")
    earlier = json.loads((before / path.name).read_text()) if before else {}
    show(f"{'page':24} {'requests':>9} {'kB':>7} {'document':>9} {'scripts':>8} {'styles':>7} {'others':>7}")
    for name, weight in weights.items():
        sizes = (weight.bytes, weight.document, weight.scripts, weight.styles, weight.others)
        total, document, scripts, styles, others = (f"{size / 1000:.1f}" for size in sizes)
        line = f"{name:24} {weight.requests:9} {total:>7} {document:>9} {scripts:>8} {styles:>7} {others:>7}"
        if then := earlier.get(name):
            line += f"   before: {then['requests']} requests, {then['bytes'] / 1000:.1f} kB"
        show(line)
