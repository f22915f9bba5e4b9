"""Robots at the table: their kinematics for reach, their surfaces for pictures."""
