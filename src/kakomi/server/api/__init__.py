"""What the apps' parts of the JSON API have in common: how refusals are spelled, and base schemas.

Each app has its operations in its own `api` module; `server/api_v1.py` puts them together under `/api/v1/`
(docs/api.md is the contract). Operations call the services that pages call.
"""
