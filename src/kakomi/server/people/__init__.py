"""Pages about people, with data from all apps."""
