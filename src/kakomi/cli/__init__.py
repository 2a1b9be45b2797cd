"""The terminal program. `main` finds the commands; each is a file in this folder."""
