"""Rows to train models on: how things are inspected well, carelessly, and without looking."""
