"""Who may analyse which game, and who may change a study."""

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import selectors
from kakomi.server.analysis.exceptions import GameStillRunning
from kakomi.server.analysis.models import Study
from kakomi.server.tables.models import Table
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused


def expect_may_analyse(table: Table | None, number: int, guest: Guest | None) -> None:
    """Raises GameStillRunning if the guest plays this game against other people, and it isn't over."""
    if table is None or not Viewer.of(table, guest).faces_people:
        return
    if not selectors.game_at_table(table, number).is_over:
        raise GameStillRunning(table)


def is_owner(study: Study, guest: Guest | None) -> bool:
    """Whether a study is the guest's."""
    return guest is not None and study.owner_id == guest.pk


def may_edit(study: Study, guest: Guest | None) -> bool:
    """Whether the guest may change a study as it stands."""
    return is_owner(study, guest) and not study.is_deleted


def expect_owner(study: Study, guest: Guest | None) -> None:
    """Raises Refused for a study of somebody else."""
    if not is_owner(study, guest):
        raise Refused(lazy_message("only its owner changes a study: copy it to your own"))
