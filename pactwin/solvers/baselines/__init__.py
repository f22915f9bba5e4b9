"""Baselines as an Inspect model provider: ``pactwin/always-no`` and its siblings.

None of them looks at a picture, counts tokens or uses the network. They write replies in the
requested form, which pass through the same parser and scorer as those of real models.
"""
