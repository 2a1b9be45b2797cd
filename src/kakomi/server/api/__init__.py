"""The site for programs: JSON under `/api/v1/` (docs/api.md is its contract).

`site` puts it together; `who` says for whom a request acts, `problems` how refusals are spelled, `schemas`
what goes in and out. What is done is done by `tables`, as for pages.
"""
