"""Why something was not done at a table."""

from collections.abc import Mapping

from kakomi.core.i18n import lazy_message
from kakomi.server.exceptions import Conflict
from kakomi.session import Refused


class Stale(Conflict):
    """Somebody acted on a table as they saw it, and meanwhile something else happened there."""

    def __init__(self) -> None:
        super().__init__(lazy_message("the game has gone on meanwhile: look again, then act"))


class InvalidTableRequest(Refused):
    """A table that cannot be opened like this: by field, what was wrong and what would be right."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)
