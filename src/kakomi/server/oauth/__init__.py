"""Programs of others act for people who let them (OAuth 2.1: authorization code with PKCE)."""
