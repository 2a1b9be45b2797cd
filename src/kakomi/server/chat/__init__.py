"""Messages at tables and from one person to another, and private notes on games. No log has them."""
