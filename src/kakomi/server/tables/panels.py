"""What apps that are built on tables show beside the board.

They add theirs to `PANELS` when Django is ready. All of them together are one fragment of the page. A button
in a panel sends the form `aside`, by a `formaction` of its own: that form has the token against forgery.
"""

from collections.abc import Callable

from django.utils.safestring import SafeString

from kakomi.server.tables.presenters import TablePresenter

PANELS: list[Callable[[TablePresenter], SafeString]] = []
"""Each makes the HTML of a panel for a viewer; empty: there is nothing to show."""
