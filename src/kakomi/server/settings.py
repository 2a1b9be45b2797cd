"""Django's settings, from the site's configuration."""

from pathlib import Path

import dj_database_url
from django.utils.translation import gettext_lazy as _

from kakomi.server.operations.logs import logging_config
from kakomi.server.security.headers import add_worker_policy
from kakomi.server.site.configuration import configuration

_CONFIGURATION = configuration()
_HERE = Path(__file__).parent

SECRET_KEY = _CONFIGURATION.secret_key
DEBUG = False
ALLOWED_HOSTS = list(_CONFIGURATION.hosts)
ROOT_URLCONF = "kakomi.server.urls"
ASGI_APPLICATION = "kakomi.server.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL, LOGIN_REDIRECT_URL = "account_login", "home"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "kakomi.server.accounts.apps.Administration",
    "django.contrib.staticfiles",
    "django_htmx",
    "kakomi.server.accounts.apps.Accounts",
    "kakomi.server.accounts.apps.SigningIn",
    "allauth.mfa",
    "kakomi.server.tables",
    "kakomi.server.plans",
    "kakomi.server.analysis",
    "kakomi.server.rules",
    "kakomi.server.ratings",
    "kakomi.server.puzzles",
    "kakomi.server.explorer",
    "kakomi.server.lobby",
    "kakomi.server.people",
    "kakomi.server.notices",
    "kakomi.server.mail",
    "kakomi.server.tournaments",
    "kakomi.server.chat",
    "kakomi.server.moderation",
]

MIDDLEWARE = [
    "kakomi.server.security.headers.HeadersMiddleware",
    "kakomi.server.site.middleware.Compression",
    "django.middleware.security.SecurityMiddleware",
    "kakomi.server.site.middleware.StaticFiles",
    "kakomi.server.site.middleware.api_middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "kakomi.server.site.middleware.vary_middleware",
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
                "site": "kakomi.server.boards.template_tags",
                "notices": "kakomi.server.notices.template_tags",
                "rules": "kakomi.server.rules.template_tags",
                "accounts": "kakomi.server.accounts.template_tags",
            },
            "string_if_invalid": "",
        },
    },
]

DATABASES = {
    "default": dj_database_url.parse(_CONFIGURATION.database_url, conn_max_age=60, conn_health_checks=True)
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Writers wait for up to 20 s; a commit is on disk before the response is sent.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON",
    }
else:  # don't wait for minutes for an unreachable server; its URL may override this
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5,
        "tcp_user_timeout": 15_000,
        **DATABASES["default"].get("OPTIONS", {}),
    }

SESSION_ENGINE = "kakomi.server.accounts.sessions"
SESSION_COOKIE_AGE = 400 * 24 * 3600  # as long as browsers keep a cookie
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _CONFIGURATION.is_public
if _CONFIGURATION.is_public:  # other hosts of the domain can't set cookies with such names
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-session", "__Host-csrf"
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "kakomi.server.site.errors.without_token"
CSRF_TRUSTED_ORIGINS = (
    [f"https://{host}" for host in _CONFIGURATION.hosts] if _CONFIGURATION.is_public else []
)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _CONFIGURATION.is_public else None

CACHES = {  # allauth counts failed sign-ins there
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
if _CONFIGURATION.redis_url:  # counts for all processes together
    CACHES["default"] = {
        "BACKEND": "kakomi.server.site.shared_cache.SharedCache",
        "LOCATION": _CONFIGURATION.redis_url,
        "KEY_PREFIX": "kakomi",
    }

# allauth handles signing up and in (docs/architecture.md). Addresses are confirmed only by links.
SITE_NAME = MFA_TOTP_ISSUER = _CONFIGURATION.site_name
DEFAULT_FROM_EMAIL = SERVER_EMAIL = _CONFIGURATION.mail_from
EMAIL_BACKEND = "kakomi.server.notices.mail.OutboxBackend"
ACCOUNT_ADAPTER = "kakomi.server.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "email"]
ACCOUNT_FORMS = {"signup": "kakomi.server.accounts.sign_in_forms.SignUpForm"}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # don't send mail to unknown addresses that somebody entered
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_BLACKLIST = ["admin", "administrator", "kakomi", "moderator", "root", "staff", "support"]
MFA_ADAPTER = "kakomi.server.accounts.adapters.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "add_webauthn": "kakomi.server.accounts.sign_in_forms.AddPasskeyForm",
    "edit_webauthn": "kakomi.server.accounts.sign_in_forms.RenamePasskeyForm",
    "authenticate_webauthn": "kakomi.server.accounts.sign_in_forms.SecondStepPasskeyForm",
    "login_webauthn": "kakomi.server.accounts.sign_in_forms.SignInPasskeyForm",
    "reauthenticate_webauthn": "kakomi.server.accounts.sign_in_forms.AgainPasskeyForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses are optional, and unconfirmed ones prove nothing
MFA_TOTP_TOLERANCE = 1  # the clocks of phones may be off
MFA_WEBAUTHN_USER_VERIFICATION = "preferred"

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_048_576  # the record of the longest game has a tenth of it
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

LOGGING = logging_config(_CONFIGURATION.log)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [_HERE / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATICFILES_DIRS = [_HERE / "static", ("engine", _HERE.parent / "web" / "built")]
WHITENOISE_ROOT = _HERE / "root_files"  # files at fixed URLs
WHITENOISE_ADD_HEADERS_FUNCTION = add_worker_policy
WHITENOISE_USE_FINDERS = True  # so that `collectstatic` isn't needed
