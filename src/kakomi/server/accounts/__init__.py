"""Guests and users: signing in, sessions, API tokens, and the admin site for staff."""
