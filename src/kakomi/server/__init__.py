"""The site: pages, boards that answer clicks, storage; a Django project in one folder.

`configuration` reads the environment, `settings` is Django's, `asgi` the application that a server runs.
Apps: `guests` (who somebody is), `tables` (matches being played, and their log), `analysis` (games with
variations and win chances), `rulebook` (rules as pages with positions to try), `pages` (everything that
belongs to none of these), `api` (the same tables for programs).
Shared packages: `realtime` (publish, subscribe, presence), `engines` (processes that think),
`operations` (background tasks, backups), `security` (headers, limits, refusals), `language` (sentences in
the viewer's language). What is shown lies in `templates`, `static` and `locale`.
"""
