"""The terminal program. `main` finds the commands in the modules of this package."""
