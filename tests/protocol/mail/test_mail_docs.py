"""The examples in docs/mail.md match the code's output; `python tests/protocol/mail/test_mail_docs.py`
updates them."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kakomi.protocol.mail import ReplyContext, parse_mail, read_mail, read_turn
from kakomi.protocol.mail.commands import Move
from kakomi.protocol.mail.printing import board_block, board_subject, print_mail, reply_line
from kakomi.protocol.mail.printing.help import HELP
from kakomi.session import Entry
from protocol.mail.programs import FROM
from protocol.mail.tables import report_of, table_of

FOOTER = "To unsubscribe from these emails, reply with unsubscribe."
PAGE = Path(__file__).resolve().parents[3] / "docs" / "mail.md"


def examples():
    """The examples of the page by name."""
    table = table_of("ren", 6, size=8, seed=4)
    report = report_of(table)
    asked = print_mail(board_subject(report), [board_block(report)], above=reply_line())
    quoted = "\n".join(f"> {line}".rstrip() for line in asked.text.split("\n")[:8])
    mail = (
        f"From: Alice <alice@example.net>\nTo: {FROM}\nSubject: Re: {asked.subject}\n\n"
        f"D5 #6\n\nThat corner is mine!\n\nOn Mon, 23 Nov 2026 at 19:12, {FROM} wrote:\n{quoted}\n> ...\n"
    )
    parsed = parse_mail(read_mail(mail.encode()), ReplyContext("k7m2x9qpab", game="ren"))
    (command,) = parsed.commands
    assert isinstance(command, Move)
    turn = read_turn(table.match.position, command.text)
    played = table.apply(Entry(table.to_act, "play", " ".join(turn.actions)))
    answer = report_of(played, remarks=(("alice", parsed.remark),), note="alice has played d5.")
    printed = print_mail(
        board_subject(answer),
        [board_block(answer)],
        footer=FOOTER,
        above=reply_line(),
    )
    forms = "\n".join(form for text in HELP.values() for form in text.forms)
    return {"mail": mail, "answer": f"Subject: {printed.subject}\n\n{printed.text}", "commands": forms}


def written(page, found):
    """The page with the examples after their markers."""
    for name, text in found.items():
        block = f"<!-- example: {name} -->\n\n```text\n{text.rstrip()}\n```\n"
        known = re.compile(rf"<!-- example: {name} -->\n(\n```text\n.*?\n```\n)?", re.DOTALL)
        page = known.sub(block.replace("\\", r"\\"), page)
    return page


def test_the_examples_on_the_page_are_true():
    page = PAGE.read_text(encoding="utf-8")
    assert written(page, examples()) == page
    assert all(f"<!-- example: {name} -->" in page for name in examples())


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), examples()), encoding="utf-8")
