"""What to install where a library of an extra is missing."""

EXTRAS = {
    "site": (
        "asgiref",
        "dj_database_url",
        "django",
        "django_htmx",
        "markdown_it",
        "ninja",
        "uvicorn",
        "whitenoise",
    ),
    "services": ("psycopg", "redis"),
    "images": ("font_source_serif_pro", "PIL", "resvg_py"),
    "plots": ("uniplot",),
    "study": ("choix",),
    "research": ("gymnasium", "pettingzoo", "pyspiel", "shimmy"),
}
"""Extra -> the top-level modules that it brings (pyproject.toml)."""


def install_hint(error: ImportError) -> str | None:
    """One line on the extra that brings the missing module. None if no extra does."""
    module = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if module in modules:
            return f"{module} is not installed: pip install 'kakomi[{extra}]' (in a checkout, '.[{extra}]')"
    return None
