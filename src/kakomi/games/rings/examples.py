"""Examples of Rings' rules, in which the reader makes the move."""

from kakomi.core.example import Example, Step
from kakomi.core.i18n import gettext_noop as _

BLACK, WHITE = 0, 1

_END = _("That is allowed: nobody has to convert. But then the stones stay as they are.")

EXAMPLES = (
    Example(
        name="ring",
        title=_("Make a ring"),
        options={"size": 3},
        stones=("F5 G5 E6 F7 G7", "D4 H4 J7"),
        overlays=("rings",),
        steps=(
            Step(
                task=_("Black to play: make a ring in the middle of the board."),
                solution="H6",
                becomes={"H6": BLACK},
                marked={"rings": "FG6"},
                told=_("All six points of the circle FG6 are Black's. These stones are safe for good."),
                misses={"": _("That is allowed, but it doesn't complete the circle in the middle.")},
            ),
        ),
    ),
    Example(
        name="convert",
        title=_("Convert a circle"),
        options={"size": 3},
        stones=("F5 G5 E6", "H6 C3"),
        overlays=("majority",),
        steps=(
            Step(
                task=_(
                    "The circle in the middle has three black stones, a white one, and two empty points, "
                    "which help White. Black to play: put a stone, then convert the circle."
                ),
                solution="F7 xFG6",
                becomes={"H6": BLACK},
                told=_("With four stones against one and one empty point Black has the majority: 4 > 2."),
                misses={
                    "end": _END,
                    "": _(
                        "That is allowed, but without a fourth stone in the circle Black has no majority: "
                        "3 against one white stone and two empty points."
                    ),
                },
            ),
        ),
    ),
    Example(
        name="influence",
        title=_("A ring counts next door"),
        options={"size": 3},
        stones=("F1 G1 E2 H2 F3 G3", "H4 F5 G5"),
        overlays=("rings", "influences"),
        steps=(
            Step(
                task=_(
                    "The numbers are everybody's influence. Black has a ring at the top. "
                    "Black to play: win the circle FG4 below it."
                ),
                solution="E4 xFG4",
                becomes={"E4": BLACK, "H4": BLACK, "F5": BLACK, "G5": BLACK},
                marked={"rings": "FG4"},
                told=_(
                    "In FG4 Black had three stones, and the ring beside it counted for a fourth: 4 against "
                    "White's 3. Now FG4 is a ring itself."
                ),
                misses={
                    "": _(
                        "That is allowed, but Black needs E4: two stones and a ring are 3, "
                        "and that is not enough."
                    ),
                    "end": _END,
                },
            ),
        ),
    ),
    Example(
        name="chain",
        title=_("One conversion opens the next"),
        options={"size": 3},
        stones=("F1 G1 E2 H2 F3 G3 D4", "H4 F5 G5 C5 D6 E6 H6 J9"),
        overlays=("rings", "majority"),
        steps=(
            Step(
                task=_("Black to play: convert seven stones in one turn."),
                solution="E4 xFG4 xDE5 xFG6",
                becomes=dict.fromkeys(("H4", "F5", "G5", "C5", "D6", "E6", "H6"), BLACK),
                marked={"rings": "FG2 FG4 DE5"},
                told=_(
                    "FG4 became a ring. In DE5 that ring and three stones were 4 against 3, so DE5 became "
                    "one too. In FG6 two rings and three stones were 5 against 3. You may go on as long as "
                    "there is something to convert."
                ),
                misses={
                    "end": _END,
                    "": _("That is allowed, but it doesn't lead to all seven stones in this turn."),
                },
            ),
        ),
    ),
    Example(
        name="safe",
        title=_("Stones in rings are safe"),
        options={"size": 3},
        stones=("F1 G1 E2 H2 F3 G3 E4", "H4 I4 G5 J5 H6 I6 E6 F7 G7"),
        to_move=WHITE,
        overlays=("rings",),
        steps=(
            Step(
                task=_(
                    "Black has a ring at the top, White one at the right. White to play: make a second "
                    "ring, then convert the circle FG4, which both share."
                ),
                solution="F5 xFG4",
                becomes={"E4": WHITE, "F3": BLACK, "G3": BLACK},
                told=_(
                    "White's three stones and two rings were 5 against Black's three stones and one ring. "
                    "E4 is converted; F3 and G3 are in Black's ring and stay."
                ),
                misses={
                    "end": _END,
                    "": _("That is allowed, but without F5 White has no second ring and no majority."),
                },
            ),
        ),
    ),
    Example(
        name="pass",
        title=_("Pass, and convert all the same"),
        options={"size": 3},
        stones=("F5 G5 E6 F7", "H6 C3 J9"),
        to_move=WHITE,
        before="pass",
        overlays=("majority",),
        steps=(
            Step(
                task=_("White has passed. Black: pass too, but convert the circle FG6."),
                solution="pass xFG6",
                becomes={"H6": BLACK},
                scores=(1, 0),
                is_last=True,
                told=_(
                    "A turn without a stone is a pass, converted or not. Both have passed, so the game is "
                    "over: Black has the majority in one circle and wins."
                ),
                misses={
                    "": _("That is allowed, but a stone was put: that is no pass, and the game goes on.")
                },
            ),
        ),
    ),
)
