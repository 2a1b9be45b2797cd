"""Conditional plans of players at running tables: what they answer to what, played as soon as it comes up."""
