"""Our engine's response to each GTP command.

A player's time follows GTP: a main time, then a number of stones in every period (Canadian byo-yomi).
Analyses use formats that graphical boards for Go read: Leela Zero's `lz-analyze` and KataGo's `kata-analyze`.
"""

import dataclasses
import math
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kakomi import __version__, catalog, records
from kakomi.bots import Bot, strongest_search
from kakomi.core import Game, IllegalAction, Position
from kakomi.core.system import replace_file
from kakomi.draw.text import draw_text
from kakomi.protocol.gtp.syntax import COLOURS, PASS, GtpError, Vertices, player
from kakomi.search import Line, Report, Search
from kakomi.search.playout import ownership
from kakomi.search.report import DIGITS

TURNS_AHEAD = 20
"""Each stone gets this fraction of the main time left: 1 / `TURNS_AHEAD`."""
SAFE_PART = 0.9
"""The part of a stone's share that the bot may think; the rest allows for communication."""
LEAST_SECONDS = 0.01


@dataclass(frozen=True)
class Clock:
    """Time left, in seconds. If `stones` is 0 this is main time; otherwise so many stones must be played in
    it before a new period begins."""

    seconds: float
    stones: int
    period: float
    period_stones: int

    @classmethod
    def set_to(cls, main: float, period: float, stones: int) -> "Clock | None":
        """Return a clock at the start; None without a limit (a period without stones, GTP 2, 4.2)."""
        if period > 0 and stones == 0:
            return None
        clock = cls(main, 0, period, stones)
        return clock if main > 0 else clock._in_period()

    @property
    def share(self) -> float:
        """The seconds for the next stone."""
        if self.stones:
            return max(LEAST_SECONDS, SAFE_PART * self.seconds / self.stones)
        extra = self.period / self.period_stones if self.period_stones else 0.0
        return max(LEAST_SECONDS, SAFE_PART * (self.seconds / TURNS_AHEAD + extra))

    def corrected(self, seconds: float, stones: int) -> "Clock":
        """Return the clock with the time that the controller reports."""
        return replace(self, seconds=seconds, stones=stones)

    def after(self, seconds: float) -> "Clock":
        """Return the clock after a stone that took this many seconds."""
        if self.stones > 1:
            return replace(self, seconds=max(0.0, self.seconds - seconds), stones=self.stones - 1)
        if self.stones == 1 or seconds >= self.seconds:
            return self._in_period()
        return replace(self, seconds=self.seconds - seconds)

    def _in_period(self) -> "Clock":
        return replace(self, seconds=self.period, stones=self.period_stones)


ANALYSES = ("lz-analyze", "kata-analyze")
MOST_LINES = 20
_MOST_CENTISECONDS = 6000
_DEFAULT_CENTISECONDS = 100


@dataclass(frozen=True)
class AnalysisArguments:
    """The arguments of an analysis: `[COLOUR] [CENTISECONDS] [KEY VALUE] ...`."""

    player: int | None
    seconds: float
    """Between reports."""
    has_root: bool = False
    """Whether reports have the lead of the player to act, and its spread."""
    has_owners: bool = False
    """Whether reports end with the likely owner of each point."""


def parse_analysis_arguments(arguments: Sequence[str]) -> AnalysisArguments:
    """Parse the arguments of an analysis; unknown keys are ignored. Raises GtpError."""
    words = list(arguments)
    who = player(words.pop(0)) if words and words[0].lower() in ("b", "w", "black", "white") else None
    centiseconds = str(_DEFAULT_CENTISECONDS)
    if words and words[0].isdigit():
        centiseconds = words.pop(0)
    keys = dict(zip(words[::2], words[1::2], strict=False))
    centiseconds = keys.get("interval", centiseconds)
    if not (centiseconds.isascii() and centiseconds.isdigit() and len(centiseconds) <= 9):
        raise GtpError("syntax error: the interval is a whole number of centiseconds")
    seconds = min(int(centiseconds), _MOST_CENTISECONDS) / 100
    return AnalysisArguments(
        who, seconds, *(keys.get(key, "").lower() == "true" for key in ("rootInfo", "ownership"))
    )


