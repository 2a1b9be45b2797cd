"""The games: one folder each, with the same file names in all of them. `kakomi.catalog` finds them."""
