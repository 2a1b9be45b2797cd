"""Signing up and in with a real browser; Chromium's virtual authenticator holds the passkeys."""

import re
from uuid import uuid4

import pytest

from browser.accounts import PASSWORD, Device, press, sign_out, sign_up
from browser.conftest import Invite
from browser.opening import begin
from browser.visitor import Visitor, expect


@pytest.fixture
def username() -> str:
    """A unique name, since all tests share the site."""
    return f"ada-{uuid4().hex[:8]}"


def test_a_guest_signs_up_and_comes_back_by_a_passkey(visitor: Visitor, username: str) -> None:
    page, _ = visitor.page, Device(visitor)
    table = begin(visitor, "ren", 4)
    sign_up(visitor, username)
    page.get_by_role("link", name="Add a passkey").click()
    page.fill("[name=name]", "This device")
    press(page, "Create passkey")
    expect(page.locator(".recovery-codes code")).to_have_count(10)
    code = page.locator(".recovery-codes code").first.inner_text()
    sign_out(visitor)

    page.goto("/account/sign-in")
    press(page, "Sign in with a passkey")
    expect(page.get_by_role("button", name=username)).to_be_visible()
    page.goto("/me")
    expect(page.get_by_text("This device")).to_be_visible()
    page.goto("/")
    expect(page.locator(f"a[href='{re.sub('^https?://[^/]+', '', table)}']").first).to_be_visible()

    sign_out(visitor)
    page.goto("/account/sign-in")
    page.fill("[name=login]", username)
    page.fill("[name=password]", PASSWORD)
    press(page, "Sign in")
    expect(page.get_by_role("heading", name="Two-factor sign-in")).to_be_visible()
    page.fill("[name=code]", code)
    press(page, "Sign in")
    expect(page.get_by_role("button", name=username)).to_be_visible()


def test_signing_up_leads_back_and_adopts_the_time_zone(visit: Invite, username: str) -> None:
    visitor = visit(timezone_id="Asia/Tokyo")
    page = visitor.page
    page.goto("/lobby/new/lin?size=13")
    page.locator("#opening").get_by_role("link", name="Sign up").click()
    page.fill("[name=username]", username)
    page.fill("[name=password1]", PASSWORD)
    page.locator("form.panel button").click()
    visitor.await_page("/lobby/new/lin")
    assert page.url.endswith("?size=13")
    page.goto("/me/time-off")
    expect(page.locator("#zone:not([data-guess])")).to_have_value("Asia/Tokyo")


def test_a_passkey_is_offered_where_the_name_is_typed_in(visitor: Visitor, username: str) -> None:
    page, _ = visitor.page, Device(visitor, offers=True)
    sign_up(visitor, username)
    page.goto("/account/passkeys/new")
    press(page, "Create passkey")
    expect(page.locator(".recovery-codes")).to_be_visible()
    sign_out(visitor)
    page.goto("/account/sign-in")
    expect(page.get_by_role("button", name=username)).to_be_visible()


def test_a_device_that_gives_no_passkey_is_no_dead_end(visitor: Visitor) -> None:
    page, _ = visitor.page, Device(visitor)
    page.goto("/account/sign-in")
    press(page, "Sign in with a passkey")
    expect(page.get_by_text("Your device didn’t send a passkey")).to_be_visible()


def test_one_browser_signs_another_out(visit: Invite, username: str) -> None:
    here, there = visit(), visit()
    sign_up(here, username)
    there.page.goto("/account/sign-in")
    there.page.fill("[name=login]", username.upper())
    there.page.fill("[name=password]", PASSWORD)
    there.page.keyboard.press("Enter")
    expect(there.page.get_by_role("button", name=username)).to_be_visible()
    here.page.goto("/me")
    press(here.page, "Sign out everywhere else")
    expect(here.page.get_by_text("this browser", exact=True)).to_have_count(1)
    there.page.reload()
    expect(there.page.get_by_role("link", name="Sign in")).to_be_visible()
