"""Games of a match as records, for `kakomi replay` and everything else that opens them."""

from pathlib import Path

from kakomi import records
from kakomi.records import Record, Result, Seat
from kakomi.study.tournament.played import Played


def record_of(played: Played, event: str = "") -> Record:
    """The record of a game."""
    pairing = played.pairing
    return records.recorded(
        pairing.found_game,
        played.actions,
        seats=tuple(
            Seat(name=name, bot=spec) for name, spec in zip(pairing.seats, pairing.specs, strict=True)
        ),
        event=event,
        result=Result(reason=played.reason, winners=played.winners, scores=played.scores),
        comment=_comment(played),
    )


def save_record(played: Played, folder: Path, event: str = "") -> Path:
    """Write a game's record to `game-0001.json` of a folder, unless it is there. Raises OSError."""
    path = folder / f"game-{played.pairing.number:04}.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        records.save(record_of(played, event), played.pairing.found_game, path)
    return path


def _comment(played: Played) -> str:
    lines = [f"The first {played.opening} actions are a random opening."] if played.opening else []
    if played.loser is not None:
        name = played.pairing.found_game.player_names[played.loser]
        lines.append(f"{name} forfeits: {played.failure}")
    return "\n".join(lines)
