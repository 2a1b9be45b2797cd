"""What `kakomi learn` does once its words are read."""
