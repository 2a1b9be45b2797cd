"""Examples of Lin's rules, in which the reader makes the move."""

from kakomi.core.example import Example, Step
from kakomi.core.i18n import gettext_noop as _

BLACK, WHITE = 0, 1

EXAMPLES = (
    Example(
        name="last-line",
        title=_("Spoil the last line"),
        options={"size": 9},
        stones=("a7 b7 c1 c2 c3 c4 c5 c6 b3", "a2 b5 f4 g6 f7 e2"),
        steps=(
            Step(
                task=_(
                    "White's domain in the lower left corner lives by one line of six: a1 to a6. "
                    "Black to play: kill it."
                ),
                solution="a4",
                becomes={"a2": None, "b5": None},
                told=_(
                    "No six points side by side are left there without a black stone. "
                    "The domain is dead, and both white stones in it are taken off."
                ),
                misses={
                    "": _(
                        "That is allowed, but the line a1 to a6 is still there, and the domain lives by it."
                    )
                },
            ),
        ),
    ),
    Example(
        name="cut",
        title=_("Cut off from every line"),
        options={"size": 9},
        stones=("f8 f9 g7 h7 d3 c6 e5", "g9 h8 g4 f2 h3 d8"),
        overlays=("territory",),
        steps=(
            Step(
                task=_(
                    "White's two stones in the upper right corner belong to a large domain. "
                    "Black to play: cut them off from it."
                ),
                solution="i7",
                becomes={"g9": None, "h8": None},
                told=_(
                    "The corner is a small domain by itself now, and has no room for a line of six. "
                    "So the white stones are taken off, and the corner is Black's territory."
                ),
                misses={
                    "": _(
                        "That is allowed, but the corner is still connected to the rest of White's domain, "
                        "where there are lines of six."
                    )
                },
            ),
            Step(
                task=_(
                    "Now White. See what happens if you put a stone into the corner; "
                    "then play on any point where White still lives."
                ),
                solution="e7",
                to_move=BLACK,
                told=_(
                    "A stone goes on a point of a living domain of your own, and nowhere else. "
                    "The corner is closed to White."
                ),
            ),
        ),
    ),
    Example(
        name="turning",
        title=_("Territory that changes hands"),
        options={"size": 9},
        stones=("a7 b7 c1 c2 c3 c4 c5 c6 b3", "a3 b1 b2 f4 g6 f7 e2"),
        overlays=("territory",),
        steps=(
            Step(
                task=_(
                    "White's stones have made a1 and a2 White's territory. Black to play: make them Black's."
                ),
                solution="a4",
                becomes={"a3": None, "b1": None, "b2": None},
                told=_(
                    "White's last line there, a1 to a6, is gone. With the domain dies all that was in it, "
                    "and even the points that were White's alone are Black's now."
                ),
                misses={"": _("That is allowed, but White still has the line from a1 to a6 there.")},
            ),
        ),
    ),
    Example(
        name="ending",
        title=_("The end, and komi"),
        options={"size": 5, "komi": 2},
        stones=("b1 b2 b3 b4 b5 a3 c1 c3", "d1 d2 d3 d4 d5 e3 c2 c4"),
        overlays=("contested",),
        steps=(
            Step(
                task=_(
                    "On this small board a line of four is enough. "
                    "One point is still contested. Black to play: end the game."
                ),
                solution="c5",
                is_last=True,
                scores=(13, 14),
                told=_(
                    "No point is in living domains of both any more. Black has 13 points and White 12, but "
                    "the komi of 2 makes that 14: White wins. With an even komi there is never a draw."
                ),
                misses={
                    "": _(
                        "That is allowed, but that point was Black's already, and so it changes nothing. "
                        "c5 is still contested."
                    )
                },
            ),
        ),
    ),
)
