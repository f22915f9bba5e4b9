"""Episodes: a robot carries out an action on a layout, and what happens is measured and filmed."""
