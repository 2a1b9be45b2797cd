"""Programs in C that know the rules from their authors' documents alone, and what they say beside Kakomi.

`rive.c`, `lin.c`, `rin.c` and `rings.c` share no line with the package. They read positions as text
(`protocol.h`).
"""
