"""Problems stated in words, to be solved with the available objects if possible."""
