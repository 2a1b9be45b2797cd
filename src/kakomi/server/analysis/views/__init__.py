"""Pages of analysis boards. What several of them need is in `common`; none imports another."""
