"""Mail in and out: one more door to the same tables, seeks and settings as pages and the API.

A mail that comes in is a row first (`inbox.py`), and is acknowledged only then. A periodic job claims it,
reads it (`protocol.mail`), finds out by whose right it speaks (`authority.py`), and does what it says,
command by command, each in the transaction that notes that it is done (`handling.py`). The answer goes by the
outbox.
"""
