"""Examples of Ren's rules, in which the reader makes the move."""

from kakomi.core.example import Example, Step
from kakomi.core.i18n import gettext_noop as _

BLACK, WHITE = 0, 1

_EXCHANGE = ("c4 c5 d5 e2 e3 e4", "e5 f5 g5 d2 d3")

EXAMPLES = (
    Example(
        name="row",
        title=_("Exactly four"),
        options={"size": 8},
        stones=("b4 c4 e4 f4 b7 c7 d7", "d2 f6 g3"),
        steps=(
            Step(
                task=_("Black to play: score a point."),
                solution="e7",
                scores=(1, 0),
                told=_("Four in a row, not more and not less: 1 point."),
                misses={
                    "d4": _(
                        "That is allowed, but it makes five in a row, and five score nothing, "
                        "though there is a four in them."
                    ),
                    "": _("That is allowed, but it completes no group."),
                },
            ),
        ),
    ),
    Example(
        name="several",
        title=_("Several groups with one stone"),
        options={"size": 8},
        stones=("d4 e4 d5 e5 d6 e6 d7", "c3 f6 f3 c7"),
        overlays=(),
        steps=(
            Step(
                task=_("Black to play: score 3 points with one stone."),
                solution="e7",
                scores=(3, 0),
                told=_(
                    "The column e4 to e7 scores 1, and the box of six from d5 to e7 scores 2. "
                    "Boxes of four that lie within a scoring box of six score nothing besides."
                ),
                misses={"": _("That is allowed, but it doesn't score 3.")},
            ),
        ),
    ),
    Example(
        name="middle",
        title=_("An eight completed in its middle"),
        options={"size": 8},
        stones=("c6 f3 g5 c3", "d7 e7 d6 d5 e5 d4 e4"),
        to_move=WHITE,
        steps=(
            Step(
                task=_("White to play: score 5 points with one stone."),
                solution="e6",
                scores=(0, 5),
                told=_(
                    "Two boxes of six hold the new stone, d4 to e6 and d5 to e7: 2 points each. "
                    "The column of four, e4 to e7, scores 1. A box of eight itself is no group."
                ),
                misses={"": _("That is allowed, but it doesn't score 5.")},
            ),
        ),
    ),
    Example(
        name="rui",
        title=_("An exchange of weak stones"),
        options={"size": 8},
        stones=_EXCHANGE,
        overlays=("rui",),
        steps=(
            Step(
                task=_("Black to play: complete a box of four."),
                solution="d4",
                scores=(1, 0),
                marked={"rui": "c4 c5 d5 e4"},
                told=_(
                    "1 point. Black's stones around d4 are weak now, and ringed: "
                    "White may replace one of them, in this very action only."
                ),
                misses={"": _("That is allowed, but it completes no box of four.")},
            ),
            Step(
                task=_("White to play: replace a weak stone and score."),
                solution="d5",
                scores=(1, 1),
                becomes={"d5": WHITE},
                marked={"rui": "e5"},
                told=_(
                    "White's stone takes the place of Black's and makes four in a row, d5 to g5. "
                    "Now White's stone beside it is weak."
                ),
                misses={"": _("That is allowed, but it isn't a replacement that scores.")},
            ),
            Step(
                task=_("Black to play: strike back."),
                solution="e5",
                scores=(2, 1),
                becomes={"e5": BLACK},
                told=_(
                    "The column e2 to e5 scores 1. That was the second replacement in succession; "
                    "a third one is allowed, and then somebody has to play on an empty square first."
                ),
                misses={"": _("That is allowed, but it isn't a replacement that scores.")},
            ),
        ),
    ),
    Example(
        name="limit",
        title=_("The rui limit"),
        options={"size": 8},
        stones=(f"{_EXCHANGE[0]} f8 g8 h8", _EXCHANGE[1]),
        before="d4 d5 e5 d4",
        steps=(
            Step(
                task=_(
                    "The exchange went on: White has just replaced d4, the third replacement in succession. "
                    "Black to play: try to replace d3 or d5; then score on an empty square."
                ),
                solution="e8",
                scores=(3, 2),
                told=_(
                    "Four in a row, 1 point. A stone on an empty square starts the count of replacements "
                    "afresh: White may replace weak stones again."
                ),
                misses={"": _("That is allowed, but it scores nothing.")},
            ),
        ),
    ),
    Example(
        name="capture",
        title=_("Capture a single stone"),
        options={"size": 8},
        stones=("d4 e1 b6 f6", "c4 e4 d5 c7 g5"),
        to_move=WHITE,
        overlays=("atari",),
        steps=(
            Step(
                task=_("The black stone on d4 is in atari. White to play: capture it."),
                solution="d3",
                becomes={"d4": None},
                told=_("All four sides of d4 were White's, so the stone leaves the board."),
                misses={"": _("That is allowed, but d3, the open side of d4, is still empty.")},
            ),
            Step(
                task=_("Black to play: put a stone back on d4, between the four white ones."),
                solution="d4",
                becomes={"d4": BLACK},
                told=_(
                    "It stays. You may put a stone where it is surrounded already; "
                    "only an enemy stone put on its last free side captures."
                ),
                misses={"": _("That is allowed. Now try d4.")},
            ),
        ),
    ),
    Example(
        name="no-capture",
        title=_("A replacement captures nothing"),
        options={"size": 5},
        stones=("a3 c3 b4", "a1 b1 b2 b3"),
        to_move=WHITE,
        before="a2",
        overlays=("rui",),
        steps=(
            Step(
                task=_(
                    "White has just scored a box with a2, and b2 is weak. "
                    "Black to play: replace b2, the last free side of b3."
                ),
                solution="b2",
                becomes={"b2": BLACK, "b3": WHITE},
                told=_(
                    "b3 has black stones on all four sides now, and stays: only a stone put on "
                    "an empty square captures."
                ),
                misses={"": _("That is allowed. Now try what a stone on b2 does.")},
            ),
        ),
    ),
    Example(
        name="nibai",
        title=_("Two stones at once: nibai"),
        options={"size": 8},
        stones=("b4 c4 d5 d3", "d4 e5 e3 f4"),
        overlays=("rui",),
        steps=(
            Step(
                task=_("Black to play: capture d4, and see what happens on its square."),
                solution="e4",
                becomes={"d4": BLACK, "e4": BLACK},
                scores=(1, 0),
                marked={"rui": "d3 d5"},
                told=_(
                    "With d4 gone, Black's stone on e4 would be in atari itself. So the emptied square gets "
                    "a black stone too, the niban. The row b4 to e4 scores 1. That makes d3 and d5 weak, "
                    "but not the niban."
                ),
                misses={"": _("That is allowed, but e4, the open side of d4, is still empty.")},
            ),
        ),
    ),
    Example(
        name="nine",
        title=_("A box of nine"),
        options={"size": 8},
        stones=("d4 e4 f4 d5 f5 d6 e6 f6", "c5 g5 e3 e7 c3 g7"),
        fields={"points": (6, 9)},
        steps=(
            Step(
                task=_("White leads by 9 points to 6. Black to play: win."),
                solution="e5",
                scores=(19, 6),
                is_last=True,
                told=_(
                    "A box of nine ends the game. Black was behind, so the scores are swapped first, 9 to 6, "
                    "and then Black gets 10 points: 19 to 6."
                ),
                misses={"": _("That is allowed, but it doesn't win.")},
            ),
        ),
    ),
)
