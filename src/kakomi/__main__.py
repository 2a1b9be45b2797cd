"""`python -m kakomi` is the program `kakomi`."""

from kakomi.cli.main import main

main()
