"""Shared parts of commands: parameters, records, output, the site's data."""
