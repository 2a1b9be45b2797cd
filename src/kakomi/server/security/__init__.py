"""Protection from abuse: security headers, and limits on the size and rate of requests.

`headers` adds headers to every response. `request_guard` runs before Django and refuses requests that are too
large, too frequent or malformed, before their bodies are read. docs/security.md describes all defences.
"""
