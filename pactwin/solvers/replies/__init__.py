"""Reading a model's reply: an answer, or why there is none. It never guesses."""
