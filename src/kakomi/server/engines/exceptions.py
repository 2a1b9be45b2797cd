"""Errors of engines. Every reason is a translatable sentence."""


class EnginePoolError(Exception):
    """No engine could answer: `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class EngineLostError(Exception):
    """An engine died, hangs or talks nonsense, in a sentence that begins with "an engine".

    It stays within the pool, which asks another engine.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
