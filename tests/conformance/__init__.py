"""The requirements of every game; see the README beside this file."""
