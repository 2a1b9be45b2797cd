"""Full matrices and long runs, by hand and every night: `make test-long`."""
