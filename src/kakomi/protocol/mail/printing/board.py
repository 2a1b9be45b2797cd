"""A table as an email shows it."""

import hashlib
from dataclasses import dataclass
from html import escape

from kakomi.core import Position
from kakomi.core.i18n import (
    capitalised,
    lazy_join,
    lazy_message,
    names_in_words,
    range_in_words,
    winners_in_words,
)
from kakomi.draw.text import draw_text
from kakomi.protocol.mail.printing.blocks import (
    Block,
    Picture,
    Say,
    block_of_lines,
    html_paragraph,
    joined,
    preformatted,
    remark_block,
    sentence_block,
    shortened,
    wrapped,
)
from kakomi.protocol.mail.printing.lists import round_lines
from kakomi.protocol.mail.turns import turns_in
from kakomi.session import MatchGame, Table


@dataclass(frozen=True)
class SeatLine:
    """The player at a seat, as the site describes them."""

    name: str
    rating: str = ""
    """Such as `1620 ± 80`; "" if there is none."""
    clock: str = ""
    """The time left, such as `2 d 4 h`; "" without a clock, or with one that restarts with each turn."""


@dataclass(frozen=True)
class BoardReport:
    """A table as an email shows it to one reader. Dates and times are texts in the reader's language."""

    number: int
    """The board's number, by which emails refer to it."""
    table: Table
    seats: tuple[SeatLine, ...]
    """By seat number."""
    viewer: int | None = None
    """The reader's seat; None: a viewer."""
    deadline: str = ""
    """The deadline of the player to act, such as `Thursday 26 November, 18:00 CET`; "" without a limit."""
    link: str = ""
    """The URL of the table's page."""
    remarks: tuple[tuple[str, str], ...] = ()
    """Chat since the reader's last email: names and texts."""
    rating_changes: tuple[str, ...] = ()
    """Once the match is over: lines such as `bob: 1620 → 1634`."""
    queued: str = ""
    """The actions of the reader's queued turn; "" if there is none."""
    note: str = ""
    """A sentence at the top: what was just done, or why something wasn't."""
    rounds: int = 4
    """How many of the last rounds are listed; 0: all rounds of the game."""
    can_reply: bool = True
    """Whether a reply to this email is a move."""
    has_picture: bool = True
    """Whether the HTML shows the board as an attached picture; else as text."""
    position: Position | None = None
    """Shown instead of the table's position: an earlier one, or the one after a submitted turn."""

    @property
    def game(self) -> MatchGame:
        """The game in progress, or the last one."""
        return self.table.match.current_game

    @property
    def shown(self) -> Position:
        """The position that the email shows."""
        return self.position or self.table.match.position

    @property
    def is_readers_turn(self) -> bool:
        """Whether the reader is to act."""
        return self.viewer is not None and self.table.to_act == self.viewer

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        return self.seats[seat].name


def title_of(report: BoardReport) -> str:
    """Return the game, its non-default options and the board's number."""
    match = report.table.match
    title = lazy_message(
        "{game}, board {number}",
        game=board_name(report.shown),
        number=report.number,
    )
    if match.config.games == 1:
        return title
    number = match.config.played + len(match.games)
    return lazy_message(
        "{title}, game {number} of {games}", title=title, number=number, games=match.config.games
    )


def board_name(position: Position) -> str:
    """Return a game with its size and non-default options: `Rings, size 4, players 3`."""
    game = position.game
    parts = [
        lazy_message(
            "{option} {value}", option=option.name.replace("_", " "), value=game.options[option.name]
        )
        for option in game.description.options
        if not callable(option.default)
        and (option.name == "size" or game.options[option.name] != option.default)
    ]
    return lazy_join(", ", [lazy_message(game.description.title), *parts])


def board_subject(report: BoardReport, say: Say = str) -> str:
    """Return the subject of an email about a board: game, number, turn, and whose turn it is."""
    table, title = report.table, report.game.game.description.title
    if table.is_over:
        state = lazy_message("over")
    elif report.is_readers_turn:
        state = lazy_message("your turn")
    else:
        state = lazy_message("{name} to move", name=report.name(table.to_act or 0))
    return shortened(
        say(
            lazy_message(
                "{title} board {number} #{turns}: {state}",
                title=title,
                number=report.number,
                turns=turns_in(table.match),
                state=state,
            )
        )
    )


def board_block(report: BoardReport, say: Say = str) -> Block:
    """Describe a table: whose turn it is and until when, seats, the last rounds in columns, the board,
    scores, offers, rating changes, remarks, and how to answer."""
    title = say(title_of(report))
    parts = [
        sentence_block(report.note, say=say),
        Block("\n".join(wrapped(title)), html_paragraph(title, strong=True)),
        sentence_block(*_state(report), say=say),
        _seats(report, say),
        _rounds(report, say),
        picture_block(report.shown, say, legal=_shows_legal(report), has_picture=report.has_picture),
        account_block(report.shown, say) if report.game.players is not None else Block("", ""),
        *(sentence_block(sentence, say=say) for sentence in (_offer(report), _queued(report))),
        block_of_lines(report.rating_changes) if report.rating_changes else Block("", ""),
        *(remark_block(name, text, say) for name, text in report.remarks),
        _how_to_answer(report, say),
    ]
    return joined([part for part in parts if part.text])


