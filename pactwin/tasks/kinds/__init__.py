"""Kinds of questions: one room each."""
