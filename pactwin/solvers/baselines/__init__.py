"""Baselines as an Inspect model provider: ``pactwin/always-no`` and its siblings.

None of them looks at a picture, counts tokens or touches the network. They write replies in the
form they are asked for, so they pass through the same parser and scorer as real models.
"""
