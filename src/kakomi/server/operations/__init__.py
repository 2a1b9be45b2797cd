"""Running the site: background tasks, backups, the garbage collector."""
