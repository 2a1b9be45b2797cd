"""Words for what an action costs."""

from enum import Enum


class Grade(Enum):
    """How bad an action was, by the win chance that it lost."""

    INACCURACY = 0.05
    MISTAKE = 0.10
    BLUNDER = 0.20

    @property
    def word(self) -> str:
        """What people read."""
        return self.name.lower()

    @property
    def sign(self) -> str:
        """As chess players annotate it."""
        return {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}[self]


def grade_of(loss: float) -> Grade | None:
    """The grade of an action that lost so much win chance; None if it was good enough."""
    reached = [grade for grade in Grade if loss >= grade.value]
    return reached[-1] if reached else None
