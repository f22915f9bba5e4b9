"""Actions carried out in simulation, each with what it measures: the parts of domains' trials."""
