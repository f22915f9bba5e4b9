"""Problems stated in words, to be solved with the things at hand, if they can be solved."""
