"""Certification: check that a game, Kakomi's or anyone's, does everything that a game must do.

>>> import kakomi
>>> from kakomi.research import certify
>>> report = certify(kakomi.game("rive", size=3))
>>> report.ok  # print(report) shows a table
True

`python -m kakomi.research.certify rive --size 3` does the same.
"""

from kakomi.research.certify.equivalence import Reference
from kakomi.research.certify.report import Checked, Fault, Report
from kakomi.research.certify.runner import certify

__all__ = ["Checked", "Fault", "Reference", "Report", "certify"]
