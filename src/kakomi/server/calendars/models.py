"""The secret addresses at which calendar programs find what is somebody's own."""

from django.db import models

from kakomi.server.accounts.models import Guest, new_token


class CalendarAddress(models.Model):
    """A guest's personal calendar: whoever knows the address reads it."""

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="calendar_address")
    token = models.CharField(max_length=32, unique=True, default=new_token)
    """The end of the address."""

    class Meta:
        verbose_name_plural = "calendar addresses"

    def __str__(self) -> str:
        return f"calendar of {self.guest}"
