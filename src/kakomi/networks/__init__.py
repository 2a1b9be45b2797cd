"""Networks that play: what they see, their files, and their answers to a search. None of it needs PyTorch."""
