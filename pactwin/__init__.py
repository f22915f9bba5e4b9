"""pactwin: does a vision-language model understand what must hold before a robot acts?"""

__version__ = "0.1.0"
