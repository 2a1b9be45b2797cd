"""What people are told without having asked: on the page, by mail and by push."""
