"""The analysis of a game as a page shows it: progress, plot, and turning points."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.analysis import Analysis, Move, analyse, draw_plot, summaries
from kakomi.analysis.move import turns_of
from kakomi.analysis.summary import limits_in_words
from kakomi.core import Game, IllegalAction, Position
from kakomi.core.effects import Effect, effect_of_turn, played_turns, turn_in_words
from kakomi.core.i18n import LazyMessage
from kakomi.core.returns import percent
from kakomi.draw import Hint
from kakomi.draw.player_style import player_styles
from kakomi.records import Record, game_of
from kakomi.server.analysis.game_analysis import EFFORT, StoredAnswers
from kakomi.server.analysis.models import GameAnalysis, Study
from kakomi.server.analysis.selectors import read_record
from kakomi.server.boards.presenters import draw_badges
from kakomi.server.site.language import translate

CHART = "chances"
"""The prefix of all ids in the plot."""


@dataclass(frozen=True)
class TurnMark:
    """A badge on the first place that a turn touches, and the turn's effect on the board."""

    badges: str
    """SVG elements for the board's layer `hints`."""
    changes: dict[str, int | None]
    """Point -> the player with a stone there afterwards, or None."""

    @staticmethod
    def of(position: Position, actions: Sequence[str], effect: Effect, label: str, turned: int) -> "TurnMark":
        """The mark of a turn from `position` with the given effect, on a board rotated by `turned` steps."""
        game = position.game
        targets = filter(None, (game.actions[game.action(text)].target for text in actions))
        badges = [Hint(target, label) for target in list(targets)[:1]]
        return TurnMark(draw_badges(position, badges, turned), dict(effect.changes))

    @staticmethod
    def of_better(move: Move, turned: int) -> "TurnMark":
        """The mark of the better alternative to an action, labelled with its win chance."""
        before, better = move.ply.before, better_turn(move)
        effect = effect_of_turn(before, [before.game.action(text) for text in better])
        return TurnMark.of(before, better, effect, percent(move.promise), turned)


def better_turn(move: Move) -> tuple[str, ...]:
    """The actions that were better than the one played, to the end of the turn."""
    before = move.ply.before
    return turns_of(before, move.best)[0].actions[len(before.turn) :]


@dataclass(frozen=True)
class TurningPoint:
    """A mistake, why it was one, and the better alternative."""

    node: int | None
    """The turn in the study; None if the study now has a different one there."""
    ply: int
    """How many actions were played before it."""
    player: int
    number: str
    action: str
    sign: str
    words: str
    reason: str
    """What it allowed by the rules and what it cost on the board; empty if neither is clear."""
    region: str
    """The points where most of that lies, separated by spaces."""
    better: str
    """The better turn, and what it would have achieved by the rules."""


def _reason(move: Move, following: Sequence[Move]) -> str:
    """What a mistake allowed: the next turn of the game (`following`), or else the best reply, if it achieves
    something that it couldn't achieve after the better turn. Otherwise what the better turn achieves."""
    after = move.ply.after
    replies = [(each.ply.before, [m.ply.action_text for m in following]) for each in following[:1]]
    if not after.turn and not after.is_over:
        replies.append((after, [*turns_of(after, move.after.principal)[0].actions]))
    instead = move.ply.before.play(" ".join(better_turn(move)))
    for position, turn in replies if instead.is_between_turns else ():
        achievements = _achievements(position, turn)
        if achievements and achievements != _achievements(instead, turn):
            return gettext("It allowed {turn}.").format(turn=turn_with_achievements(position, turn))
    missed = _achievements(move.ply.before, better_turn(move))
    if not missed or missed == _achievements(move.ply.before, [move.ply.action_text]):
        return ""
    return gettext("Missed: {achievements}.").format(achievements=", ".join(translate(one) for one in missed))


def _achievements(position: Position, turn: Sequence[str]) -> tuple[LazyMessage, ...]:
    """What a turn achieves by the rules; nothing if it can't be played."""
    try:
        played = played_turns(position, [position.game.action(text) for text in turn])
    except IllegalAction:
        return ()
    return played[0].achievements if played else ()


def turn_with_achievements(position: Position, turn: Sequence[str]) -> str:
    """A turn, and what it achieves by the rules."""
    achievements = ", ".join(translate(one) for one in _achievements(position, turn))
    return f"{turn_in_words(turn)} ({achievements})" if achievements else turn_in_words(turn)


@dataclass(frozen=True)
class PlayerSummary:
    """How well a player played."""

    style: str
    words: str


