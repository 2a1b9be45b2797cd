"""Long random runs, for what short tests meet too seldom; a short form of each is among the tests."""
