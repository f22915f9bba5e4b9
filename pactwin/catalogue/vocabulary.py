"""Vocabulary of PAC Bench's answers: 12 properties, their categories, and their descriptors.

The order is as published. Descriptors repeat across categories ("Dense", "Solid", "Lightweight"),
so answers are parsed by category alone.
"""

from collections.abc import Mapping
from types import MappingProxyType

_WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "WEIGHT": {
        "Light": ("Featherweight", "Lightweight"),
        "Medium": ("Moderate", "Balanced"),
        "Heavy": ("Bulky", "Dense"),
        "Dynamic": ("Fluctuating", "Variable"),
    },
    "COLOR": {
        "Monochromatic": ("Single Color", "Neutral"),
        "Multicolored": ("Gradient", "Striped"),
        "Metallic": ("Glossy", "Shiny"),
        "Matte": ("Flat", "Dull"),
    },
    "HARDNESS": {
        "Hard": ("Solid", "Rigid"),
        "Soft": ("Plush", "Flexible"),
        "Brittle": ("Fragile", "Breakable"),
    },
    "ORIENTATION": {
        "Vertical": ("Upright", "Standing"),
        "Horizontal": ("Flat", "Reclined"),
        "Multi-directional": ("Rotational", "Adjustable"),
    },
    "CONSUMABILITY": {
        "Consumable": ("Edible", "Burnable", "Disposable"),
        "Non-consumable": ("Reusable", "Permanent"),
    },
    "COMPLEXITY": {
        "Simple": ("Single-unit", "Monolithic"),
        "Multi-object": ("Assembled", "Interconnected"),
    },
    "CAPACITY": {
        "Containable": ("Hollow", "Enclosable"),
        "Non-containable": ("Solid", "Unperforated"),
    },
    "CONTENTS": {
        "Contains": ("Filled", "Occupied"),
        "Empty": ("Vacant", "Void"),
    },
    "SEALING": {
        "Sealed": ("Airtight", "Watertight"),
        "Unsealed": ("Open", "can leak"),
    },
    "DENSITY": {
        "High-density": ("Dense", "Compact"),
        "Low-density": ("Lightweight", "Buoyant"),
        "Variable": ("Adjustable", "Fluid"),
    },
    "THICKNESS": {
        "Thin": ("Slim", "Minimal Thickness"),
        "Medium": ("Standard Thickness", "Balanced"),
        "Thick": ("Sturdy", "Bulky"),
    },
    "STICKINESS": {
        "Sticky": ("Adhesive", "Tacky"),
        "Non-sticky": ("Smooth", "Slippery"),
        "Variable": ("Temporary Stickiness", "Conditional Adhesion"),
    },
}

# Property -> its categories.
PROPERTIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: tuple(categories) for name, categories in _WORDS.items()}
)
# Property -> category -> descriptors.
DESCRIPTORS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {name: MappingProxyType(categories) for name, categories in _WORDS.items()}
)
