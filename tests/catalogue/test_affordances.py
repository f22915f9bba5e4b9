"""However an affordance is said, it is the same one."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pactwin.catalogue import affordance_synonyms, load_catalogue, normalise_affordance

WORDS = load_catalogue().affordances
SAYINGS = [(name, said) for name in WORDS for said in (name, *affordance_synonyms(name))]
# Said of what an object is or is for; they have no -ing and no -s.
NO_VERBS = """
    edible drinkable food snack puzzle toy storage container ornament decoration cushion alarm
    weightlifting be lid time bolt eaten held thrown caught written drawn torn drunk burnt lit kept
    worn hung ridden driven stuck wound built learnt broken seen
"""


def inflected(phrase: str, ending: str) -> str:
    """The phrase with its first word's regular -ing or -s form."""
    verb, _, rest = phrase.partition(" ")
    if ending == "ing":
        if re.search(r"[^aeiou]e$", verb):
            verb = verb[:-1]
        elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", verb):
            verb += verb[-1]
    elif verb.endswith(("s", "sh", "ch", "x")):
        verb += "e"
    elif re.search(r"[^aeiou]y$", verb):
        verb = verb[:-1] + "ie"
    return f"{verb}{ending} {rest}".strip()


def test_every_synonym_means_its_affordance() -> None:
    assert {said: normalise_affordance(said) for _, said in SAYINGS} == {
        said: name for name, said in SAYINGS
    }


@pytest.mark.parametrize("case", [str, str.upper, str.title])
@pytest.mark.parametrize("before", ["", "to ", "Can be used to ", "Used for ", "a tool for "])
def test_introductions_and_case_do_not_count(before: str, case: Callable[[str], str]) -> None:
    said_so = {case(f"  {before}{said}. "): name for name, said in SAYINGS}
    assert {said: normalise_affordance(said) for said in said_so} == said_so


@pytest.mark.parametrize("ending", ["s", "ing"])
def test_inflection_does_not_count(ending: str) -> None:
    verbs = [(name, said) for name, said in SAYINGS if said.split()[0] not in NO_VERBS.split()]
    assert len(verbs) > 250
    wrong = {
        inflected(said, ending): name
        for name, said in verbs
        if normalise_affordance(inflected(said, ending)) != name
    }
    assert wrong == {}


@given(st.text(max_size=60))
@example("")
@example("be")
@example("readable able")
@example("able to be able to")
@example("can be used to")
@example("ｈｏｌｄ")
def test_any_text_is_an_affordance_of_the_table_or_none(text: str) -> None:
    found = normalise_affordance(text)
    assert found is None or found in WORDS
    assert found is None or normalise_affordance(found) == found
    assert normalise_affordance(text) == found


SAID = {
    "grasp": ("Graspable", "grippable", "hold", "can be held in the hand", "holding it"),
    "contain": ("can be used to hold water", "storing food", "holds flowers", "put fruit in"),
    "cut": ("cutting vegetables", "It can be cut", "sliceable"),
    "drink": ("drinking from it", "drinking vessel"),
    "eat": ("Edible", "can be eaten raw"),
    "stack": ("stackable",),
    "throw": ("throwable",),
    "squeeze": ("squeezable",),
    "slide": ("movable",),
    "fold": ("foldable",),
    "support": ("put things on it",),
    None: ("cannot be cut", "not edible", "beautiful", "can"),
}


def test_what_annotators_write() -> None:
    wanted = {said: means for means, sayings in SAID.items() for said in sayings}
    assert {said: normalise_affordance(said) for said in wanted} == wanted
