"""The output of `kakomi analyse`: tables, plots and pictures."""
