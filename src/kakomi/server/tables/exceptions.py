"""Why something was not done at a table."""

from collections.abc import Mapping

from kakomi.core.i18n import lazy_message
from kakomi.server.exceptions import Conflict
from kakomi.session import Refused


class Stale(Conflict):
    """The table has changed since the sender saw it."""

    def __init__(self) -> None:
        super().__init__(lazy_message("the game has gone on meanwhile: look again, then act"))


class InvalidTableRequest(Refused):
    """A request for a table that can't be opened: the errors by field."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)
