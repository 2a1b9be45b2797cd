"""The game that an address names."""

from django.http import Http404

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.i18n import lazy_message


def find_description(name: str) -> Description:
    """The description of a game. Raises Http404, saying which games there are."""
    if name not in catalog.names():
        raise Http404(
            lazy_message(
                "There is no game {name}. There are: {names}.",
                name=repr(name[:40]),
                names=", ".join(catalog.names()),
            )
        )
    return catalog.describe(name)
