"""What is known of games: searching and downloading them, how they begin, and measured results."""
