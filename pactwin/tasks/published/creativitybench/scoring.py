"""Score replies by the rules of CreativityBench's script, including its faults.

A reply is its JSON from the first brace to the last; it is judged only if it says how the part is
used. A name that matches nothing counts as the first candidate, which is the gold one. A part is
searched among the parts that were compared. These do not include the gold part, so only its exact
name matches; a part of that name in any other object counts as correct.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from pactwin.suite import Question, Suite, load_suite
from pactwin.tasks.core.results import Row
from pactwin.tasks.kinds.part.matching import GOLD, HALLUCINATION, core
from pactwin.tasks.kinds.part.records import UseRow
from pactwin.tasks.published.contract import PublishedTable, Scores, Verify, by_model

_BRACES = re.compile(r"\{.*\}", re.DOTALL)
_FIELDS = {"gold_entity": "entity", "gold_part": "part", "how_to_use": "use"}


def score_as_creativitybench(
    suite: Suite, rows: Sequence[Row], verify: Verify | None = None
) -> list[PublishedTable]:
    """Scores by the published script over the replies that it judges."""
    questions = load_suite(suite.path).questions
    found: list[Scores] = []
    for model, mine in by_model(row for row in rows if isinstance(row, UseRow)).items():
        read = [(row.question_id, published_answer(row.reply)) for row in mine]
        given = [(id, answer) for id, answer in read if answer is not None]
        counts = Counter({"gold correct": 0, "entity correct": 0, "part correct": 0})
        relations: Counter[str] = Counter()
        for id, answer in given:
            entity, part, relation = published_match(questions[id], *answer)
            counts["gold correct"] += entity and part
            counts["entity correct"] += entity
            counts["part correct"] += part
            relations[f"relation: {relation}"] += 1
        for metric, count in (*counts.items(), *sorted(relations.items())):
            share = count / len(given) if given else None
            row = {"model": model, "metric": metric, "published": share, "count": count}
            found.append({**row, "answered": len(given), "asked": len(mine)})
    note = "Shares of the answers that the published script judges, of all that was asked."
    return [PublishedTable(title="Part that could serve", note=note, rows=tuple(found))]


def published_answer(reply: str) -> tuple[str, str] | None:
    """Object and part that the script parses from a reply; None if it does not judge the reply.

    Field names of both CreativityBench and pactwin are accepted.
    """
    found = _BRACES.search(reply)
    try:
        record = json.loads(found.group()) if found else {}
    except (ValueError, RecursionError):
        return None
    entity, part, use = (
        record.get(theirs, record.get(ours, "")) for theirs, ours in _FIELDS.items()
    )
    for value in (entity, part, use):  # it looks at no more of them than it has to
        if not isinstance(value, str):
            return None
        if value.strip():
            break
    else:
        return None
    if not use:
        return None
    return str(entity or ""), str(part or "")


def published_match(question: Question, entity: str, part: str) -> tuple[bool, bool, str]:
    """Return whether object and part count as correct, and the match type."""
    gold_entity, gold_part = question.accepted
    judged: Mapping[str, Mapping[str, str]] = {
        thing.name: thing.likeness for thing in question.candidates if thing.parts or thing.likeness
    }
    best_entity = _nearest(entity, list(judged))
    parts = list(judged[best_entity]) or [gold_part]
    best_part = _nearest(part, parts)
    right_entity = entity == gold_entity or core(best_entity) == core(gold_entity)
    right_part = part == gold_part or core(best_part) == core(gold_part)
    if right_entity and right_part:
        return True, True, GOLD
    return right_entity, right_part, judged[best_entity].get(best_part, HALLUCINATION)


def _nearest(said: str, names: Sequence[str]) -> str:
    """The first of ``names`` that shares most words with ``said``; the first one if none does."""
    return max(names, key=lambda name: _shared(said, name))  # the first of the best


def _shared(first: str, second: str) -> float:
    """F1 of the words of two names."""
    one, other = Counter(core(first).split()), Counter(core(second).split())
    both = (one & other).total()
    if not both:
        return 0.0
    precision, recall = both / one.total(), both / other.total()
    return 2 * precision * recall / (precision + recall)
