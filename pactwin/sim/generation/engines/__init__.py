"""Engines that draw the units of a suite: processes of this machine, or a Ray cluster.

A unit is a pure function of its number, so one that is lost with its worker is drawn again and the
suite comes out the same on every engine.
"""
