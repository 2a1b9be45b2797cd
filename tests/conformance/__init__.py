"""What every game has to do; see the README beside this file."""
