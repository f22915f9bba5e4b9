"""Things that stand on the table, built in."""
