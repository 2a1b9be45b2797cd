"""Protection from strangers: headers, and limits on the size and rate of requests.

`headers` adds to every answer; `gate` stands before Django and turns away what is too large, too much or
malformed, before any of it is read; docs/security.md says what is defended and how.
"""
