"""Games as web pages: one file each, or a folder, without a server (docs/export.md)."""

import hashlib
import json
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from gettext import translation
from html import escape
from pathlib import Path
from typing import Any

from kakomi import __version__, catalog
from kakomi.bots.spec import WITH_FILE
from kakomi.core import Description, Game
from kakomi.core.i18n import LazyMessage, lazy_join, translated
from kakomi.core.option import Options, resolve
from kakomi.draw.alt_text import WORDS
from kakomi.draw.theme import page_stylesheet
from kakomi.kernel.sources import fingerprint
from kakomi.records import RecordError
from kakomi.records.sgf.values import require_sgf_game, spellings
from kakomi.web.modules import NETWORK, module_of
from kakomi.web.program import Program, Segments, program_of
from kakomi.web.scenery import scenery_of

LANGUAGES = ("en", "de")
_PAGE = Path(__file__).with_name("page")
_SITE = Path(__file__).parents[1] / "server"
"""Style sheets, scripts and translations that the site has too; they are only read."""
_STYLES = ("site.css", "controls.css", "board_page.css", "table.css")
_FONT = "fonts/figtree.woff2"
_WORKER = ("engine/engine.js", "engine/worker.js")
_SCRIPTS = ("boards/board.js", "engine/engine.js")
_OWN_SCRIPTS = ("data.js", "scene.js", "records.js", "page.js")
_COMMENT = re.compile(r"^<!-- .* -->\n", re.MULTILINE)
_TITLE = re.compile(r"\A# .*\n")
TEXT = re.compile(r'(?:\b[t_]\(|data-text=)"([^"]+)"')
"""A text to translate in the page's scripts, which look translations up by the English one."""


class _Parts:
    """Pieces of binary data, each kept once."""

    def __init__(self) -> None:
        self.content = bytearray()
        self._at: dict[bytes, list[int]] = {}

    def add(self, data: bytes) -> list[int]:
        """Return where the data are: offset and length."""
        if data not in self._at:
            self._at[data] = [len(self.content), len(data)]
            self.content += data
        return self._at[data]


def write_page(names: Sequence[str], file: Path) -> list[Path]:
    """Write a page with games, and return its file. Raises ValueError for an unknown game or one that can't
    be compiled."""
    file.write_text(page_of(names), encoding="utf-8")
    return [file]


def page_of(names: Sequence[str], *, home: str = "", head: str = "") -> str:
    """Return a page with games as HTML. `home` is the address of a page that lists all games, `head` more
    elements for the head."""
    parts, texts = _Parts(), set(WORDS)
    for file in _PAGE.iterdir():
        texts |= set(TEXT.findall(file.read_text(encoding="utf-8")))
    descriptions = [catalog.describe(name) for name in names]
    games = [_game(description, parts, texts) for description in descriptions]
    header = {
        "version": __version__,
        "games": games,
        "network": parts.add(module_of(NETWORK)) if any(game.pop("hasNetwork") for game in games) else None,
        "texts": {language: _translations(texts, language) for language in LANGUAGES},
    }
    title = ", ".join(description.title for description in descriptions)
    values = {
        "title": escape(title),
        "summary": escape(" ".join(description.summary for description in descriptions)),
        "version": __version__,
        "head": head,
        "home": f'href="{home}"' if home else "",
        "mark": (_SITE / "templates" / "_mark.html").read_text(encoding="utf-8").strip(),
        "styles": _styles(),
        "worker_source": "blob: 'self'" if head else "blob:",
        "worker": bundled([_SITE / "static" / name for name in _WORKER]),
        "script": bundled(
            [*(_SITE / "static" / name for name in _SCRIPTS), *(_PAGE / name for name in _OWN_SCRIPTS)]
        ),
        "data": packed(header, bytes(parts.content)),
    }
    page = _text_of("page.html")
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), page)


@lru_cache(maxsize=64)
def program_file(game: Game) -> bytes:
    """Return a program, with what a page needs to show findings, as `unpacked` of engine.js reads it."""
    parts, program, signs = _Parts(), program_of(game), scenery_of(game)["signs"]
    header = {
        **_described(program, parts),
        "actions": [{"text": one.text, "target": one.target} for one in game.actions],
        "points": game.geometry.names,
        "signs": {"hints": signs["hints"]}
        | {key: parts for key, parts in signs["marks"].items() if key.startswith(("heat", "square"))},
    }
    return joined(header, bytes(parts.content))


