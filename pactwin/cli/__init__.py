"""The command ``pactwin``. Commands import their dependencies when they run, to start quickly."""

from pactwin.cli.app import app, main

__all__ = ["app", "main"]
