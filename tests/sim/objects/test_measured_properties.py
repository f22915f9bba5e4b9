"""What is measured of simulated objects gives the properties that a person sees in them."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from pactwin.catalogue import load_catalogue, property_labels
from pactwin.sim.generation.objects.facts import object_facts
from pactwin.sim.objects.building import build_thing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


def test_simulated_objects_agree_with_a_persons_answers() -> None:
    sheet = yaml.safe_load((ROOT / "tests/data/property_answers.yaml").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "properties.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| ([\w-]+) \| ([\w-]+) \| .+ \|$", page, re.MULTILINE)
    answered, decided, differ = 0, 0, []
    for name, answers in sheet.items():
        kind = load_catalogue().kind(name)
        items = (build_thing(name, np.random.default_rng(seed)) for seed in range(20))
        item = next(item for item in items if item.state == kind.states[0])
        labels = property_labels(kind, object_facts(item))
        answered += len(answers)
        decided += len(labels.keys() & answers.keys())
        differ += [
            (name, prop, answer, labels[prop].value)
            for prop, answer in answers.items()
            if prop in labels and labels[prop].value != answer
        ]
    assert decided >= 0.85 * answered
    assert len(differ) <= 0.05 * decided, differ
    assert set(differ) <= set(rows), "docs/properties.md does not explain these"