@dataclass(frozen=True)
class GameAnalysisPresenter:
    """The values that the template uses."""

    study: Study
    record: Record
    """The study's record, or the table's."""
    row: GameAnalysis | None

    @staticmethod
    def of(study: Study, record: Record) -> "GameAnalysisPresenter":
        """The presenter for a study, whether or not it has an analysis."""
        return GameAnalysisPresenter(study, record, GameAnalysis.objects.filter(study=study).first())

    @property
    def is_running(self) -> bool:
        return self.row is not None and self.row.state == GameAnalysis.State.RUNNING

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped early and can be resumed."""
        is_stopped = self.row is not None and self.row.state == GameAnalysis.State.STOPPED
        return is_stopped and self._is_of_this_game

    @property
    def is_current(self) -> bool:
        """Whether it is complete and matches the main line as it is now."""
        is_done = self.row is not None and self.row.state == GameAnalysis.State.DONE
        return is_done and self._is_of_this_game

    @property
    def is_outdated(self) -> bool:
        """Whether the main line has changed since."""
        return self.row is not None and not self._is_of_this_game

    @property
    def error(self) -> str:
        return self.row.error if self.row else ""

    @property
    def done(self) -> int:
        return self.row.done if self.row else 0

    @property
    def total(self) -> int:
        return max(1, self.row.total) if self.row else 1

    @property
    def progress_words(self) -> str:
        stage = self.row.stage if self.row else ""
        words = {
            "Searching": gettext("Analysing every position"),
            "Repeating": gettext("Rechecking some positions to estimate the uncertainty"),
            "Checking": gettext("Taking a closer look at possible turning points"),
            "Comparing": gettext("Looking for better moves"),
            "Counting": gettext("Estimating what the mistakes cost"),
        }.get(stage, gettext("Waiting for an engine"))
        return f"{words}: {self.done} / {self.total}" if stage else words

    @property
    def has_findings(self) -> bool:
        return self._analysis is not None and bool(self._analysis.moves)

    @cached_property
    def chart(self) -> SafeString:
        """The plot, in which each turn that the study still has links to its node."""
        assert self._analysis is not None
        here = reverse("study", args=[self.study.code])

        def link(turn: int) -> str:
            return f"{here}?node={turn}" if turn <= self._agreeing else ""

        return mark_safe(draw_plot(self._analysis, CHART, link, translate=translate))

    @cached_property
    def turning_points(self) -> list[TurningPoint]:
        return [self.turning_point(move) for move in self.highlights]

    @property
    def highlights(self) -> Sequence[Move]:
        """The costliest mistakes."""
        return self._analysis.highlights if self._analysis else ()

    def turning_point(self, move: Move) -> TurningPoint:
        """A mistake in words."""
        assert self._analysis is not None
        ply, said = move.ply, gettext("{player} dropped from {promise} to {chance}.")
        following = [each for each in self._analysis.moves if each.ply.turn == ply.turn + 1]
        reasons = [_reason(move, following), translate(move.swing.in_words) if move.swing else ""]
        return TurningPoint(
            node=ply.turn if ply.turn <= self._agreeing else None,
            ply=ply.before.ply,
            player=ply.player,
            number=ply.number,
            action=ply.action_text,
            sign=move.grade.sign if move.grade else "",
            words=said.format(
                player=translate(ply.player_name),
                promise=percent(move.promise),
                chance=percent(move.after.chances[ply.player]),
            ),
            reason=" ".join(filter(None, reasons)),
            region=" ".join(move.swing.region) if move.swing else "",
            better=turn_with_achievements(ply.before, better_turn(move)),
        )

    @property
    def summaries(self) -> list[PlayerSummary]:
        analysis = self._analysis
        if analysis is None or self.is_running:
            return []
        names = analysis.game.player_names
        worn = player_styles(names)
        template = gettext("{player}: accuracy {accuracy}")
        return [
            PlayerSummary(
                worn[each.player].name,
                template.format(player=translate(names[each.player]), accuracy=f"{each.accuracy:.0f} %"),
            )
            for each in summaries(analysis)
        ]

    @property
    def method(self) -> str:
        said = gettext("{effort} per position. Shows the biggest mistakes, up to five.")
        return said.format(effort=translate(limits_in_words(EFFORT)))

    @cached_property
    def _analysis(self) -> Analysis | None:
        row = self.row
        if row is None:
            return None
        return _replayed(row.pk, row.record, len(row.answers), _Unhashed(row))

    @property
    def _is_of_this_game(self) -> bool:
        analysed = self._analysed
        return len(analysed) == self._agreeing == self.record.length

    @property
    def _analysed(self) -> list[tuple[str, ...]]:
        return _game_turns(read_record(self.row.record)) if self.row else []

    @cached_property
    def _agreeing(self) -> int:
        """How many initial turns the record's main line and the analysed game share."""
        pairs = zip(_game_turns(self.record), self._analysed, strict=False)
        return next(
            (number for number, (one, other) in enumerate(pairs) if one != other),
            min(self.record.length, len(self._analysed)),
        )


class _Unhashed:
    """Wraps a row so that it doesn't count as part of a cache key: all instances are equal."""

    def __init__(self, row: GameAnalysis) -> None:
        self.row = row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unhashed)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=8)
def _replayed(number: int, text: str, answered: int, source: _Unhashed) -> Analysis:
    """The analysis from the answers so far, cached by their number."""
    del number, answered
    record = read_record(text)
    game: Game = game_of(record, catalog.game)
    return analyse(record, game, EFFORT, searches=StoredAnswers(game, source.row.answers))


def _game_turns(record: Record) -> list[tuple[str, ...]]:
    return [turn.actions for turn in record.turns[: record.length]]
