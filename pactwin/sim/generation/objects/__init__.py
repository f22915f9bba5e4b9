"""Pictures of objects for their own sake: alone on a turntable, and among others on the table."""
