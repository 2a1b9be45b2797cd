"""Pages about people, made of what all apps know of them."""
