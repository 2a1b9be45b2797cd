"""The Django app for messages."""

from django.apps import AppConfig


class Chat(AppConfig):
    """Messages at tables, direct messages, and private notes on games."""

    name = "kakomi.server.chat"
    label = "chat"

    def ready(self) -> None:
        """Register the table panels, and connect to the signals of people."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.chat import receivers
        from kakomi.server.chat.panel import chat_panel, note_panel, room_panel
        from kakomi.server.chat.services import erase_messages
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.tables.extensions import MENU, PANELS

        PANELS.append(chat_panel)
        MENU.extend((room_panel, note_panel))
        guests_joined.connect(receivers.on_guests_joined)
        guest_erased.connect(erase_messages)
