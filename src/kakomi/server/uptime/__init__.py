"""When the site was up and when it was down, which clocks take into account."""
