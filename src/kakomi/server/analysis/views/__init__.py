"""What browsers ask of analysis boards."""
