"""A season in simulated time: people play correspondence games on a site whose processes get killed."""
