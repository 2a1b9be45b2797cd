"""Django's entry for the admin; its pages are imported when the first of them is asked for."""

from django.contrib.admin.apps import SimpleAdminConfig


class Administration(SimpleAdminConfig):
    """Django's admin, with our site in the place of its own."""

    default_site = "kakomi.server.administration.site.StaffSite"
