"""Read a model's reply: an answer, or why there is none. The parser never guesses."""
