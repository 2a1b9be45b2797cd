"""The rules of the games as pages with interactive examples, and courses made of them."""
