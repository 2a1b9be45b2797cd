"""Play by mail: the same tables, seeks and settings as through pages and the API.

An incoming mail is stored as a row (`inbox.py`) before it is acknowledged. A periodic job claims and
parses it (`protocol.mail`), determines its sender's permissions (`authority.py`), and does each command in a
transaction that records it as done (`mail_handler.py`). The answer goes through the outbox.
"""