@cache
def program_digest(name: str) -> str:
    """Return a digest of all that a game's module and programs are made from; empty without a module."""
    description = catalog.describe(name)
    files = [description.measured_file(file) for file in WITH_FILE.values()]
    measured = description.levels, description.lead_spread, description.sharpness
    try:
        parts = [module_of(name), module_of(NETWORK), *(file.read_bytes() for file in files if file)]
    except FileNotFoundError:
        return ""
    source = fingerprint(__name__, description.rules.__name__), *map(repr, measured)
    return hashlib.sha256(b"".join([*parts, repr(source).encode()])).hexdigest()[:16]


def packed(header: Any, content: bytes) -> str:
    """Return a header and binary data as the text that `unpack` of data.js reads."""
    return b64encode(zlib.compress(joined(header, content), 9)).decode()


def joined(header: Any, content: bytes) -> bytes:
    """Return a header and binary data as bytes that `unpacked` of engine.js reads."""
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    return struct.pack("<I", len(text)) + text + content


def bundled(files: Sequence[Path]) -> str:
    """Return modules as one script: without imports and exports, each after those that it imports from."""
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    code = re.sub(r"(?m)^import .*;\n", "", code)
    return re.sub(r"(?m)^export ", "", code).replace("</script", "<\\/script")


def _text_of(file: str) -> str:
    return (_PAGE / file).read_text(encoding="utf-8")


def _styles() -> str:
    sheets = [(_SITE / "static" / name).read_text(encoding="utf-8") for name in _STYLES]
    font = b64encode((_SITE / "static" / _FONT).read_bytes()).decode()
    sheets[0] = sheets[0].replace(f'"{_FONT}"', f"data:font/woff2;base64,{font}").replace("optional", "block")
    return "\n".join([*sheets, page_stylesheet(), _text_of("page.css")])


@cache
def _language(language: str) -> Any:
    return translation("django", _SITE / "locale", [language], fallback=True)


def _translations(texts: set[str], language: str) -> dict[str, str]:
    """Return the texts that differ in a language."""
    found = {text: translated(text, _language(language)) for text in texts}
    return {str(text): other for text, other in found.items() if text and other != text}


def _game(description: Description, parts: _Parts, texts: set[str]) -> dict[str, Any]:
    """Return a game's data, and add what is to be translated to `texts`."""
    texts |= {description.summary, description.credit, *description.player_names}
    games = [catalog.game(description.name, **options) for options in boards_of(description)]
    module = _module(description.name)
    boards = [_board(game, module, parts, texts) for game in games]
    overlays = getattr(description.explain, "MARKED", ())
    reasons = getattr(description.explain, "REASONS", ())
    texts |= {text for one in overlays for text in (one.name, one.title, one.text, one.cell_text)}
    texts |= set(reasons)
    return {
        "name": description.name,
        "title": description.title,
        "credit": description.credit,
        "module": parts.add(module),
        "rules": {language: _rules(description, language) for language in LANGUAGES},
        "dots": description.dots_for_newcomers,
        "sgfNumber": description.sgf_number,
        "levels": boards[0]["program"]["description"]["levels"],
        "hasNetwork": any("networkSegments" in board["program"] for board in boards),
        "overlays": [asdict(overlay) for overlay in overlays],
        "reasons": reasons,
        "boards": boards,
    }


def _module(name: str) -> bytes:
    """Return a game's module, built now if none comes with Kakomi."""
    try:
        return module_of(name)
    except FileNotFoundError:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "kakomi.web.build", name, "--folder", folder]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                reason = done.stderr.strip().rpartition("\n")[2]
                raise ValueError(f"{name} can't be compiled for browsers: {reason}") from None
            return Path(folder, f"{name}.wasm").read_bytes()


def boards_of(description: Description) -> list[Options]:
    """Return the options of the boards on a page: the default one, with each preset, and for few players and
    many if that can be chosen, the quick board too."""

    def given(**options: int) -> Options:
        return resolve(description.name, description.options, options)

    found = [given(), given(**description.quick)]
    for option in description.options:
        found += [given(**{option.name: value}) for value in option.presets]
        if option.name == "players":
            found += [
                given(**{**description.quick, "players": number}) for number in option.allowed_given(given())
            ]
    return list({tuple(options.items()): options for options in found}.values())


