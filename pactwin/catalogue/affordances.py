"""Canonical names of affordances.

Words are compared by their stems, without introductions ("can be used to ..."). The first words of
an answer decide, by the longest known phrase: "cut vegetables" is ``cut``.
"""

import re
from functools import lru_cache
from typing import Any

from pactwin.catalogue.catalogue import load_catalogue

# Said before an affordance without being one.
_INTRODUCTIONS = re.compile(
    r"^(?:(?:it|this|that|these|they|you|one|people|something|(?:the|an?) (?:object|item|tool)|"
    r"a (?:person|robot)|someone|can|could|may|might|is|are|(?:be )?(?:used|useful|able|usable|"
    r"utili[sz]ed|suitable|meant|made|intended|designed|good|ideal|great|handy)|helps?|helpful|"
    r"possible|use|allows?|lets?|affords?|for|to|as)\s+)+"
)
_BE = re.compile(r"^(?:be|being|gets?|getting)\s+")
_DENIALS = re.compile(r"\b(?:not|cannot|can't|never|no|isn't|unable)\b")
# Dropped wherever they stand.
_FILLERS = re.compile(r"^(?:an?|the|it|them|its|some|any|of|your|one's|things?|objects?)$")
_MORE = "..."  # stands for further words
_PASSIVE = re.compile(r"^(\w{3,}?)(?:able|ible)$")


def affordance_synonyms(name: str) -> tuple[str, ...]:
    """Synonyms of the canonical affordance ``name``; KeyError if it is unknown."""
    return load_catalogue().affordances[name].synonyms


def normalise_affordance(text: str) -> str | None:
    """Canonical affordance in ``text``; None if it names no known one or denies it.

    Case, punctuation, inflection ("cutting", "graspable", "can be cut") and introductions are
    ignored.
    """
    words = re.sub(r"[^a-z' ]+", " ", text.lower().replace("’", "'"))
    words = " ".join(words.split())
    if not words or _DENIALS.search(words):
        return None
    for phrase in _readings(words):
        stems = _stems(phrase)
        for end in range(len(stems), 0, -1):
            more = (_MORE,) if end < len(stems) else ()
            found = _phrases().get(stems[:end] + more) or _phrases().get(stems[:end])
            if found:
                return found
    return None


def _readings(words: str) -> tuple[str, ...]:
    """Readings of ``words``: unchanged, without an introduction, and as an active verb."""
    rest = _INTRODUCTIONS.sub("", words + " ").strip() or words
    first, _, others = _BE.sub("", rest).partition(" ")
    if (match := _PASSIVE.match(first)) is not None:
        first = _known_verb(match[1])
    return (words, rest, f"{first} {others}")


def _known_verb(base: str) -> str:
    """The known verb of a word in -able, with a mute e or without a doubled consonant."""
    forms = [base, base + "e"] + ([base[:-1]] if base[-1] == base[-2] else [])
    known = {stem for phrase in _phrases() for stem in phrase}
    return next((form for form in forms if _stems(form)[:1] and _stems(form)[0] in known), base)


@lru_cache(maxsize=1)
def _phrases() -> dict[tuple[str, ...], str]:
    """Every known phrase, as stems, with its canonical name."""
    affordances = load_catalogue().affordances
    return {
        _stems(phrase): name
        for name, words in affordances.items()
        for phrase in (name, *words.synonyms)
    } | {
        (*_stems(verb), _MORE): name
        for name, words in affordances.items()
        for verb in words.with_more
    }


@lru_cache(maxsize=4096)
def _stems(phrase: str) -> tuple[str, ...]:
    words = [word for word in phrase.split() if not _FILLERS.match(word)]
    return tuple(_stemmer().stemWords(words or phrase.split()))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer  # brings the rules of all its languages: a tenth of a second

    return snowballstemmer.stemmer("english")
