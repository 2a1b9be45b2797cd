"""The games, a folder each with the same file names; `kakomi.catalog` finds them."""
