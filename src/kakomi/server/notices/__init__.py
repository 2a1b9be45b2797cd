"""What people are told without having asked: on the page, by mail, by push and by webhooks."""
