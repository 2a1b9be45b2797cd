"""The site: pages, boards that answer clicks, storage; a Django project in one folder.

`configuration` reads the environment, `settings` is Django's, `asgi` the application that a server runs.
Each folder is one noun: `guests` (who somebody is), `tables` (matches being played, and their log),
`live` (telling browsers that something happened), `thinking` (bots, outside of requests), `analysis` (games
with variations and win chances), `rulebook` (rules as pages with positions to try), `pages` (everything
that belongs to none of these), `api` (the same tables for programs), `security` (headers, limits,
refusals), `language` (sentences in the viewer's language), `backups` (the whole site as one file). What is
shown lies in `templates`, `static` and `locale`.
"""
