"""What keeps strangers from doing harm: headers, and limits on the size and rate of what they send.

`headers` adds to every answer; `gate` stands before Django and turns away what is too large, too much or
malformed, before any of it is read; docs/security.md says what is defended and how.
"""
