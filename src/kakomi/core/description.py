"""A game's description: all that differs between games and is no rule."""

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
from kakomi.core.example import Example, read_examples
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.known_results import (
    BlunderFigures,
    FairKomi,
    KomiTable,
    OpeningFigures,
    ReportFigures,
    SolvedBoard,
    read_blunders,
    read_komi,
    read_openings,
    read_report,
    read_solved,
)
from kakomi.core.level_config import DEFAULT_LEVELS, LevelConfig, SearchConfig
from kakomi.core.option import Option, Options
from kakomi.draw import Style

IN_FOLDER: Any = object()
"""For a part of a game: the module of that name in the game's folder, None if there is no such file."""

WHOLE_CLASS = "standard"
"""The class of all boards of a game that doesn't rate its sizes apart."""


@dataclass(frozen=True, eq=False)
class Description:
    """What a game's `__init__.py` binds to the name `GAME`.

    The game's parts are found in its folder by the names of their files. Raises ValueError for a game without
    rules or without explanations, and for two options of one name.
    """

    module: str
    """The module that holds the description: `__name__`."""
    name: str
    title: str
    author: str
    year: str
    summary: str
    """One sentence for people who choose a game."""
    credit: str
    """What the author's document asks to be said."""
    options: Sequence[Option]
    """An option `players` says how many play, if it isn't as many as have names."""
    geometry: Callable[[Options], Geometry]
    rules: ModuleType = IN_FOLDER
    """Functions of `kakomi.kernel.contract`, and `BOARD`, `STATE`, `SCRATCH` and `IDENTITY`. If the board
    holds more than the counts that every board does, `build_board(board, geometry, options)` writes it."""
    explain: ModuleType = IN_FOLDER
    """`why_illegal(position, action)`, `expects(position)`, `overlays(position)`, `account(position)`;
    if it has more to say to people who learn the game, `guide(position)` is a `Guidance` while it runs."""
    validation: ModuleType | None = IN_FOLDER
    """`validate_state(game, state)`: why the rules can't go on from a state whose identity fields are filled
    in, in a few words, or None if they can. It is asked about states that don't come from play; stones and
    the player to act are players of the game. None: any number may stand in any field."""
    policy: ModuleType | None = IN_FOLDER
    """Advice to a search: functions of the second part of `kakomi.kernel.contract`, compiled like rules."""
    observation: ModuleType | None = IN_FOLDER
    """What a learner sees: `observe` of the contract, and `PLANES`, the names of the planes that it writes
    behind those of the stones and of the player to act; None: those are all there is to know. For networks
    and patterns alone `mark_features`, and `FEATURES`, what these are. Each of the two may be left out."""
    solving: ModuleType | None = IN_FOLDER
    """Short cuts for a solver: functions of the fourth part of `kakomi.kernel.contract`, and `NUMBERS`, how
    many of the lowest bits of each of its `numbers` tell values apart (0: as many as it takes to count the
    board's points). Values depend on nothing but pieces and numbers, and the latter on no side of the board.
    `pieces(board, point)` says how many pieces are told apart at a point. A module with a `STATE` of its own
    holds other rules, for games of which `replaces_rules(game)` is true: `adopt(position)` is their state (a
    one-element array) for a position, helper fields left to `restore`."""
    actions: Sequence[ActionKind] | Callable[[Geometry, Options], Sequence[Action]] = ("place",)
    """The kinds of actions in the order of their numbers, as `kakomi.core.action.list_actions` has it, or all
    actions in that order."""
    search_config: SearchConfig = field(default_factory=SearchConfig)
    """What a search sets for this game."""
    levels: Sequence[LevelConfig] = DEFAULT_LEVELS
    """What each level is worth, weakest first: ten, and more where a game has patterns (docs/levels.md)."""
    player_names: tuple[str, ...] = (_("Black"), _("White"))
    dots_for_newcomers: bool = False
    """Whether people who are new to the game see a dot wherever one can play: in games whose rules close
    many empty points."""
    style: Style = field(default_factory=Style)
    """How it is drawn. If each player has several kinds of pieces, the style's `kinds` are their names, the
    plainest first; a board then has a field `kinds` with their number, and `stones` hold what it says in
    `kakomi.kernel.contract`."""
    max_game_length: Callable[[Geometry, Options], int] | None = None
    """The most actions that a game can have; None: nobody knows."""
    is_endless: bool = False
    """Whether the rules let a game go on for longer all the same; then searches, matches and environments
    cut it off there and count the points (RULES N12)."""
    quick: Options = field(default_factory=dict)
    """Options of a board for short games and tests."""
    ladder: Options = field(default_factory=dict)
    """Options of the board on which the levels were measured, where the one for short games is too small."""
    sgf_number: int = 0
    """GM of SGF's list of games; 0: SGF has no number for it, and its records use the game's name."""
    komi_option: str = ""
    """The option that players negotiate before the game (RULES L5)."""
    is_symmetric: bool = True
    """Whether the board's rotations and reflections are the game's too: play commutes with them."""
    players_are_alike: Callable[[Options], bool] = lambda options: True
    """Whether the rules treat all players alike from any position on, so that any of them can take the part
    of another: play commutes with it, and scores and returns go along."""
    player_fields: Sequence[str] = ()
    """The identity fields beside `to_move` that hold something of each player, in the players' order."""
    has_draws: bool = True
    """Whether the rules let a game end level: only then may players agree on a draw."""
    size_classes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Values of the option `size` whose games are rated apart, by the class's name; boards of other sizes are
    not rated. Empty: all boards are one class."""
    match_games: int = 1
    """How many games the author recommends for a match, first player changing (RULES N11)."""

    def __post_init__(self) -> None:
        for part in fields(self):
            if getattr(self, part.name) is IN_FOLDER:
                object.__setattr__(self, part.name, _part(self.module, part.name))
        if self.rules is None or self.explain is None:
            raise ValueError(f"{self.name} has no {'explain' if self.rules else 'rules'}.py in its folder")
        names = [option.name for option in self.options]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"{self.name} has two options called {repeated[0]!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _described, (self.module,)

    @property
    def komi(self) -> Option:
        """The option that players negotiate. Raises ValueError for a game that has none."""
        for option in self.options:
            if option.name == self.komi_option:
                return option
        raise ValueError(f"{self.name} has no komi")

    def size_class(self, options: Options) -> str | None:
        """The class in which games with these options are rated; None if they are not."""
        if not self.size_classes:
            return WHOLE_CLASS
        size = options.get("size")
        return next((name for name, sizes in self.size_classes.items() if size in sizes), None)

    @property
    def ladder_options(self) -> Options:
        """Options of the board on which the levels were measured."""
        return self.ladder or self.quick

    def file(self, name: str) -> Path | None:
        """A file of the game's folder; None if there is none of that name."""
        found = Path(str(files(self.module).joinpath(name)))
        return found if found.is_file() else None

    @property
    def examples(self) -> tuple[Example, ...]:
        """Positions in the rules for players, in which the reader makes the move: those of the file
        `examples.toml` beside `rules.md`."""
        return read_examples(self.module)

    @property
    def exercises(self) -> tuple[Example, ...]:
        """Positions with a question that has one answer, each with a claim that can be proved: those of the
        file `exercises.toml` beside `rules.md`, from easy to hard."""
        return read_examples(self.module, "exercises.toml")

    @property
    def solved(self) -> tuple[SolvedBoard, ...]:
        """Boards whose value is known exactly: those of the file `solved.toml` beside `rules.md`."""
        return read_solved(self.module)

    @property
    def fair_komis(self) -> KomiTable:
        """What is known of the fair komi: what the file `komi.toml` beside `rules.md` holds."""
        return read_komi(self.module)

    @property
    def report(self) -> ReportFigures | None:
        """What a report found: what the file `report.json` beside `rules.md` holds; None without one."""
        return read_report(self.module)

    @property
    def blunders(self) -> BlunderFigures | None:
        """How often levels throw away exact results: what the file `blunders.json` beside `rules.md` holds;
        None without one."""
        return read_blunders(self.module)

    @property
    def openings(self) -> OpeningFigures | None:
        """How levels begin: what the file `openings.json` beside `rules.md` holds; None without one."""
        return read_openings(self.module)

    def fair_komi(self, options: Options) -> FairKomi | None:
        """What is known of the fair komi of a board, whatever its komi is now; None if nothing is."""
        return self.fair_komis.known(self.without_komi(options))

    def without_komi(self, options: Options) -> Options:
        """All options but the komi, if there is one."""
        return {name: value for name, value in options.items() if name != self.komi_option}

    @property
    def sample_game(self) -> str:
        """A game up to its middle, as actions with spaces between them, with the first preset of every option
        that has any; pictures show it. It is the file `sample_game.txt` beside `rules.md`; "" without one."""
        return _sample_game(self.module)

    @property
    def rules_text(self) -> str:
        """The rules for players, as Markdown, in English."""
        return self.rules_in("en")[0]

    def rules_in(self, language: str) -> tuple[str, str]:
        """The rules for players in a language such as "de" if they were translated, else in English;
        and the language that they are in.

        A translation is a file beside `rules.md`: `rules.de.md`.
        """
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
    """A module in a game's folder, None if it isn't there or the game is a single file."""
    if not hasattr(sys.modules[module], "__path__") or find_spec(f"{module}.{name}") is None:
        return None
    return importlib.import_module(f"{module}.{name}")


def _described(module: str) -> Description:
    found: Description = importlib.import_module(module).GAME
    return found
