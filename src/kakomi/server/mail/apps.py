"""The Django app for play by mail."""

from django.apps import AppConfig

from kakomi.server.site.configuration import configuration


class Mail(AppConfig):
    """Play by mail. Inactive on a site without `mail_in_address`."""

    name = "kakomi.server.mail"
    label = "mail"

    @property
    def periodic_jobs(self) -> dict[str, float]:
        """Dotted name -> interval in seconds; empty on a site that takes no mail."""
        site, jobs = configuration(), "kakomi.server.mail.jobs."
        if not site.mail_in_address:
            return {}
        named = {f"{jobs}handle_mail": 5.0, f"{jobs}write_turn_mails": 10.0, f"{jobs}delete_old": 6 * 3600.0}
        return named | ({f"{jobs}fetch_mail": 60.0} if site.mail_in_imap else {})

    def ready(self) -> None:
        """Register the composers of queued mails in any case, and the rest only if the site takes mail."""
        from kakomi.server.mail import outgoing
        from kakomi.server.mail.erasure import on_guest_erased
        from kakomi.server.notices.mail import COMPOSERS
        from kakomi.server.people.signals import guest_erased

        COMPOSERS[outgoing.TURN_MAIL], COMPOSERS[outgoing.WATCH_MAIL] = (
            outgoing.turn_mail,
            outgoing.watch_mail,
        )
        COMPOSERS["digest"] = outgoing.digest_mail
        guest_erased.connect(on_guest_erased)
        if configuration().mail_in_address:
            take_part()


def take_part() -> None:
    """Start playing queued turns and mailing watchers."""
    from kakomi.server.mail.outgoing import on_entries_added
    from kakomi.server.mail.pending import play_queued_turn
    from kakomi.server.tables.extensions import RESPONDERS, entries_added

    RESPONDERS.append(play_queued_turn)
    entries_added.connect(on_entries_added)
