"""Django's admin, for staff: what the apps' `admin` modules share. It knows no app."""
