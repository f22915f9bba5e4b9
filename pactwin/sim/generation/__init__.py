"""Suites at scale: twin pairs and object scenes, drawn from seeds by any number of workers."""
