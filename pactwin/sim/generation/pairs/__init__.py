"""Twin pairs: drawn, tried until their labels hold, rendered; and labels tried again."""
