"""Examples of Rive's rules, in which the reader makes the move."""

from kakomi.core.example import Example, Step
from kakomi.core.i18n import gettext_noop as _

BLACK, WHITE = 0, 1

EXAMPLES = (
    Example(
        name="apart",
        title=_("Keep apart"),
        options={"size": 3},
        stones=("d2 d4", "a1 b3"),
        steps=(
            Step(
                task=_("Black to play. Only one cell has no stone beside it: find it."),
                solution="c1",
                becomes={"c1": BLACK},
                told=_("While there are cells with no stone beside them, you must play on one of those."),
            ),
        ),
    ),
    Example(
        name="smallest",
        title=_("The smallest group"),
        options={"size": 3},
        stones=("a3 c4 d1", "a1 b1 d3"),
        overlays=("groups",),
        steps=(
            Step(
                task=_(
                    "The numbers are the sizes of the groups. Every empty cell has stones beside it now. "
                    "Black to play: find the only cell that touches no group larger than a single stone."
                ),
                solution="e1",
                becomes={"e1": BLACK},
                told=_(
                    "Everywhere else the largest group beside the cell has two stones, and 1 is less than 2. "
                    "Colours don't matter: c4 and d3 are one group."
                ),
            ),
        ),
    ),
    Example(
        name="capture",
        title=_("Join and remove"),
        options={"size": 3},
        stones=("b3 c3 c5 d1", "a1 c1 d3"),
        overlays=("groups",),
        steps=(
            Step(
                task=_(
                    "Black to play: join the single white stone on a1 to the group of two, c1 and d1. "
                    "Then remove White's stone a1."
                ),
                solution="b1 xa1",
                becomes={"a1": None, "b1": BLACK},
                told=_(
                    "The stone joined groups of 1 and 2, so the group of four had to shrink to 3, one more "
                    "than the larger of the two. a1 or d1 could go. Without c1 the group would "
                    "fall apart, and b1 has only just joined it."
                ),
                misses={
                    "xd1": _("That is allowed: stones of either colour may go. But this one was your own."),
                    "": _("That is allowed, but it joins nothing, so nothing is removed."),
                },
            ),
            Step(
                task=_("It is still Black's turn, for the capture. Put a stone that captures nothing."),
                solution="a3",
                to_move=WHITE,
                told=_("With the first stone that captures nothing the turn is over."),
                misses={
                    "": _(
                        "That is allowed, but it joins groups again: another capture, "
                        "and after it you would have to place once more."
                    )
                },
            ),
        ),
    ),
    Example(
        name="quiet",
        title=_("Nobody has to capture"),
        options={"size": 3},
        stones=("c5 e3", "b2 b3 d1 e1"),
        overlays=("groups",),
        steps=(
            Step(
                task=_("Two cells are open to Black. Play on the one that captures nothing."),
                solution="d3",
                becomes={"d3": BLACK},
                to_move=WHITE,
                told=_(
                    "d3 touches only the single stone on e3; d4 would have joined it with c5. "
                    "You may choose as long as both are legal."
                ),
                misses={"d4": _("That is allowed, but it joins two single stones: a capture.")},
            ),
        ),
    ),
    Example(
        name="three",
        title=_("Join three groups"),
        options={"size": 3},
        stones=("a2 b2 c4", "b4 c1 d2 d4 e2"),
        overlays=("groups",),
        steps=(
            Step(
                task=_(
                    "Black to play: join three groups with one stone, "
                    "and remove all white stones from the group that this makes."
                ),
                solution="c2 xc1 xe2 xd2",
                becomes={"c1": None, "d2": None, "e2": None},
                told=_(
                    "Groups of 1, 2 and 2 became one of six, which had to shrink to 3. "
                    "d2 could not go before e2: the group hangs together after each removal."
                ),
                misses={"": _("That is allowed, but now the three white stones can't all be removed.")},
            ),
        ),
    ),
)
