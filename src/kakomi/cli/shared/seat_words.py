"""What `kakomi seats` prints: lines for people, an object for programs."""

from typing import TYPE_CHECKING, Any

from kakomi.cli.shared.parameters import game_line
from kakomi.study.report.estimates import Estimate
from kakomi.study.report.wording import in_words

if TYPE_CHECKING:
    from kakomi.study.seats import BoardFigures, RepairFigures, SeatStudy

_LABEL, _SHARE = 22, 18
"""Columns of the terminal."""


def told(study: "SeatStudy", boards: "tuple[BoardFigures, ...]") -> list[str]:
    """Board by board, with an explanation in the end."""
    lines: list[str] = []
    for board in boards:
        lines += [f"{game_line(board.game)} · {study.bot} with itself, {board.games} games"]
        if study.position:
            lines.append(f"  from {study.position}")
        lines += [_line(f"{seat.name} wins", seat.share, in_p(seat.p)) for seat in board.seats]
        lines.append(_line("ends level", board.level))
        lines.append(f"  {'margin of ' + board.seats[0].name:<{_LABEL}}{in_words(board.margin, 'plain')}")
        if board.repairs:
            lines += ["  repaired, whoever begins gets", *map(_repair, board.repairs)]
        lines.append("")
    return [
        *lines,
        "Shares of the win with 95 % intervals; draws are shared. p: how often chance alone leads so far",
        "from equal shares, corrected for all boards (and for all repairs).",
    ]


def in_p(p: float) -> str:
    """A p-value as people read it."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _line(label: str, share: Estimate, more: str = "") -> str:
    return f"  {label:<{_LABEL}}{in_words(share, 'percent'):<{_SHARE}}{more}".rstrip()


def _repair(one: "RepairFigures") -> str:
    notes = [in_p(one.p)] if one.share else []
    if one.first_turn:
        notes.append(f"begins with {one.first_turn}")
    if one.side:
        notes.append(f"whose side wins {in_words(one.side, 'percent')}")
    if one.taken:
        notes.append(f"taken over in {in_words(one.taken, 'percent')}")
    if one.level_by_wins:
        notes.append(
            f"ends level by points in {in_words(one.level, 'percent')}, would by games won in "
            f"{in_words(one.level_by_wins, 'percent')}"
        )
    share = in_words(one.share, "percent") if one.share else "50 %, as made"
    return f"    {one.name:<{_LABEL - 2}}{share:<{_SHARE}}{'; '.join(notes)}".rstrip()


def as_object(study: "SeatStudy", boards: "tuple[BoardFigures, ...]") -> dict[str, Any]:
    """All figures, as data."""
    return {
        "game": study.boards[0].name,
        "bot": study.bot,
        "games": study.games,
        "seed": study.seed,
        "position": study.position,
        "boards": [_board(board) for board in boards],
    }


def _board(board: "BoardFigures") -> dict[str, Any]:
    return {
        "options": dict(board.game.options),
        "games": board.games,
        "seats": [{"name": seat.name, **_number(seat.share), "p": round(seat.p, 5)} for seat in board.seats],
        "level": _number(board.level),
        "margin": _number(board.margin),
        "repairs": [_repair_object(one) for one in board.repairs],
    }


def _repair_object(one: "RepairFigures") -> dict[str, Any]:
    shares = {
        "share": one.share,
        "taken": one.taken,
        "side": one.side,
        "level": one.level,
        "level_by_wins": one.level_by_wins,
    }
    return {
        "name": one.name,
        **{name: _number(share) for name, share in shares.items() if share},
        **({"p": round(one.p, 5)} if one.share else {}),
        **({"first_turn": one.first_turn} if one.first_turn else {}),
    }


def _number(one: Estimate) -> dict[str, Any]:
    """An estimate; without an interval its ends are left out."""
    ends = {"low": round(one.low, 5), "high": round(one.high, 5)} if one.has_interval else {}
    return {"value": round(one.value, 5), **ends, "games": one.games}
