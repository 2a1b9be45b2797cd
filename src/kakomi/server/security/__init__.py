"""Protection from strangers: headers, and limits on the size and rate of requests.

`headers` adds to every response. `request_guard` stands before Django and refuses requests that are too
large, too many or malformed, before any of them is read. docs/security.md says what is defended and how.
"""
