"""Shared parts of commands: parameters, records, output, workers."""
