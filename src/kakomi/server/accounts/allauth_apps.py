"""Django's entry for allauth's models, without its middleware: only pages for signing in need that."""

from allauth.account.apps import AccountConfig


class SigningIn(AccountConfig):  # type: ignore[misc]  # allauth has no types
    """allauth's addresses, passwords and forms. `lazy_views.py` does its middleware's work."""

    def ready(self) -> None:
        """Nothing: the original insists on the middleware."""
