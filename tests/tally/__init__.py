"""A game of taking from a heap, so small that it compiles in a moment: the kernel's tests play with it.

Each source that its rules are made from puts a digit of its own into the score, and a test that edits
one of them in a copy sees which digit changed.
"""
