"""Django's entry for mail in and out."""

from django.apps import AppConfig

from kakomi.server.configuration import configuration


class Post(AppConfig):
    """Play by mail. A site that takes no mail does nothing for it."""

    name = "kakomi.server.post"
    label = "post"

    @property
    def periodic_jobs(self) -> dict[str, float]:
        """The jobs, where mail comes in."""
        site, jobs = configuration(), "kakomi.server.post.jobs."
        if not site.post_address:
            return {}
        named = {f"{jobs}handle_mail": 5.0, f"{jobs}write_turn_mails": 10.0, f"{jobs}forget": 6 * 3600.0}
        return named | ({f"{jobs}fetch_mail": 60.0} if site.post_imap else {})

    def ready(self) -> None:
        """Have mails made that were written while the site took mail; if it does, take part."""
        from kakomi.server.notices.mail import COMPOSERS
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.post import outgoing
        from kakomi.server.post.erasure import hear_of_erasure

        COMPOSERS[outgoing.TURN_MAIL], COMPOSERS[outgoing.WATCH_MAIL] = (
            outgoing.turn_mail,
            outgoing.watch_mail,
        )
        COMPOSERS["digest"] = outgoing.answered_digest
        guest_erased.connect(hear_of_erasure)
        if configuration().post_address:
            take_part()


def take_part() -> None:
    """Play turns that wait, and mail to who watches."""
    from kakomi.server.post.outgoing import hear_of_entries
    from kakomi.server.post.pending import respond
    from kakomi.server.tables.extensions import RESPONDERS, entries_added

    RESPONDERS.append(respond)
    entries_added.connect(hear_of_entries)
