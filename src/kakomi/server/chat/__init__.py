"""Messages at tables, among those who sit there, and from one person to another. No log has them."""
