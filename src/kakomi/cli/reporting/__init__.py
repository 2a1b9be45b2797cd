"""What `kakomi report` does: samples, studies, and the file that it writes."""
