"""The error for a question that got no answer."""


class EnginePoolError(Exception):
    """No engine could answer: `reason` says why, in a sentence that can be translated."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
