"""The command ``pactwin``. Commands import what they need when they run: help answers at once."""

from pactwin.cli.app import app, main

__all__ = ["app", "main"]
