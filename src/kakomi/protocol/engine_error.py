"""The error for an engine that can't go on."""


class EngineError(Exception):
    """Another program died, hung, answered nonsense or played an illegal action.

    `reason` says which, in a sentence whose subject, "it", is the engine.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
