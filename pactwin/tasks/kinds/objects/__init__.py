"""Questions about objects: what they are, how they are asked and how answers are scored."""
