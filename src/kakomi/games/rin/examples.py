"""Examples of Rin's rules, in which the reader makes the move."""

from kakomi.core.example import Example, Step
from kakomi.core.i18n import gettext_noop as _

BLACK, WHITE = 0, 1

_CORNER = ("1,2 2,1", "0,0 0,1 1,0 2,0 2,2 3,1")
"""The corner of figures 2 to 4 of the game's document."""

EXAMPLES = (
    Example(
        name="ring",
        title=_("Close a ring"),
        options={"size": 6},
        stones=("1,2 2,1 2,3 4,4", "2,2 1,4 4,1"),
        fields={"left_in_turn": 1},
        steps=(
            Step(
                task=_("Black has one stone left in this turn. Kill the white stone on 2,2."),
                solution="3,2",
                becomes={"2,2": BLACK},
                told=_(
                    "The white stone had no way to the edge left. It is killed, and its point gets a black "
                    "stone at once. The four stones of the ring are joined only diagonally; that is enough."
                ),
                misses={
                    "": _("That is allowed, but 2,2 still has a way out to the edge, over the point 3,2.")
                },
            ),
        ),
    ),
    Example(
        name="two-rings",
        title=_("Two rings at once"),
        options={"size": 6},
        stones=("1,1 3,1 2,0 1,3 3,3 2,4", "2,1 0,4 4,2"),
        fields={"left_in_turn": 1},
        steps=(
            Step(
                task=_("Black has one stone left. Gain three stones with it."),
                solution="2,2",
                becomes={"2,1": BLACK, "2,2": BLACK, "2,3": BLACK},
                told=_(
                    "One stone closed two rings. The left one held a white stone; the right one held "
                    "nothing but the empty point 2,3, and that is filled just the same."
                ),
                misses={
                    "2,3": _(
                        "That is allowed, but it closes no ring, and it puts your stone where a ring would "
                        "have given you one for nothing."
                    ),
                    "": _("That is allowed, but it closes no ring: look for the point that two rings share."),
                },
            ),
        ),
    ),
    Example(
        name="corner-black",
        title=_("Two stones, Black"),
        options={"size": 6},
        stones=_CORNER,
        fields={"left_in_turn": 2},
        steps=(
            Step(
                task=_("Black puts two stones. Kill the white stone on 2,2."),
                solution="2,3 3,2",
                becomes={"2,2": BLACK},
                told=_(
                    "The ring is closed by the second stone: 1,2 2,1 2,3 and 3,2. The order of the two "
                    "stones makes no difference here."
                ),
                misses={"": _("That is allowed, but now 2,2 can't be enclosed in this turn any more.")},
            ),
        ),
    ),
    Example(
        name="corner-white",
        title=_("Two stones, White"),
        options={"size": 6},
        stones=_CORNER,
        to_move=WHITE,
        fields={"left_in_turn": 2},
        steps=(
            Step(
                task=_(
                    "The same corner, but White puts two stones. Take both black stones, "
                    "and the empty point beside them."
                ),
                solution="0,2 1,3",
                becomes={"1,1": WHITE, "1,2": WHITE, "2,1": WHITE},
                told=_(
                    "A large ring of seven stones: 0,1 0,2 1,3 2,2 3,1 2,0 and 1,0. All that is inside "
                    "is White's now: the two killed stones' points and the empty point 1,1."
                ),
                misses={"": _("That is allowed, but now the ring can't be closed in this turn any more.")},
            ),
        ),
    ),
    Example(
        name="edge",
        title=_("The edge is never inside"),
        options={"size": 6},
        stones=("0,1 1,0 3,3", "4,1 2,4"),
        to_move=WHITE,
        fields={"left_in_turn": 1},
        overlays=("immune",),
        steps=(
            Step(
                task=_("Black has walled off the corner. White has one stone left: put it on 0,0."),
                solution="0,0",
                becomes={"0,0": WHITE},
                marked={"immune": "0,0"},
                told=_(
                    "It stays. The corner is part of the safe zone, so it is never inside a ring, whoever "
                    "surrounds it. The stone has no empty point beside it and is immune all the same."
                ),
                misses={"": _("That is allowed. Now try the corner itself: 0,0.")},
            ),
        ),
    ),
    Example(
        name="immune",
        title=_("Make a stone immune"),
        options={"size": 6},
        stones=("1,2 2,3 3,2", "2,2 4,3"),
        to_move=WHITE,
        fields={"left_in_turn": 2},
        overlays=("immune",),
        steps=(
            Step(
                task=_("Black threatens to enclose 2,2. White puts two stones: make 2,2 immune."),
                solution="2,1 2,0",
                marked={"immune": "2,2"},
                told=_(
                    "2,2 is linked to the edge by stones of its own colour alone. "
                    "Nobody can ever take one of these stones."
                ),
                misses={
                    "": _(
                        "That is allowed, but now 2,2 can't be linked to the edge in this turn any more: "
                        "that takes both stones."
                    )
                },
            ),
        ),
    ),
    Example(
        name="end",
        title=_("The last point"),
        options={"size": 4},
        stones=("0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1", "0,2 0,3 1,2 1,3 2,2 2,3 3,3"),
        fields={"left_in_turn": 2},
        steps=(
            Step(
                task=_("Black is to put two stones, but a single point is left."),
                solution="3,2",
                scores=(9, 7),
                is_last=True,
                told=_("The board is full, so the game ends in the middle of the turn: Black wins, 9 to 7."),
            ),
        ),
    ),
)
