"""Unfinished games, saved while they are played: one file a game, one line an event."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from kakomi.core.system import state_folder
from kakomi.session import Event, Match

SUFFIX = ".jsonl"


@dataclass(frozen=True)
class Kept:
    """A game that was kept unfinished."""

    path: Path
    match: Match
    when: float
    """Of its last event, in seconds since the epoch."""


class Autosave:
    """Writes a match down as it goes on: first what was agreed, then every event as it happens.

    If that fails, it says so once and play goes on without.
    """

    def __init__(self, warn: Callable[[str], None], continued: Kept | None = None) -> None:
        self.path: Path | None = None
        """The file, once there is one."""
        self._warn = warn
        self._file: IO[str] | None = None
        self._written: list[Event] = []
        self._is_useless = False
        if continued:
            self._continue(continued)

    def keep(self, match: Match) -> None:
        """Save the events since the last call. A takeback is noted; nothing is erased."""
        if self._is_useless or (self._file is None and not _has_begun(match)):
            return
        try:
            if self._file is None:
                self._open(_new_path(match))
                self._write({key: value for key, value in match.to_json().items() if key != "events"})
            self._write_news(match)
        except OSError as error:
            self._fail(error)

    def release(self) -> None:
        """Let others have the file."""
        if self._file:
            with contextlib.suppress(OSError):  # what a full disk refused was warned about
                self._file.close()
            self._file = None

    def begin_anew(self) -> None:
        """Begin another match, in another file."""
        self.release()
        self.path, self._written = None, []

    def _write_news(self, match: Match) -> None:
        events = list(match.events)
        agreeing = zip(self._written, events, strict=False)
        common = next((n for n, (old, new) in enumerate(agreeing) if old is not new), len(self._written))
        common = min(common, len(events))
        if common < len(self._written):
            self._write({"back_to": common})
        for event in events[common:]:
            self._write(event.to_json())
        if match.is_over and events != self._written:
            self._write({"over": True})
        self._written = events

    def _write(self, data: Any) -> None:
        assert self._file
        self._file.write(json.dumps(data, ensure_ascii=False) + "\n")
        self._file.flush()

    def _open(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")
        self.path = path
        _lock(self._file)

    def _continue(self, kept: Kept) -> None:
        try:
            self._open(kept.path)
        except OSError as error:
            self._fail(error)
        self._written = list(kept.match.events)

    def _fail(self, error: OSError) -> None:
        self._is_useless = True
        reason = error.strerror or error
        self._warn(f"this game can't be kept in {games_folder()} ({reason}); it goes on all the same")


def games_folder() -> Path:
    """The folder of unfinished games."""
    return state_folder() / "games"


def newest_unfinished() -> Kept | None:
    """The game that was last played and not finished, unless another terminal has it open."""
    for path in _newest_first():
        with contextlib.suppress(OSError, ValueError, RecursionError):
            if kept := _read(path):
                return kept
    return None


def _newest_first() -> Iterator[Path]:
    try:
        found = [(path.stat().st_mtime, path) for path in games_folder().glob(f"*{SUFFIX}")]
    except OSError:
        return
    for _, path in sorted(found, reverse=True):
        yield path


def _read(path: Path) -> Kept | None:
    """A kept game, or None if it is over. Raises ValueError if it can't be made sense of, BlockingIOError
    if another process has it open."""
    with path.open("r+", encoding="utf-8") as file:
        _lock(file)
        head, *rest = [json.loads(line) for line in _whole_lines(file)] or [None]
    if rest and "over" in rest[-1]:
        return None
    match = Match.from_json({**head, "events": _standing(rest)}) if isinstance(head, dict) else None
    return Kept(path, match, path.stat().st_mtime) if match and not match.is_over else None


def _whole_lines(file: IO[str]) -> list[str]:
    """The lines, without a last one that a full disk or a crash cut off: that is removed."""
    text = file.read()
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.seek(len(whole.encode()))
        file.truncate()
    return whole.splitlines()


def _standing(lines: list[Any]) -> list[Any]:
    """The events that were not taken back."""
    events: list[Any] = []
    for line in lines:
        if "back_to" in line:
            del events[int(line["back_to"]) :]
        elif "over" not in line:
            events.append(line)
    return events


def _has_begun(match: Match) -> bool:
    """Whether a person has done anything yet."""
    return any(not match.seats[event.seat].is_bot for event in match.events)


def _new_path(match: Match) -> Path:
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09}"
    return games_folder() / f"{match.config.game.name}-{stamp}{SUFFIX}"


def _lock(file: IO[str]) -> None:
    """Claim a file for this process. Raises BlockingIOError if another has it."""
    with contextlib.suppress(ImportError):  # not on Windows
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
