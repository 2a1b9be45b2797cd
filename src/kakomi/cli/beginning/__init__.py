"""What `kakomi openings` tells: in words, and as data."""
