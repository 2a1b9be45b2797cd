"""The site: a Django project in one package. docs/architecture.md describes its apps.

`settings` configures Django, `urls` and `api_v1` combine the apps' routes, `asgi` is the application, and
`running` starts it. Apps are in layers: a contract in `pyproject.toml` lists them, from `site`, which every
app may import, to `mail` and `tournaments`. `templates`, `static` and `locale` contain the files for pages.
"""
