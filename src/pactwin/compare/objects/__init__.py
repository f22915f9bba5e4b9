"""Statistics of answers about objects: properties and affordances."""

from pactwin.compare.objects.confusion import Confusion, confusions
from pactwin.compare.objects.metrics import OBJECT_METRICS, score_objects
from pactwin.compare.objects.table import object_tables

__all__ = ["OBJECT_METRICS", "Confusion", "confusions", "object_tables", "score_objects"]
