"""Queries for people with an account."""

from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import User


def find_person(handle: str) -> User:
    """The user of a handle, however it is capitalized, with their guest. Raises Http404 if there is none."""
    try:
        user = User.objects.named(handle).select_related("guest", "owner__guest").get()
    except User.DoesNotExist:
        raise Http404(lazy_message("There is nobody of this name here.")) from None
    if not user.is_active:
        raise Http404(lazy_message("There is nobody of this name here."))
    return user