def format_estimate(position: Position, wanted: AnalysisArguments) -> str:
    """Return KataGo's `rootInfo` and `ownership`, as far as wanted: for the player to act, the lead and its
    spread, and for each point, row by row from the top, how likely it will be theirs, from −1 to 1."""
    if not wanted.has_root and not wanted.has_owners:
        return ""
    found, me, text = ownership(position), position.to_move, ""
    if wanted.has_root:
        text = f" rootInfo scoreLead {found.lead[me]:.2f} scoreStdev {found.spread[me]:.2f}"
    if wanted.has_owners:
        chances = found.owner[:, me] - found.owner[:, 1 - me]
        rows = sorted(zip(position.game.geometry.places, chances, strict=True), key=lambda row: row[0][::-1])
        text += " ownership " + " ".join(f"{round(float(chance), 3):g}" for _, chance in rows)
    return text


def format_report(command: str, position: Position, report: Report, vertices: Vertices) -> str:
    """Return a report in the format of the command; win rates are for the player to act."""

    def one_line(order: int, line: Line) -> str:
        rate = round(line.chances[report.to_move], DIGITS)
        winrate = f"{10_000 * rate:.0f}" if command == "lz-analyze" else f"{rate:.4f}"
        best = report.principal if order == 0 and report.principal else (line.action,)
        variation = " ".join(vertices.vertex(action) for action in best)
        return (
            f"info move {vertices.vertex(line.action)} visits {line.visits} winrate {winrate} "
            f"order {order} pv {variation}"
        )

    return " ".join(one_line(order, line) for order, line in enumerate(report.lines[:MOST_LINES]))


_HANDICAP = ("fixed_handicap", "place_free_handicap", "set_free_handicap")
"""Not among the known commands, because none of our games has a handicap."""

Arguments = Sequence[str]
Action = Callable[[Arguments], str]


