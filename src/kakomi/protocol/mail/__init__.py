"""Play by mail: mails to typed commands, results to mails (docs/mail.md). No sockets, no database, no clock.

    read_mail(bytes) -> IncomingMail
    parse_mail(IncomingMail, ReplyContext) -> ParsedMail, whose lines hold commands or problems
    read_turn(Position, text) -> the actions of a `Move`
    board_block(BoardReport) and its kind -> blocks, which print_mail puts together
"""
