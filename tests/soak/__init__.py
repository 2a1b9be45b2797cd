"""Long random runs, for faults that short tests rarely find. The tests include a short form of each."""
