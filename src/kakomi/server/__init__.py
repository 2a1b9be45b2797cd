"""The site: pages, boards that answer clicks, storage; a Django project in one folder.

`configuration` reads the environment, `settings` is Django's, `asgi` the application that a server runs.
Each folder is one noun: `guests` (who somebody is), `tables` (matches being played, and their log),
`live` (telling browsers that something happened), `thinking` (bots, outside of requests), `pages`
(everything that belongs to no table).
"""
