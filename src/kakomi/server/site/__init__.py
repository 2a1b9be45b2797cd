"""What every app needs: configuration, clock, database, languages, rendering, common parts of the API."""
