"""The optional dependencies of Kakomi, and hints to install missing ones."""

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec

EXTRAS = {
    "site": (
        "allauth",
        "asgiref",
        "cachetools",
        "confusable_homoglyphs",
        "dj_database_url",
        "django",
        "django_htmx",
        "fido2",
        "httptools",
        "icalendar",
        "markdown_it",
        "ninja",
        "prometheus_client",
        "pythonjsonlogger",
        "rustworkx",
        "segno",
        "tzdata",
        "uvicorn",
        "uvloop",
        "whitenoise",
    ),
    "services": ("psycopg", "redis"),
    "mail": ("aiosmtpd",),
    "push": ("http_ece", "py_vapid"),
    "images": ("font_source_serif_pro", "PIL", "resvg_py"),
    "plots": ("uniplot",),
    "study": ("choix",),
    "nets": ("onnx", "onnxruntime"),
    "learn": ("torch",),
    "research": ("gymnasium", "pettingzoo", "pyspiel", "shimmy"),
    "ray": ("ray",),
}
"""Extra -> the top-level modules that it installs (pyproject.toml)."""


def install_hint(error: ImportError) -> str | None:
    """Return one line on the extra that installs the missing module; None if no extra does."""
    module = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if module in modules:
            return f"{module} is not installed: {_command(extra)}"
    return None


@contextlib.contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Add an install hint to a ModuleNotFoundError of imports within a `with` block."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "kakomi":
            raise
        message = f"{error.name} is not installed: {_command(extra)}"
        raise ModuleNotFoundError(message, name=error.name) from None


def is_installed(extra: str) -> bool:
    """Whether all modules of an extra are installed."""
    return all(_is_there(module) for module in EXTRAS[extra])


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # the import is blocked: `sys.modules` has None for it
        return False


def _command(extra: str) -> str:
    return f"pip install 'kakomi[{extra}]', or in a checkout pip install '.[{extra}]'"
