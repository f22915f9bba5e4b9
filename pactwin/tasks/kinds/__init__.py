"""Kinds of questions, one package each."""
