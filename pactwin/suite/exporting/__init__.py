"""Suites in the formats of other tools."""
