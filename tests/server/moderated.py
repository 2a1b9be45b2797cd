"""Helpers for tests of moderation cases."""

from django.db import transaction

from kakomi import catalog
from kakomi.server.accounts.models import Guest, User
from kakomi.server.moderation import services
from kakomi.server.moderation.commands import Command, Submission
from kakomi.server.moderation.models import Case
from kakomi.server.tables import models as tables
from kakomi.server.tables import services as table_services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig


def case_about(guest: Guest) -> Case:
    with transaction.atomic():
        return services.case_of(guest)


def decide(
    by: User, guest: Guest, command: Command, reason: str = "seen in the games", key: str = ""
) -> Case:
    case = case_about(guest)
    services.decide(
        case.pk, by, Submission(command, reason, key or f"{command}-{case.version}"[:60], case.version)
    )
    return case


def table_of(*sitters: Sitter) -> tables.Table:
    return table_services.begin(MatchConfig(catalog.game("rin", size=4)), sitters)
