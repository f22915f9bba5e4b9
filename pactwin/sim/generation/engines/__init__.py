"""Engines that draw the units of a suite: processes of this machine, or a Ray cluster.

A unit is a pure function of its number. A unit that is lost with its worker is drawn again, so the
suite is the same on every engine.
"""
