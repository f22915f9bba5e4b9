"""Episodes: a robot carries out an action on a layout; the result is measured and recorded."""
