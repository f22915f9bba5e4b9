"""Parse a model's reply: an answer, or the reason why there is none. The parser never guesses."""
