"""Things for uses they were not made for: what is measured of their parts, and pictures of them."""
