"""Messages at tables, direct messages, and private notes on games. They are never logged."""
