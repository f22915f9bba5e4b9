"""Scenarios: objects of a kind, a fault of one of them, and twins."""
