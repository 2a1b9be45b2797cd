"""The analysis of a game as a page shows it: how far it has come, the plot, and where the game turned."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from kakomi import catalog
from kakomi.core import Game
from kakomi.core.returns import percent
from kakomi.draw.player_style import player_styles
from kakomi.records import Record, game_of
from kakomi.server.analysis.game_analysis import EFFORT, StoredAnswers
from kakomi.server.analysis.models import Study, Survey
from kakomi.server.analysis.selectors import read_record
from kakomi.server.language import translate
from kakomi.study.analysis import Analysis, Move, analyse, draw_plot, summaries
from kakomi.study.analysis.summary import limits_in_words

CHART = "chances"
"""What all ids of the plot begin with."""


@dataclass(frozen=True)
class TurningPoint:
    """A mistake, and what would have been better."""

    node: int | None
    """Its turn in the study; None if the study has another one there now."""
    player: int
    number: str
    action: str
    sign: str
    words: str


@dataclass(frozen=True)
class PlayerSummary:
    """How well somebody played."""

    style: str
    words: str


@dataclass(frozen=True)
class GameAnalysisPresenter:
    """What the template needs, by name."""

    study: Study
    record: Record
    """The study's."""
    row: Survey | None

    @staticmethod
    def of(study: Study, record: Record) -> "GameAnalysisPresenter":
        """That of a study, if there is one."""
        return GameAnalysisPresenter(study, record, Survey.objects.filter(study=study).first())

    @property
    def is_running(self) -> bool:
        return self.row is not None and self.row.state == Survey.State.RUNNING

    @property
    def is_stopped(self) -> bool:
        """Whether it was ended before its end, and can go on."""
        is_stopped = self.row is not None and self.row.state == Survey.State.STOPPED
        return is_stopped and self._is_of_this_game

    @property
    def is_current(self) -> bool:
        """Whether it is done and of what the main line is now."""
        is_done = self.row is not None and self.row.state == Survey.State.DONE
        return is_done and self._is_of_this_game

    @property
    def is_outdated(self) -> bool:
        """Whether it is of another game than the main line is now."""
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
            "Searching": gettext("Searching every position"),
            "Repeating": gettext("Searching some again, to see how sure this is"),
            "Checking": gettext("Looking longer where the game may have turned"),
            "Comparing": gettext("Looking at what would have been better"),
        }.get(stage, gettext("Waiting for an engine"))
        return f"{words}: {self.done} / {self.total}" if stage else words

    @property
    def has_findings(self) -> bool:
        return self._analysis is not None and bool(self._analysis.moves)

    @cached_property
    def chart(self) -> SafeString:
        """The plot; a click on a turn leads to its node."""
        here = reverse("study", args=[self.study.code])
        return self.draw(lambda turn: f"{here}?node={turn}")

    def draw(self, link: Callable[[int], str]) -> SafeString:
        """The plot; a click on a turn follows its link, if the record still has that turn."""
        assert self._analysis is not None

        def known(turn: int) -> str:
            return link(turn) if turn <= self._agreeing else ""

        return mark_safe(draw_plot(self._analysis, CHART, known, translate=translate))

    @property
    def turning_moves(self) -> list[Move]:
        """The turning points of what record and analysis have in common."""
        found = self._analysis.turning_points if self._analysis else ()
        return [move for move in found if move.ply.turn <= self._agreeing]

    @property
    def turning_points(self) -> list[TurningPoint]:
        return [self._turning_point(move) for move in self._analysis.turning_points] if self._analysis else []

    @property
    def summaries(self) -> list[PlayerSummary]:
        analysis = self._analysis
        if analysis is None or self.is_running:
            return []
        names = analysis.game.player_names
        worn = player_styles(names)
        told = gettext("{player}: accuracy {accuracy}, {mistakes}")
        return [
            PlayerSummary(
                worn[each.player].name,
                told.format(
                    player=translate(names[each.player]),
                    accuracy=f"{each.accuracy:.0f} %",
                    mistakes=_counted(
                        sum(m.is_turning_point and m.ply.player == each.player for m in analysis.moves)
                    ),
                ),
            )
            for each in summaries(analysis)
        ]

    @property
    def method(self) -> str:
        said = gettext(
            "{effort} for each position. A turning point is a turn that lost 10 percentage points or more."
        )
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
        """How many turns the study's main line and what was analysed have in common."""
        pairs = zip(_game_turns(self.record), self._analysed, strict=False)
        return next(
            (number for number, (one, other) in enumerate(pairs) if one != other),
            min(self.record.length, len(self._analysed)),
        )

    def _turning_point(self, move: Move) -> TurningPoint:
        ply, texts = move.ply, move.ply.before.game.action_texts
        said = gettext("{player} went from {promise} to {chance}; better was {better}")
        return TurningPoint(
            node=ply.turn if ply.turn <= self._agreeing else None,
            player=ply.player,
            number=ply.number,
            action=ply.action_text,
            sign=move.grade.sign if move.grade else "",
            words=said.format(
                player=translate(ply.player_name),
                promise=percent(move.promise),
                chance=percent(move.after.chances[ply.player]),
                better=" ".join(texts[action] for action in move.best[:4]),
            ),
        )


class _Unhashed:
    """An analysis that takes no part in what is remembered by."""

    def __init__(self, row: Survey) -> None:
        self.row = row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unhashed)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=8)
def _replayed(number: int, text: str, answered: int, source: _Unhashed) -> Analysis:
    """The analysis as far as it is answered; remembered by how much that is."""
    del number, answered
    record = read_record(text)
    game: Game = game_of(record, catalog.game)
    return analyse(record, game, EFFORT, searches=StoredAnswers(game, source.row.answers))


def _game_turns(record: Record) -> list[tuple[str, ...]]:
    return [turn.actions for turn in record.turns[: record.length]]


def _counted(mistakes: int) -> str:
    said = ngettext("{count} turning point", "{count} turning points", mistakes)
    return said.format(count=mistakes)
