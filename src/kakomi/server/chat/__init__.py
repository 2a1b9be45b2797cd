"""Messages at tables, among those who sit there. They are no part of a table's log."""