def _board(game: Game, module: bytes, parts: _Parts, texts: set[str]) -> dict[str, Any]:
    described = _described(program_of(game, module=module), parts)
    label = _label(game)
    texts.add(label)
    options = dict(game.options)
    circles = game.description.style.points == "circles"
    board: dict[str, Any] = {
        "options": options,
        "label": label,
        "players": list(game.player_names),
        "points": list(game.geometry.names),
        "cells": [{"name": cell.name, "points": list(cell.points)} for cell in game.geometry.cells],
        "cellName": "circle {name}" if circles else "cell {name}",
        "actions": [{"text": one.text, "kind": one.kind, "target": one.target} for one in game.actions],
        "scenery": scenery_of(game),
        "program": described,
        **({"komi": options[game.description.komi_option]} if game.description.komi_option else {}),
    }
    try:
        require_sgf_game(game)
    except RecordError:
        return board
    return {**board, "spelled": dict(zip(game.action_texts, spellings(game), strict=True))}


def _described(program: Program, parts: _Parts) -> dict[str, Any]:
    """Return a program with the contents of its memory kept in parts."""
    described: dict[str, Any] = {
        "description": program.description,
        "segments": _kept(program.segments, parts),
    }
    if program.network_segments:
        described["networkSegments"] = _kept(program.network_segments, parts)
    return described


def _kept(segments: Segments, parts: _Parts) -> list[list[Any]]:
    """Keep the contents of memory, without what follows their last byte that isn't 0."""
    return [[at, parts.add(content.rstrip(b"\0"))] for at, content in segments]


def _label(game: Game) -> LazyMessage:
    """Return the options of a board in a few words: the size, and others that differ from their default."""
    known = game.description.options
    size = {name: value for name, value in game.options.items() if name == "size"}
    usual = resolve(game.name, known, size)
    told = [one for one in known if one.name == "size" or game.options[one.name] != usual[one.name]]
    parts = [
        LazyMessage(
            "{title} {value}", "", {"title": LazyMessage(one.title, "", {}), "value": game.options[one.name]}
        )
        for one in told
    ]
    return lazy_join(" · ", parts or [game.description.title])


def _rules(description: Description, language: str) -> dict[str, str]:
    """Return the rules for players as HTML, and the language that they are in."""
    from markdown_it import MarkdownIt  # rich, with which the terminal shows the rules, brings it

    text, found = description.rules_in(language)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return {"html": markdown.render(_COMMENT.sub("", _TITLE.sub("", text))), "language": found}


def write_folder(folder: Path) -> list[Path]:
    """Write a site with a page for each game, and return the files. It works offline after the first visit.

    Raises ValueError for a game that can't be compiled.
    """
    descriptions = [catalog.describe(name) for name in catalog.names()]
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        f"{one.name}.html": page_of([one.name], home="index.html", head=_REGISTER) for one in descriptions
    }
    pages["index.html"] = _index(descriptions)
    files = ["./", *pages]
    digest = hashlib.sha256("".join(pages.values()).encode()).hexdigest()[:16]
    pages["offline.js"] = (
        (_PAGE / "offline.js")
        .read_text(encoding="utf-8")
        .replace("{digest}", digest)
        .replace("{files}", json.dumps(files))
    )
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in pages]


_REGISTER = """<script>
try { navigator.serviceWorker.register("offline.js").catch(() => {}); } catch { /* in a frame */ }
</script>
"""


def _index(descriptions: Sequence[Description]) -> str:
    """Return the page that lists all games, each with its empty board."""
    cards = "".join(
        f'<li class="card stack tight"><a href="{one.name}.html"><h2>{escape(one.title)}</h2>'
        f"{_picture(catalog.game(one.name, **one.quick))}</a><p>{_both(one.summary)}</p></li>"
        for one in descriptions
    )
    page = _text_of("index.html").replace("{head}", _REGISTER)
    page = re.sub(r'data-text="([^"]+)">', lambda found: f">{_both(found[1])}", page)
    return page.replace("{styles}", _styles()).replace("{cards}", cards)


def _both(text: str) -> str:
    """Return a text in all languages, of which the page shows one."""
    return "".join(
        f'<span lang="{language}">{escape(translated(text, _language(language)))}</span>'
        for language in LANGUAGES
    )


def _picture(game: Game) -> str:
    """Return a game's board as decoration beside its name."""
    svg = game.start().svg(styled=False, prefix=f"of-{game.name}")
    return svg.replace("<svg ", '<svg aria-hidden="true" ', 1)
