"""What `kakomi match` needs: the contest that was asked for, and its report."""
