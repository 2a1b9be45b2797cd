"""Reports, measures imposed by staff, appeals, and the audit log."""
