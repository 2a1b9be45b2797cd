"""The URLs of the admin. Importing this module imports every app's `admin`."""

from django.contrib import admin

admin.autodiscover()

app_name = "admin"
urlpatterns = admin.site.get_urls()
