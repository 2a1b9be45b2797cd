"""The entry point of `kakomi` and `python -m kakomi`."""

import signal


def program() -> None:
    """Run the program. Ctrl-C during the import ends it silently, without a traceback."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from kakomi.cli.main import main

    signal.signal(signal.SIGINT, usual)
    main()


if __name__ == "__main__":
    program()
