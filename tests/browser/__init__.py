"""The site in Chromium. It is a package, so that its tests share package-scoped fixtures."""
