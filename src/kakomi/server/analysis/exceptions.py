"""Why something was not done on an analysis board."""

from kakomi.core.i18n import lazy_message
from kakomi.server.exceptions import Conflict
from kakomi.server.tables.models import Table


class Stale(Conflict):
    """Somebody edited a study as they saw it, and meanwhile it was edited elsewhere."""

    def __init__(self) -> None:
        super().__init__(
            lazy_message("the study was changed in another window meanwhile: look again, then go on")
        )


class GameStillRunning(Exception):  # noqa: N818 (it says why there is nothing to see)
    """A game is running between people, and one of them wants it analysed."""

    def __init__(self, table: Table) -> None:
        super().__init__("while a game between people is running, its players can't analyse it")
        self.table = table


class RenderUnavailable(Exception):  # noqa: N818 (it says what the queue is)
    """Too many wait, or the picture took too long or could not be made; the message says which."""
