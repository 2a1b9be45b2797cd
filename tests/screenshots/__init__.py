"""Screenshots of a site with players, finished and running games, and a tournament."""
