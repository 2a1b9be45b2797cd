"""What `kakomi analyse` shows in a terminal, and where it writes to."""
