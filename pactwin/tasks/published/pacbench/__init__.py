"""PAC Bench: read its data, write its layout, score by its rules beside pactwin's."""
