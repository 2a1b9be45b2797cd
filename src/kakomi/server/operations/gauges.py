"""What goes on in this process at the moment that it is asked."""

from collections.abc import Iterable

from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kakomi import __version__
from kakomi.server.engines import shared_pool
from kakomi.server.realtime import BROKER


class SiteCollector(Collector):
    """Engines at work, jobs that wait for one, and pages that listen."""

    def collect(self) -> Iterable[Metric]:
        """The gauges, read now."""
        pool = shared_pool()
        yield GaugeMetricFamily("kakomi_engines", "Engines that may run.", pool.size)
        yield GaugeMetricFamily("kakomi_engines_busy", "Engines at work.", pool.busy)
        yield GaugeMetricFamily("kakomi_engine_jobs_waiting", "Jobs that wait for an engine.", pool.waiting)
        yield GaugeMetricFamily("kakomi_listeners", "Pages that listen for news.", BROKER.listeners)
        version = GaugeMetricFamily("kakomi_version", "1, for the version that runs.", labels=("version",))
        version.add_metric((__version__,), 1)
        yield version


def register_gauges() -> None:
    """Have metrics tell of the site; once a process."""
    REGISTRY.register(SiteCollector())
