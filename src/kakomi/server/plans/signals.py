"""What apps that tell people things hear of plans, inside the transaction of what happened at the table."""

from django.dispatch import Signal

plan_ended = Signal()
"""An armed plan has ended. Sent by the class `models.Plan` with `row` (the plan's, with its seat and table),
`end` (a `session.PlanEnd`), and `by`, the seat of the entry that ended it (None: the site's)."""
