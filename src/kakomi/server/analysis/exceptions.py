"""Why something was not done on an analysis board."""

from typing import TYPE_CHECKING

from kakomi.core.i18n import lazy_message
from kakomi.server.exceptions import Conflict
from kakomi.session import Refused

if TYPE_CHECKING:
    from kakomi.server.tables.models import Table


class Stale(Conflict):
    """Somebody edited a study as they saw it, and meanwhile it was edited elsewhere."""

    def __init__(self) -> None:
        super().__init__(
            lazy_message("the study was changed in another window meanwhile: look again, then go on")
        )


class GameStillRunning(Exception):  # noqa: N818 (it says why there is nothing to see)
    """A game is running between people, and one of them wants it analysed."""

    def __init__(self, table: "Table") -> None:
        super().__init__("while a game between people is running, its players can't analyse it")
        self.table = table


def check_length(what: str, count: int, most: int) -> None:
    """Raises Refused for more of something than there may be."""
    if count > most:
        raise Refused(
            lazy_message(
                "at most {most:,} {what} are possible; here are {count:,}", what=what, most=most, count=count
            )
        )
