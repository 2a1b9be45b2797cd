"""Managing staff with the program itself."""

import json
from pathlib import Path

from server.forks import forks
from server.migrated import file_with_tables
from server.sql.test_backups import environment

PASSWORD = "boards of many stones"


def test_the_program_lets_people_in_and_out(tmp_path: Path) -> None:
    """In separate processes: Django's commands keep streams that a runner in this process would close."""
    file_with_tables(tmp_path / "site.sqlite3")
    with forks("server.forked_program", environment(tmp_path)) as processes:

        def staff(*words: str, expect: int = 0) -> str:
            code, said = processes.run("said", "staff", *words)
            assert code == expect, said
            return str(said)

        assert staff("list") == "No staff yet: `kakomi staff add NAME`\n"
        added = staff("add", "Ada", "--email", "ada@example.org", "--password", PASSWORD)
        assert "/admin/" in added and "/moderation/" in added
        assert staff("list") == "Ada: never signed in\n"
        staff("password", "ada", "--password", "another, longer one")
        assert "too short" in staff("password", "ada", "--password", "short", expect=1)
        assert "valid username" in staff("add", "no name", "--password", PASSWORD, expect=1)
        assert "there is no account 'nobody': see `kakomi staff list`" in staff("remove", "nobody", expect=1)
        staff("remove", "ADA")
        assert json.loads(staff("list", "--json")) == []
