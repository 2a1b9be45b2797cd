"""A page for each game with what is known about it: measured figures, solved boards, fair komis, openings."""
