"""Running the task: what it will cost, who can see, who is asked what, and going on later."""
