"""What a founder chooses for a team, and what it may be."""

from dataclasses import dataclass

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.name_rules import has_forbidden_word
from kakomi.server.chat.text_rules import on_one_line
from kakomi.server.prefixes import fold
from kakomi.server.teams.models import LONGEST_LINE, LONGEST_NAME, Team
from kakomi.session import Refused

SHORTEST_NAME = 3


@dataclass(frozen=True)
class TeamTerms:
    """A team as somebody wants it."""

    name: str
    line: str = ""
    game: str = ""
    is_open: bool = False

    @staticmethod
    def of(name: str, line: str = "", game: str = "", *, is_open: bool = False) -> "TeamTerms":
        """The same without invisible characters, each text on one line."""
        return TeamTerms(on_one_line(name), on_one_line(line), game, is_open)

    def check(self) -> None:
        """Raise Refused for what can't be, in one sentence that says what could."""
        if not SHORTEST_NAME <= len(self.name) <= LONGEST_NAME:
            raise Refused(
                lazy_message(
                    "The name of a team has {least} to {most} characters.",
                    least=SHORTEST_NAME,
                    most=LONGEST_NAME,
                )
            )
        if len(self.line) > LONGEST_LINE:
            raise Refused(
                lazy_message("What a team says of itself has {most} characters at most.", most=LONGEST_LINE)
            )
        if has_forbidden_word(self.name) or has_forbidden_word(self.line):
            raise Refused(lazy_message("This site doesn’t take one of these words."))
        if self.game and self.game not in catalog.names():
            raise Refused(lazy_message("There is no such game: choose one of those offered."))

    def expect_free_name(self, but: Team | None = None) -> None:
        """Raise Refused if another team has the name, however it is capitalized."""
        same = Team.objects.filter(name_folded=fold(self.name), closed_at=None).first()
        if same is not None and same != but:
            raise Refused(lazy_message("There is a team of this name: choose another one."))
