"""A season in simulated time: people who play over days, on a site of several processes that are killed."""