def _state(report: BoardReport) -> list[str]:
    """Return the state of the match, in sentences."""
    table = report.table
    if table.is_over:
        return _result(report)
    said = report.deadline and lazy_message("Deadline: {deadline}.", deadline=report.deadline)
    if report.deadline and table.is_binding and table.start.is_awaited(table.match):
        said = lazy_message("Make your first move by {deadline} or lose the game.", deadline=report.deadline)
    count = lazy_message("Moves so far: #{turns}.", turns=turns_in(table.match))
    return [part for part in (_next_decision(report), said, count) if part]


def _next_decision(report: BoardReport) -> str:
    game, phase, own = report.game, report.game.phase, report.is_readers_turn
    name = report.name(report.table.to_act or 0)
    if phase == "komi":
        allowed = range_in_words(game.game.description.komi.allowed_given(game.game.options))
        if own:
            return lazy_message(
                "Name a komi, points for White: {allowed}. Then your opponent chooses a colour.",
                allowed=allowed,
            )
        return lazy_message("{name} names a komi; then a colour is chosen.", name=name)
    if phase == "colour":
        if own:
            return lazy_message("The komi is {komi}: choose your colour.", komi=game.komi)
        return lazy_message("The komi is {komi}; {name} chooses a colour.", komi=game.komi, name=name)
    if not own:
        return lazy_message("It is {name}'s turn.", name=name)
    expected = game.game.description.explain.expects(game.position)
    return lazy_message("It’s your turn: {expected}.", expected=expected)


def _result(report: BoardReport) -> list[str]:
    ending = report.table.ending
    over = (
        lazy_message("The game is over.")
        if report.table.match.config.games == 1
        else lazy_message("The match is over.")
    )
    if ending is None or ending.reason == "aborted":
        return [over, lazy_message("No result.")]
    names = [report.name(seat) for seat in ending.winners]
    won = lazy_message("{result}.", result=winners_in_words(names, len(report.seats)))
    return [over, won, _REASONS.get(ending.reason, "")]


_REASONS = {
    "resignation": lazy_message("By resignation."),
    "time": lazy_message("On time."),
    "forfeit": lazy_message("The tournament round ended."),
    "absence": lazy_message("No first move in time."),
    "agreement": lazy_message("By agreement."),
}


def _seats(report: BoardReport, say: Say) -> Block:
    """List the players in order of play: colour, name, rating, points, whether they are out, time left."""
    game = report.game
    order = list(range(len(report.seats)))
    if game.players is not None:
        order = sorted(order, key=lambda seat: game.players[seat] if game.players else seat)
    lines = []
    for seat in order:
        lines += wrapped(say(lazy_join(", ", _seat(report, seat))))
    return block_of_lines(lines, html_paragraph("\n".join(lines)))


def _seat(report: BoardReport, seat: int) -> list[str]:
    """Return the parts of a seat's line."""
    game, line = report.game, report.seats[seat]
    who = lazy_message("{name} ({rating})", name=line.name, rating=line.rating) if line.rating else line.name
    if game.players is None:
        return [lazy_join("", [who])]
    player = game.players[seat]
    colour = lazy_message(game.game.player_names[player])
    parts: list[str] = [lazy_message("{colour}: {who}", colour=colour, who=who)]
    if report.table.match.config.games > 1:
        points = report.table.match.points(report.table.match.games[:-1] if not game.is_over else None)
        parts.append(lazy_message("{points} points so far", points=f"{points[seat]:g}"))
    leaver = next((leaver for leaver in game.leavers if leaver.seat == seat), None)
    if leaver is not None:
        parts.append(lazy_message("left, a bot took over") if leaver.has_bot else _LEFT[leaver.reason])
    is_told = bool(report.deadline) and seat == report.table.to_act  # as the deadline
    if line.clock and not report.table.is_over and not is_told:
        parts.append(lazy_message("{clock} left", clock=line.clock))
    return parts


_LEFT = {
    "resignation": lazy_message("resigned"),
    "time": lazy_message("out of time"),
    "forfeit": lazy_message("lost when the round ended"),
    "absence": lazy_message("no first move in time"),
}


def _rounds(report: BoardReport, say: Say) -> Block:
    if report.game.players is None:
        return Block("", "")
    lines = round_lines(report.game, say, last=report.rounds)
    return block_of_lines(lines) if lines else Block("", "")


def _shows_legal(report: BoardReport) -> bool:
    """Return whether to mark legal actions: for the player to act, in games where they are hard to see."""
    description = report.game.game.description
    return description.dots_for_newcomers and report.is_readers_turn and report.position is None


