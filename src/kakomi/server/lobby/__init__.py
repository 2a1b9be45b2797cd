"""The home page, and the lobby: seeks, challenges and automatic pairing."""
