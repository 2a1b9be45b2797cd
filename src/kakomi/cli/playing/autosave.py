"""Unfinished games, saved while they are played: one file per game, one line per event."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import IO, Any

from kakomi.core.system import state_folder
from kakomi.session import Event, Match

SUFFIX = ".jsonl"


@dataclass(frozen=True)
class SavedGame:
    """A saved unfinished game."""

    path: Path
    match: Match


class Autosave:
    """Saves a match while it is played: first its terms, then every event as it happens.

    On failure it warns once, and tries again with the next event.
    """

    def __init__(self, warn: Callable[[str], None], continued: SavedGame | None = None) -> None:
        self.path: Path | None = None
        """The file, once there is one."""
        self.is_behind = False
        """Whether the latest events could not be saved."""
        self._warn = warn
        self._has_warned = False
        self._file: FileIO | None = None
        self._written: list[Event] = []
        self._end = 0
        if continued:
            self._continue(continued)

    def save(self, match: Match) -> None:
        """Save the events since the last call. A takeback is recorded without erasing anything."""
        if self._file is None and not _has_begun(match):
            return
        try:
            if self._file is None:
                self._open(_new_path(match))
            terms = [] if self._end else [{k: v for k, v in match.to_json().items() if k != "events"}]
            self._add([*terms, *self._news(match)])
        except OSError as error:
            self._fail(error)
        else:
            self._written, self.is_behind = list(match.events), False

    def release(self) -> None:
        """Close the file, which releases its lock, and delete it if it is empty."""
        if self._file:
            self._file.close()
            self._file = None
            if not self._end and self.path and self.path.is_file():
                self.path.unlink(missing_ok=True)

    def start_new_file(self) -> None:
        """Begin a new file for another match."""
        self.release()
        self.path, self.is_behind, self._written, self._end = None, False, [], 0

    def _news(self, match: Match) -> Iterator[Any]:
        """Yield the lines for what happened since the last save."""
        events = list(match.events)
        agreeing = zip(self._written, events, strict=False)
        common = next((n for n, (old, new) in enumerate(agreeing) if old is not new), len(self._written))
        common = min(common, len(events))
        if common < len(self._written):
            yield {"back_to": common}
        yield from (event.to_json() for event in events[common:])
        if match.is_over and events != self._written:
            yield {"over": True}

    def _add(self, rows: list[Any]) -> None:
        """Write all of these lines or none."""
        assert self._file
        data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError:
            with contextlib.suppress(OSError):  # if it is a device
                self._file.truncate(self._end)
            raise
        self._end += len(data)

    def _open(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = FileIO(path, "a")
        self.path = path
        _lock(self._file)

    def _continue(self, kept: SavedGame) -> None:
        try:
            self._open(kept.path)
        except OSError as error:
            self._fail(error)
        else:
            self._written, self._end = list(kept.match.events), kept.path.stat().st_size

    def _fail(self, error: OSError) -> None:
        self.is_behind = True
        if not self._has_warned:
            where = f" in {self.path or error.filename}" if self.path or error.filename else ""
            self._warn(f"this game can't be saved{where} ({error.strerror}); you can play on")
        self._has_warned = True


def games_folder() -> Path:
    """Return the folder of unfinished games."""
    return state_folder() / "games"


def newest_unfinished() -> SavedGame | None:
    """Return the unfinished game that was played last, skipping those open in another terminal."""
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


def _read(path: Path) -> SavedGame | None:
    """Return a saved game, or None if it is over. Raises ValueError if the file is invalid, and
    BlockingIOError if another process has it open."""
    with path.open("r+", encoding="utf-8") as file:
        _lock(file)
        head, *rest = [json.loads(line) for line in _whole_lines(file)] or [None]
    if rest and "over" in rest[-1]:
        return None
    match = Match.from_json({**head, "events": _standing(rest)}) if isinstance(head, dict) else None
    return SavedGame(path, match) if match and not match.is_over else None


def _whole_lines(file: IO[str]) -> list[str]:
    """Return the lines, after removing a last one that a full disk or a crash cut off."""
    text = file.read()
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.seek(len(whole.encode()))
        file.truncate()
    return whole.splitlines()


def _standing(lines: list[Any]) -> list[Any]:
    """Return the events that were not taken back."""
    events: list[Any] = []
    for line in lines:
        if "back_to" in line:
            del events[int(line["back_to"]) :]
        elif "over" not in line:
            events.append(line)
    return events


def _has_begun(match: Match) -> bool:
    """Return whether a person has done anything yet."""
    return any(not match.seats[event.seat].is_bot for event in match.events)


def _new_path(match: Match) -> Path:
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09}"
    return games_folder() / f"{match.config.game.name}-{stamp}{SUFFIX}"


def _lock(file: IO[str] | FileIO) -> None:
    """Lock a file for this process. Raises BlockingIOError if another process holds the lock."""
    with contextlib.suppress(ImportError):  # not on Windows
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