def picture_block(
    position: Position, say: Say = str, *, legal: bool = False, has_picture: bool = True
) -> Block:
    """Return the board as text, and in HTML as a picture. A board wider than a line isn't wrapped."""
    text = draw_text(position.scene(legal=legal), translate=say).rstrip("\n")
    if not has_picture:
        return Block(text, preformatted(text))
    svg = position.svg(theme="light", legal=legal, translate=say)
    cid = f"board-{hashlib.sha256(svg.encode()).hexdigest()[:16]}@kakomi"
    style, alt = "max-width:100%;height:auto;border:0", escape(text, quote=True)
    html = f'<p style="margin:0 0 1em"><img src="cid:{cid}" width="480" alt="{alt}" style="{style}"></p>'
    return Block(text, html, (Picture(cid, svg, text),))


def account_block(position: Position, say: Say = str) -> Block:
    """Return a sentence that explains the score."""
    account = say(position.game.description.explain.account(position))
    return sentence_block(f"{capitalised(account)}.")


def _offer(report: BoardReport) -> str:
    offer = report.table.offer
    if offer is None or report.table.is_over:
        return ""
    if offer.seat == report.viewer:
        waiting = names_in_words([report.name(seat) for seat in offer.waiting])
        return lazy_message(
            "{offer} Waiting for {names}. To cancel, send “withdraw”.",
            offer=_OWN_OFFERS[offer.kind],
            names=waiting,
        )
    said = _OFFERS[offer.kind](report.name(offer.seat))
    if report.viewer in offer.waiting:
        return lazy_message(
            "{offer} Reply with “accept” or “reject”; making a move also rejects it.", offer=said
        )
    return said


_OFFERS = {
    "draw": lambda name: lazy_message("{name} offers a draw.", name=name),
    "takeback": lambda name: lazy_message("{name} asks to take back a move.", name=name),
    "pause": lambda name: lazy_message("{name} asks to pause the clocks.", name=name),
    "resume": lambda name: lazy_message("{name} asks to resume the clocks.", name=name),
}
_OWN_OFFERS = {
    "draw": lazy_message("You offer a draw."),
    "takeback": lazy_message("You ask to take back your move."),
    "pause": lazy_message("You ask to pause the clocks."),
    "resume": lazy_message("You ask to resume the clocks."),
}


def _queued(report: BoardReport) -> str:
    if not report.queued:
        return ""
    return lazy_message(
        "Your move {turn} is queued and will be played; to remove it, send “unqueue”.", turn=report.queued
    )


def _how_to_answer(report: BoardReport, say: Say) -> Block:
    """Explain how to continue by email, with an example that is legal now."""
    lines = []
    if report.is_readers_turn and report.can_reply:
        lines.append(say(_answer(report)))
    elif report.viewer is not None and report.can_reply and not report.table.is_over:
        lines.append(say(_HOW_TO_CHAT))
    if report.link:
        lines.append(say(lazy_message("The board: {link}", link=report.link)))
    return Block(
        "\n".join(part for line in lines for part in wrapped(line)),
        html_paragraph("\n".join(lines)) if lines else "",
    )


_HOW_TO_CHAT = lazy_message("Reply to chat with the others. To queue a move, write it after 'queue'.")


def _answer(report: BoardReport) -> str:
    game, at = report.game, f"{report.number}#{turns_in(report.table.match)}"
    if game.phase == "komi":
        return lazy_message("Reply with just the number, or write 'komi {at} 12'.", at=at)
    if game.phase == "colour":
        return lazy_message("Reply with black or white, or write 'colour {at} black'.", at=at)
    example = example_turn(game.position)
    answer = lazy_message(
        "Reply with your whole move, such as {example}, or write 'move {at} {example}'.",
        at=at,
        example=example,
    )
    if game.may_swap:
        return lazy_message("{answer} Or reply with “swap” to take over the other colour.", answer=answer)
    return answer


def example_turn(position: Position) -> str:
    """Return a legal whole turn, taking each action from the middle of the legal ones."""
    actions, now = [], position
    while now is position or (now.turn and not now.is_over):
        legal = now.legal_actions()
        actions.append(legal[len(legal) // 2])
        now = now.play_action(actions[-1])
    return " ".join(position.game.action_texts[action] for action in actions)


def position_block(position: Position, title: str = "", say: Say = str, *, has_picture: bool = True) -> Block:
    """Return a board alone, for previews: text, picture, who is to act, and the score."""
    if position.is_over:
        state = lazy_message("The game is over.")
    else:
        name = lazy_message(position.game.player_names[position.to_move])
        expected = position.game.description.explain.expects(position)
        state = lazy_message("{player} to move: {expected}.", player=name, expected=expected)
    head = say(title or board_name(position))
    return joined(
        [
            Block("\n".join(wrapped(head)), html_paragraph(head, strong=True)),
            picture_block(position, say, has_picture=has_picture),
            sentence_block(state, say=say),
            account_block(position, say),
        ]
    )
