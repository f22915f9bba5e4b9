"""Problems told in words, to be solved with what is at hand, or not at all."""
