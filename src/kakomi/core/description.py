"""A game's description: everything that differs between games, apart from the rules."""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from kakomi.boards import Geometry
from kakomi.core.action import Action, ActionKind
from kakomi.core.example import EXERCISES, Example, read_examples
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.known_results import (
    BlunderFigures,
    FairKomi,
    KomiTable,
    OpeningFigures,
    ReportFigures,
    SolvedBoard,
    measured_file,
    read_blunders,
    read_komi,
    read_levels,
    read_openings,
    read_report,
    read_solved,
)
from kakomi.core.level_config import LevelConfig, SearchConfig
from kakomi.core.option import Option, Options
from kakomi.draw import Style

IN_FOLDER: Any = object()
"""Default of a game's parts: the module of that name in the game's folder, or None if it doesn't exist."""

_REQUIRED = ("BOARD", "STATE", "SCRATCH", "IDENTITY", "reset", "play", "over", "scores")

WHOLE_CLASS = "standard"
"""The size class of games that don't rate sizes separately."""


@dataclass(frozen=True, eq=False)
class Description:
    """The description that a game's `__init__.py` binds to the name `GAME`.

    The game's parts are found in its folder by the names of their files. Raises ValueError for a game without
    `rules` or `explain`, for rules without a function that every game has, and for two options of the same
    name.
    """

    module: str
    """The module that holds the description: `__name__`."""
    name: str
    title: str
    author: str
    year: str
    summary: str
    """One sentence for people choosing a game."""
    credit: str
    """The credit that the author's document requires."""
    options: Sequence[Option]
    """The option `players`, if there is one, is the number of players; else all of `player_names` play."""
    geometry: Callable[[Options], Geometry]
    rules: ModuleType = IN_FOLDER
    """Functions of `kakomi.kernel.contract`, and `BOARD`, `STATE`, `SCRATCH` and `IDENTITY`. If the board has
    more fields than the counts of every board, `build_board(board, geometry, options)` writes them."""
    explain: ModuleType = IN_FOLDER
    """`why_illegal(position, action)`, `expects(position)`, `overlays(position)`, `account(position)`; and,
    optionally, `guide(position)`, which returns a `Guidance` for people learning the game, and
    `contested(position)`, the part that all scores have in common until it is decided whose it is."""
    validation: ModuleType | None = IN_FOLDER
    """`validate_state(game, state)`: why a state whose identity fields are filled in is impossible, in a few
    words, or None if it is possible. It is called for states that didn't come from play, after the check that
    stones and the player to act belong to players of the game. None: fields may have any numbers."""
    policy: ModuleType | None = IN_FOLDER
    """Advice for a search: functions of the second part of `kakomi.kernel.contract`, compiled like rules."""
    observation: ModuleType | None = IN_FOLDER
    """The input of learners: `observe` of the contract, and `PLANES`, the names of the planes that it writes
    after those of the stones and the player to act; None: there are no others. For networks and patterns
    only, `mark_features`, and `FEATURES`, the names of these. Each of the two may be left out."""
    solving: ModuleType | None = IN_FOLDER
    """Short cuts for a solver: functions of the fourth part of `kakomi.kernel.contract`, and `NUMBERS`, the
    number of lowest bits of each of its `numbers` that matter (0: enough to count the board's points). Values
    depend only on pieces and numbers, and numbers don't depend on sides of the board. `pieces(board, point)`
    is the number of different pieces at a point. A module with a `STATE` of its own has other rules instead,
    for games with a true `replaces_rules(game)`: `adopt(position)` returns their state for a position (a
    one-element array), with helper fields left to `restore`."""
    actions: Sequence[ActionKind] | Callable[[Geometry, Options], Sequence[Action]] = ("place",)
    """The kinds of actions, for `kakomi.core.action.list_actions`, or a function that returns all actions in
    the order of their numbers."""
    search_config: SearchConfig = field(default_factory=SearchConfig)
    """The settings of searches of this game."""
    lead_spread: float = 1.0
    """How many standard deviations among playouts two in three estimated leads are off by at most
    (`benchmarks.ownership`)."""
    sharpness: float = 1.0
    """The power of the odds in chances that searches with playouts report, so that these come true
    (`benchmarks.calibration`); above 1 if mean gains are too cautious."""
    levels: Sequence[LevelConfig] = ()
    """The settings of each level, weakest first: ten, and up to ten more that patterns or a network advise
    (docs/levels.md). Empty: those of `measured/levels.toml`, else `DEFAULT_LEVELS`."""
    player_names: tuple[str, ...] = (_("Black"), _("White"))
    dots_for_newcomers: bool = False
    """Whether newcomers see dots on legal points by default: in games that forbid many empty points."""
    style: Style = field(default_factory=Style)
    """How it is drawn. If each player has several kinds of pieces, the style's `kinds` are their names, the
    plainest first; the board then has a field `kinds` with their number, and `stones` are encoded as
    `kakomi.kernel.contract` describes."""
    max_game_length: Callable[[Geometry, Options], int] | None = None
    """The most actions that a game can have; None: unknown."""
    is_endless: bool = False
    """Whether the rules allow longer games; searches, matches and environments then stop at that length and
    count the points (RULES N12)."""
    quick: Options = field(default_factory=dict)
    """Options of a board for short games and tests."""
    ladder: Options = field(default_factory=dict)
    """Options of the board on which the levels were measured, if the quick board is too small."""
    sgf_number: int = 0
    """The game's GM in SGF; 0: it has none, and its records use the game's name."""
    komi_option: str = ""
    """The option that players negotiate before the game (RULES L5)."""
    is_symmetric: bool = True
    """Whether play commutes with the board's rotations and reflections."""
    players_are_alike: Callable[[Options], bool] = lambda options: True
    """Whether the rules treat all players alike in any position, so that they can change places: play
    commutes with it, and scores and returns change places too."""
    player_fields: Sequence[str] = ()
    """The identity fields with a value for each player, in the players' order."""
    has_draws: bool = True
    """Whether games can end in a draw; only then may players agree on one."""
    size_classes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Class name -> values of the option `size`, for games that rate sizes separately; other sizes are not
    rated. Empty: all boards are one class."""
    lists_gains: bool = False
    """Whether lists of moves show what each scores: in games in which only some do."""
    match_games: int = 1
    """The author's recommended number of games for a match, with alternating first player (RULES N11)."""

    def __post_init__(self) -> None:
        for part in fields(self):
            if getattr(self, part.name) is IN_FOLDER:
                object.__setattr__(self, part.name, _part(self.module, part.name))
        if self.rules is None or self.explain is None:
            raise ValueError(f"{self.name} has no {'explain' if self.rules else 'rules'}.py in its folder")
        missing = [part for part in _REQUIRED if not hasattr(self.rules, part)]
        if not hasattr(self.rules, "legal") and not hasattr(self.rules, "is_legal"):
            missing.append("legal or is_legal")
        if missing:
            raise ValueError(f"the rules of {self.name} lack {', '.join(missing)}")
        names = [option.name for option in self.options]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"{self.name} has two options called {repeated[0]!r}")
        if not self.levels:
            object.__setattr__(self, "levels", read_levels(self.module))

    def __reduce__(self) -> tuple[Any, ...]:
        return _described, (self.module,)

    @property
    def komi(self) -> Option:
        """The komi option. Raises ValueError if the game has none."""
        for option in self.options:
            if option.name == self.komi_option:
                return option
        raise ValueError(f"{self.name} has no komi")

    def size_class(self, options: Options) -> str | None:
        """The class in which games with these options are rated; None if they aren't rated."""
        if not self.size_classes:
            return WHOLE_CLASS
        size = options.get("size")
        return next((name for name, sizes in self.size_classes.items() if size in sizes), None)

    @property
    def ladder_options(self) -> Options:
        """Options of the board on which the levels were measured."""
        return self.ladder or self.quick

    def measured_file(self, name: str) -> Path | None:
        """The path of a file in the game's folder `measured`; None if there is none."""
        return measured_file(self.module, name)

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of the rules, in which the reader makes the move, from `examples.toml`."""
        return read_examples(self.module)

    @property
    def exercises(self) -> tuple[Example, ...]:
        """Positions with a question that has one answer, and a claim that can be proved, from easy to hard,
        from `exercises.toml`."""
        return read_examples(self.module, EXERCISES)

    @property
    def solved(self) -> tuple[SolvedBoard, ...]:
        """Boards whose exact value is known, from `measured/solved.toml`."""
        return read_solved(self.module)

    @property
    def fair_komis(self) -> KomiTable:
        """The known fair komis, from `measured/komi.toml`."""
        return read_komi(self.module)

    @property
    def report(self) -> ReportFigures | None:
        """The figures of a report, from `measured/report.json`; None without the file."""
        return read_report(self.module)

    @property
    def blunders(self) -> BlunderFigures | None:
        """How often levels throw away exact results, from `measured/blunders.json`; None without the file."""
        return read_blunders(self.module)

    @property
    def openings(self) -> OpeningFigures | None:
        """The first turns of levels, from `measured/openings.json`; None without the file."""
        return read_openings(self.module)

    def fair_komi(self, options: Options) -> FairKomi | None:
        """The fair komi of a board, whatever its komi option is; None if unknown."""
        return self.fair_komis.known(self.without_komi(options))

    def without_komi(self, options: Options) -> Options:
        """All options but the komi, if there is one."""
        return {name: value for name, value in options.items() if name != self.komi_option}

    @property
    def sample_game(self) -> str:
        """A game up to its middle for pictures, as actions with spaces between them, with the first preset of
        every option that has any, from `sample_game.txt`; "" without the file."""
        return _sample_game(self.module)

    @property
    def rules_text(self) -> str:
        """The rules for players in English, as Markdown."""
        return self.rules_in("en")[0]

    def rules_in(self, language: str) -> tuple[str, str]:
        """The rules for players in a language such as "de" if there is a translation, `rules.de.md`, else in
        English; and the language that they are in."""
        folder = files(self.module)
        translated = folder.joinpath(f"rules.{language}.md")
        if language.isalpha() and translated.is_file():
            return translated.read_text(encoding="utf-8"), language
        return folder.joinpath("rules.md").read_text(encoding="utf-8"), "en"


@cache
def _sample_game(module: str) -> str:
    file = files(module).joinpath("sample_game.txt")
    return " ".join(file.read_text(encoding="utf-8").split()) if file.is_file() else ""


def _part(module: str, name: str) -> ModuleType | None:
    """A module in a game's folder; None if it doesn't exist or the game is a single file."""
    if not hasattr(sys.modules[module], "__path__") or find_spec(f"{module}.{name}") is None:
        return None
    return importlib.import_module(f"{module}.{name}")


def _described(module: str) -> Description:
    found: Description = importlib.import_module(module).GAME
    return found
