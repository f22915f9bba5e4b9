"""How scenes are put together: things of a kind, what is wrong with one of them, and twins."""