class GtpEngine:
    """A game and a bot, driven by GTP commands.

    `given` holds the game's chosen options; the others depend on the board's size. Raises ValueError if
    GTP can't describe the game or the options are invalid.
    """

    def __init__(self, name: str, given: Mapping[str, Any], bot: Bot) -> None:
        self._name = name
        self._given = dict(given)
        self._bot = bot
        self._clocks: list[Clock | None] = [None, None]
        self._adviser: Search | None = None
        self._begin(catalog.game(name, **given))
        if unsupported_reason := Vertices.unsupported_reason(self._game):
            raise ValueError(f"{name} can't be played in GTP: {unsupported_reason}")
        bot.check(self._game)
        self._commands: dict[str, Action] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Kakomi",
            "version": lambda _: __version__,
            "known_command": self._known_command,
            "list_commands": lambda _: "\n".join(self._command_names),
            "quit": lambda _: "",
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": self._showboard,
            "final_score": self._final_score,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "loadsgf": self._load_sgf,
            "printsgf": self._print_sgf,
            "get_komi": lambda _: f"{self._game.options.get(self._komi_name, 0):g}",
            "final_status_list": self._final_status_list,
        }

    def execute(self, name: str, arguments: Arguments) -> str:
        """Execute a command and return its answer. Raises GtpError."""
        if name in _HANDICAP:
            raise GtpError(f"{self._game.description.title} has no handicap: play begins on an empty board")
        if name not in self._commands:
            raise GtpError("unknown command")
        return self._commands[name](arguments)

    def analyse(
        self, name: str, arguments: Arguments, until: threading.Event, tell: Callable[[str], None]
    ) -> None:
        """Search until `until` is set, and call `tell` with a line at every interval and at the end.

        Raises GtpError, but only before the first line.
        """
        wanted, position, due = parse_analysis_arguments(arguments), self._position, 0.0
        if position.is_over:
            raise GtpError("the game is over")
        if wanted.player is not None:
            self._expect(wanted.player)
        if self._adviser is None or self._adviser.game != self._game:
            self._adviser = strongest_search(self._game, is_repeatable=False)

        estimate = format_estimate(position, wanted) if name == "kata-analyze" else ""

        def tell_in_time(report: Report) -> None:
            nonlocal due
            if report.seconds >= due:
                due = report.seconds + wanted.seconds
                tell(format_report(name, position, report, self._vertices) + estimate)

        report = self._adviser.run(position, stop=until, on_slice=tell_in_time)
        tell(format_report(name, position, report, self._vertices) + estimate)
        until.wait()  # a proof may have ended the search early

    @property
    def _command_names(self) -> tuple[str, ...]:
        return (*self._commands, *ANALYSES)

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    def _begin(self, game: Game, actions: Sequence[int] = ()) -> None:
        self._game = game
        self._vertices = Vertices(game)
        self._positions = [game.start()]
        for action in actions:
            self._positions.append(self._position.play_action(action))

    def _known_command(self, arguments: Arguments) -> str:
        return "true" if _only(arguments) in self._command_names else "false"

    def _boardsize(self, arguments: Arguments) -> str:
        size = _whole(_only(arguments))
        try:
            game = catalog.game(self._name, **{**self._given, "size": size})
        except ValueError as error:
            print(error, file=sys.stderr)  # the answer's wording is fixed, since controllers compare it
            raise GtpError("unacceptable size") from None
        self._given["size"] = size
        self._begin(game)
        return ""

    def _clear_board(self, arguments: Arguments) -> str:
        self._begin(self._game)
        return ""

    def _komi(self, arguments: Arguments) -> str:
        komi, option = _number(_only(arguments)), self._game.description.komi_option
        if not option and komi != 0:
            raise GtpError(f"unacceptable komi: {self._name} has none")
        if option:
            komi = int(komi) if komi.is_integer() else komi
            try:
                game = catalog.game(self._name, **{**self._game.options, option: komi})
            except ValueError as error:
                raise GtpError(f"unacceptable komi: {error}") from None
            self._given[option] = komi
            self._begin(game, self._position.actions_since(self._positions[0]) or ())
        return ""

    def _play(self, arguments: Arguments) -> str:
        if len(arguments) != 2:
            raise GtpError("syntax error: a colour and a vertex are needed")
        who, vertex = player(arguments[0]), arguments[1]
        if self._position.is_over and vertex.lower() == PASS:
            return ""
        action = self._vertices.action(vertex)
        self._expect(who, "illegal move: ")
        self._advance(action)
        return ""

    def _genmove(self, arguments: Arguments) -> str:
        action = self._chosen(arguments)
        if action is None:
            return PASS
        self._advance(action)
        return self._vertices.vertex(action)

    def _reg_genmove(self, arguments: Arguments) -> str:
        action = self._chosen(arguments)
        return PASS if action is None else self._vertices.vertex(action)

    def _undo(self, arguments: Arguments) -> str:
        if len(self._positions) == 1:
            raise GtpError("cannot undo")
        self._positions.pop()
        return ""

    def _showboard(self, arguments: Arguments) -> str:
        scene, vertices = self._position.scene(), self._vertices
        labelled = dataclasses.replace(scene.geometry, rows=vertices.rows, columns=vertices.columns)
        return "\n" + draw_text(dataclasses.replace(scene, geometry=labelled))

    def _final_score(self, arguments: Arguments) -> str:
        if not self._position.is_over:
            raise GtpError("cannot score: the game isn't over")
        black, white = self._position.scores()
        return "0" if black == white else f"{'B' if black > white else 'W'}+{abs(black - white):g}"

    def _time_settings(self, arguments: Arguments) -> str:
        if len(arguments) != 3:
            raise GtpError("syntax error: a main time, a period and its stones are needed")
        main, period, stones = _number(arguments[0]), _number(arguments[1]), _whole(arguments[2])
        self._clocks = [Clock.set_to(main, period, stones)] * 2
        return ""

    def _time_left(self, arguments: Arguments) -> str:
        if len(arguments) != 3:
            raise GtpError("syntax error: a colour, a time and its stones are needed")
        who, seconds, stones = player(arguments[0]), _number(arguments[1]), _whole(arguments[2])
        clock = self._clocks[who] or Clock(0.0, 0, 0.0, 0)
        self._clocks[who] = clock.corrected(seconds, stones)
        return ""

    def _load_sgf(self, arguments: Arguments) -> str:
        """Load a game from a file, all of it or up to just before a stone's number (GTP 2, 6.3.5)."""
        path, before = _file_and_number(arguments)
        try:
            record = records.load(path, catalog.game, self._name)
            game = records.game_of(record, catalog.game)
            actions = records.position_after(record, game).actions_since(game.start())
        except OSError as error:
            raise GtpError(f"cannot load file: {error.strerror or error}") from None
        except ValueError as error:  # also for an invalid path
            raise GtpError(f"cannot load file: {error}") from None
        if actions is None:
            raise GtpError("cannot load file: its game begins at a position, and games here at their start")
        self._given |= {
            name: game.options[name] for name in ("size", self._komi_name) if name in game.options
        }
        self._begin(game, actions if before is None else actions[: before - 1])
        return ""

    def _print_sgf(self, arguments: Arguments) -> str:
        """Return the game as SGF, or write it to a file: GNU Go's command, which other programs adopted."""
        data = records.write(records.recorded(self._game, self._position.played()), self._game, "sgf")
        if not arguments:
            return data.decode()
        path = " ".join(arguments)
        try:
            replace_file(path, data)
        except (OSError, ValueError) as error:  # ValueError for an invalid path
            raise GtpError(f"cannot write file: {getattr(error, 'strerror', None) or error}") from None
        return ""

    def _final_status_list(self, arguments: Arguments) -> str:
        """List the stones with a status. All are alive: none of our games removes stones at its end."""
        status = _only(arguments).lower()
        if status not in ("alive", "dead", "seki"):
            raise GtpError("syntax error: a status is alive, dead or seki")
        stones = self._position.stones() if status == "alive" else ()
        return " ".join(self._vertices.points[name] for name in stones)

    @property
    def _komi_name(self) -> str:
        return self._game.description.komi_option

    def _chosen(self, arguments: Arguments) -> int | None:
        """Return the bot's action, stopping it when its share of the time is up; None if the game is over."""
        who = player(_only(arguments))
        if self._position.is_over:
            return None
        self._expect(who)
        clock, stop, started = self._clocks[who], threading.Event(), time.monotonic()
        if clock is None:
            return self._bot.choose(self._position)
        timer = threading.Timer(clock.share, stop.set)
        timer.start()
        try:
            return self._bot.choose(self._position, stop=stop)
        finally:
            timer.cancel()
            self._clocks[who] = clock.after(time.monotonic() - started)

    def _expect(self, who: int, prefix: str = "") -> None:
        if who != self._position.to_move and not self._position.is_over:
            raise GtpError(f"{prefix}it is {COLOURS[self._position.to_move]}'s turn")

    def _advance(self, action: int) -> None:
        try:
            self._positions.append(self._position.play_action(action))
        except IllegalAction:
            raise GtpError(f"illegal move: {self._why_illegal(action)}") from None

    def _why_illegal(self, action: int) -> str:
        """Return the reason without naming the action, since the game's name for it isn't GTP's."""
        if self._position.is_over:
            return "the game is over"
        return str(self._game.description.explain.why_illegal(self._position, action))


def _only(arguments: Arguments) -> str:
    if len(arguments) != 1:
        raise GtpError("syntax error: one argument is needed")
    return arguments[0]


def _file_and_number(arguments: Arguments) -> tuple[str, int | None]:
    """Return a file's name, which may contain spaces, and a stone's number if the last word is one."""
    *words, last = arguments or [""]
    if words and last.isascii() and last.isdigit():
        return " ".join(words), max(1, _whole(last))
    if not last:
        raise GtpError("syntax error: a file is needed")
    return " ".join(arguments), None


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise GtpError("syntax error: a whole number is needed")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not abs(number) < 1e9:
        raise GtpError("syntax error: a number is needed")
    return number
