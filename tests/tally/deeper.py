"""A helper two imports away from the rules."""


def deepest():
    return 1
