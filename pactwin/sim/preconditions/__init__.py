"""What must hold for hands to do an action at all: they get there, may take it and can hold it."""
