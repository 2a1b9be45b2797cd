"""A game of taking from a heap for the kernel's tests, so small that it compiles almost instantly.

Each of the sources of its rules determines one digit of the score, so a test that edits a source in a copy
sees which digit changed.
"""
