"""Running the task: what it will cost, who can see, who is asked what, and going on later."""

from pactwin.tasks.running.estimate import Estimate
from pactwin.tasks.running.models import resolve_model
from pactwin.tasks.running.run import Display, run_eval
from pactwin.tasks.running.watch import Listener, Progress

__all__ = [
    "Display",
    "Estimate",
    "Listener",
    "Progress",
    "resolve_model",
    "run_eval",
]
