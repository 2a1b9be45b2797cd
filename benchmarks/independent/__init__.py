"""Programs in C, written from the authors' rules alone, and the comparison of their results with Kakomi's.

`rive.c`, `lin.c`, `rin.c` and `rings.c` share no code with the package. They read positions as text
(`protocol.h`).
"""
