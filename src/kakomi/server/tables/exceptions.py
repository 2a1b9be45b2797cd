"""What is wrong with a form."""

from collections.abc import Mapping

from kakomi.session import Refused


class InvalidTableRequest(Refused):
    """Something in a form can't be granted: by field, what was wrong and what would be right."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)
