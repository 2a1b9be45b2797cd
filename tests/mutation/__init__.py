"""Mutation testing: change one expression at a time, and see whether a test fails (`make mutants`)."""
