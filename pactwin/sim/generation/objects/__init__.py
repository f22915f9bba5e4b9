"""Pictures of single objects: alone on a turntable, and among others on the table."""
