"""Reading a mail: bytes to an `IncomingMail`."""

from kakomi.protocol.mail.incoming import IncomingMail

MOST_BYTES = 1 << 20
"""What is read of a mail; the rest is left out."""
OWN_MARK = "X-Kakomi-Mail"
"""The header that every mail of a site of ours carries, with any value: such a mail is never answered."""


def read_mail(data: bytes) -> IncomingMail:
    """A mail as it came. Never raises, whatever the bytes are, and takes time in proportion to their number."""
    raise NotImplementedError
