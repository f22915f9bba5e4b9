"""Reach: postures that bring a hand to an object without any other contact."""
