"""Open-vocabulary detectors: text in, boxes out; their files and scores."""
