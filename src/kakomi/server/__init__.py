"""The site: pages, boards that answer clicks, storage; a Django project in one folder.

`configuration` reads the environment, `settings` is Django's, `asgi` the application that a server runs.
Apps: `accounts` (guests), `tables` (matches and their logs), `analysis` (games with variations and win
chances), `rulebook` (rules as pages with positions to try), `pages` (all other pages), `api` (the common
parts of the JSON API).

Shared packages: `boardview` (boards on pages), `realtime` (publish, subscribe, presence), `engines`
(processes that think), `operations` (background tasks, backups), `security` (headers, limits, refusals),
`language` (texts in the viewer's language). `templates`, `static` and `locale` hold what pages show.
"""
