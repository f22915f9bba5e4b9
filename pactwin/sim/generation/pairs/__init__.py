"""Twin pairs: drawn, tried until their labels hold, photographed; and tried again later."""
