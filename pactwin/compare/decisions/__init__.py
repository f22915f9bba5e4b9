"""Answers as decisions of a robot: what they break, what they leave undone, whom they ask."""
