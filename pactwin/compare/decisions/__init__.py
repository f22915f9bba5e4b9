"""Answers as decisions of a robot: harm, lost work and questions to people."""
