"""Objects for unusual uses: measurements of their parts, and pictures."""
