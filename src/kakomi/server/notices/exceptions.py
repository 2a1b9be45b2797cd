"""Why something could not be sent."""


class SendError(Exception):
    """It could not be sent now, and is tried again. The message says why, in a few words."""


class RejectedError(SendError):
    """It will never be taken, and is not tried again."""


class GoneError(RejectedError):
    """The endpoint is no more: it is switched off."""
