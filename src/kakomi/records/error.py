"""The error for a file or a record that can't be used."""


class RecordError(ValueError):
    """A record that is malformed or illegal; the message is one line that names the place and the reason."""
