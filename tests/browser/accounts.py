"""Signing up and in as people do, and a virtual authenticator for passkeys."""

import re
from typing import TYPE_CHECKING

from browser.visitor import Visitor, expect
from server.mail_sink import Sink, plain

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSWORD = "boards of many stones"
_DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Device:
    """The visitor's authenticator, which confirms every request."""

    def __init__(self, visitor: Visitor, *, offers: bool = False) -> None:
        """With `offers`, passkeys are also offered in the name field, and one is used immediately."""
        tools = visitor.context.new_cdp_session(visitor.page)
        tools.send("WebAuthn.enable")
        tools.send("WebAuthn.addVirtualAuthenticator", {"options": _DEVICE})
        if not offers:
            visitor.page.add_init_script(
                "PublicKeyCredential.isConditionalMediationAvailable = async () => false"
            )


def press(page: "Page", name: str) -> None:
    """Press a button in the page's main content."""
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def sign_up(visitor: Visitor, username: str, address: str = "") -> None:
    """Make an account with a password and, if given, a mail address."""
    page = visitor.page
    page.goto("/account/sign-up")
    page.fill("[name=username]", username)
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=email]", address)
    press(page, "Sign up")
    expect(page.get_by_text(f"You’re signed in as {username}.")).to_be_visible()


def sign_up_with_address(visitor: Visitor, username: str, sink: Sink) -> None:
    """Sign up, and confirm a mail address by the link in the first mail."""
    address = f"{username}@example.org"
    sign_up(visitor, username, address)
    (mail,) = sink.await_mails(1)
    link = re.search(r"http://\S+", plain(mail))
    assert link
    visitor.page.goto(link[0])
    press(visitor.page, "Confirm")
    expect(visitor.page.get_by_text(f"{address} confirmed.")).to_be_visible()


def sign_out(visitor: Visitor) -> None:
    """Sign out of this browser."""
    visitor.page.goto("/me")
    press(visitor.page, "Sign out")
    expect(visitor.page.get_by_role("link", name="Sign in")).to_be_visible()
