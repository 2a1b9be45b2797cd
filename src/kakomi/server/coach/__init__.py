"""A coach for who plays alone against bots: win chances, threats, and what was better."""
