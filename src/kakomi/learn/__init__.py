"""Training of networks and patterns by games that bots play with themselves."""
