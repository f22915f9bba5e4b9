"""Make creative-use tasks from measured objects: exactly one part of one object serves."""
