"""What several commands need: a game from the command line, colours, folders, status lines."""
