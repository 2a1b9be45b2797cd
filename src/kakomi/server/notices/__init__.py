"""Notices to people: on the site's pages, by mail and by push."""
