"""Mutation testing: change one expression at a time, and see whether a test notices (`make mutants`)."""
