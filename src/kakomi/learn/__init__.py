"""Networks: what they see, how they learn, and how they advise a search."""
