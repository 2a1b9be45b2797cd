"""Django's entry for messages."""

from django.apps import AppConfig


class Chat(AppConfig):
    """Messages at tables and from one person to another, and private notes on games."""

    name = "kakomi.server.chat"
    label = "chat"

    def ready(self) -> None:
        """Stand beside boards, and hear of people."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.chat import receivers
        from kakomi.server.chat.panel import chat_panel, note_panel, room_panel
        from kakomi.server.chat.services import forget
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.tables.extensions import PANELS

        PANELS.extend((chat_panel, room_panel, note_panel))
        guests_joined.connect(receivers.hear_of_joining)
        guest_erased.connect(forget)
