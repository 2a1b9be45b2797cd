"""The account as a user's own page shows it."""

import re
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils.translation import gettext

from kakomi.server.accounts.middleware import guest_before
from kakomi.server.accounts.models import Guest, SignIn, User
from kakomi.server.accounts.selectors import has_belongings

_BROWSERS = (
    ("Edge", r"\bEdg"),
    ("Opera", r"\bOPR/"),
    ("Samsung Internet", r"SamsungBrowser"),
    ("Firefox", r"Firefox/|FxiOS"),
    ("Chrome", r"Chrome/|CriOS|Chromium"),
    ("Safari", r"Safari/"),
)
"""Names and patterns of user agents. The first match counts, as most also mention Chrome and Safari."""
_SYSTEMS = (
    ("Android", r"Android"),
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Windows", r"Windows"),
    ("macOS", r"Mac OS X|Macintosh"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux"),
)


def browser_name(user_agent: str) -> str:
    """A readable name of a browser: "Firefox on Linux"."""
    browser = next((name for name, hint in _BROWSERS if re.search(hint, user_agent)), "")
    system = next((name for name, hint in _SYSTEMS if re.search(hint, user_agent)), "")
    if browser and system:
        return gettext("{browser} on {system}").format(browser=browser, system=system)
    return browser or system or gettext("A browser")


@dataclass(frozen=True)
class Browser:
    """A browser in which a user has signed in."""

    number: int
    """The primary key of its sign-in."""
    name: str
    started_at: datetime
    seen_at: datetime
    is_this: bool

    @staticmethod
    def of(sign_in: SignIn, here: SignIn | None) -> "Browser":
        """The browser of a sign-in; `here` is the sign-in of the request."""
        is_this = here is not None and here.pk == sign_in.pk
        name = browser_name(sign_in.user_agent)
        return Browser(sign_in.pk, name, sign_in.started_at, sign_in.seen_at, is_this)


@dataclass(frozen=True)
class Account:
    """Everything about signing in that a user can see and change."""

    user: User
    browsers: list[Browser]
    addresses: list[EmailAddress]
    passkeys: list[Authenticator]
    has_app: bool
    codes_left: int | None
    """None if there are no recovery codes."""
    before: Guest | None
    """The guest that this browser was before, if they have anything to take over."""

    @staticmethod
    def of(request: HttpRequest, user: User) -> "Account":
        """A user's account, seen from one of their browsers."""
        ways = list(Authenticator.objects.filter(user=user).order_by("pk"))
        codes = next((way for way in ways if way.type == "recovery_codes"), None)
        before = guest_before(request)
        here = request.session.sign_in  # type: ignore[attr-defined]  # is our SessionStore
        return Account(
            user=user,
            browsers=[Browser.of(row, here) for row in user.sign_ins.all()],
            addresses=list(EmailAddress.objects.filter(user=user).order_by("-primary", "email")),
            passkeys=[way for way in ways if way.type == "webauthn"],
            has_app=any(way.type == "totp" for way in ways),
            codes_left=len(codes.wrap().get_unused_codes()) if codes else None,
            before=before if before and has_belongings(before) else None,
        )

    @property
    def games_before(self) -> int:
        """The number of games of the guest that this browser was before."""
        return self.before.seats.filter(is_hidden=False).count() if self.before else 0

    @property
    def others(self) -> int:
        """The number of other browsers that are signed in."""
        return sum(not browser.is_this for browser in self.browsers)

    @property
    def has_second_step(self) -> bool:
        """Whether signing in requires more than a password."""
        return self.has_app or bool(self.passkeys)

    @property
    def can_reset(self) -> bool:
        """Whether a forgotten password can be replaced by mail."""
        return bool(self.addresses)
