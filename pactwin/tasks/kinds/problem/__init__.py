"""Problems stated in words, to be solved with the objects at hand if that is possible."""
