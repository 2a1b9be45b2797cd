"""The terminal program: `main` finds the commands, which are one file each, beside it."""
