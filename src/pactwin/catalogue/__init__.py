"""Kinds of objects: what they are made of, which properties follow, what they can be used for."""

from pactwin.catalogue.affordances import affordance_synonyms, normalise_affordance
from pactwin.catalogue.catalogue import Catalogue, load_catalogue, material, read_catalogue
from pactwin.catalogue.facts import ObjectFacts, typical_facts
from pactwin.catalogue.properties import property_labels
from pactwin.catalogue.schema import Cavity, Kind, KindAffordance, Material, Source, Threshold
from pactwin.catalogue.vocabulary import DESCRIPTORS, PROPERTIES

__all__ = [
    "DESCRIPTORS",
    "PROPERTIES",
    "Catalogue",
    "Cavity",
    "Kind",
    "KindAffordance",
    "Material",
    "ObjectFacts",
    "Source",
    "Threshold",
    "affordance_synonyms",
    "load_catalogue",
    "material",
    "normalise_affordance",
    "property_labels",
    "read_catalogue",
    "typical_facts",
]
