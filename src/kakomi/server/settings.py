"""Django's settings, from the site's configuration."""

from pathlib import Path

import dj_database_url
from django.utils.translation import gettext_lazy as _

from kakomi.server.configuration import configuration
from kakomi.server.operations.logs import logging_config

_CONFIGURATION = configuration()
_HERE = Path(__file__).parent

SECRET_KEY = _CONFIGURATION.secret_key
DEBUG = False
ALLOWED_HOSTS = list(_CONFIGURATION.hosts)
ROOT_URLCONF = "kakomi.server.urls"
ASGI_APPLICATION = "kakomi.server.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "guests.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "kakomi.server.administration.apps.Administration",
    "django.contrib.staticfiles",
    "django_htmx",
    "kakomi.server.accounts",
    "kakomi.server.tables",
    "kakomi.server.analysis",
    "kakomi.server.rulebook",
]

MIDDLEWARE = [
    "kakomi.server.security.headers.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "kakomi.server.middleware.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "kakomi.server.middleware.vary_middleware",
    "kakomi.server.accounts.middleware.guest_middleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_HERE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {
                "site": "kakomi.server.template_tags",
                "rulebook": "kakomi.server.rulebook.template_tags",
            },
            "string_if_invalid": "",
        },
    },
]

DATABASES = {"default": dj_database_url.parse(_CONFIGURATION.database_url, conn_max_age=60)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Writers queue up for 20 s before one is refused; a commit is on disk before it is answered.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON",
    }

SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_COOKIE_AGE = 400 * 24 * 3600  # as long as browsers keep a cookie
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _CONFIGURATION.is_public
if _CONFIGURATION.is_public:  # no neighbouring host can set a cookie of such a name
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-session", "__Host-csrf"
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "kakomi.server.pages.errors.without_token"
CSRF_TRUSTED_ORIGINS = (
    [f"https://{host}" for host in _CONFIGURATION.hosts] if _CONFIGURATION.is_public else []
)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _CONFIGURATION.is_public else None

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_048_576  # a record of the longest game is a tenth of it
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

LOGGING = logging_config(_CONFIGURATION.log)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [_HERE / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATICFILES_DIRS = [_HERE / "static"]
WHITENOISE_ROOT = _HERE / "root_files"  # what programs ask for at fixed addresses
WHITENOISE_USE_FINDERS = True  # nothing has to be collected before the site starts
