"""Score replies by the rules of PhysTool-Bench's scripts, including their faults.

Differences from pactwin's rules (all in docs/phystoolbench.md): in Task I, a name that contains
another matches it, and pictures of the same combination are scored against the later one's tools.
In Task II, matches from a judge precede equal names, tools named twice count once, SR@k leaves out
tasks with fewer tools, and failed answers are in no denominator.
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pactwin.suite import Question, Suite
from pactwin.tasks.core.results import Row
from pactwin.tasks.kinds.lists.matching import differ_in_number
from pactwin.tasks.kinds.lists.records import ToolRow
from pactwin.tasks.kinds.lists.scoring import K_VALUES
from pactwin.tasks.published.contract import PublishedTable, Scores, Verify, by_model

FUZZY_THRESHOLD = 0.75
_PART_OF = 0.85
"""Minimum similarity when one name contains the other."""


@dataclass(frozen=True)
class Query:
    """Gold answer of one query: all ``shown`` tools, and the needed ones with their steps."""

    original_id: str
    slot: int
    shown: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    ordered: bool = True
    matches: Mapping[str, str] = field(default_factory=dict)


def score_as_phystool(
    suite: Suite, rows: Sequence[Row], verify: Verify | None = None
) -> list[PublishedTable]:
    """Scores of every model in ``rows``, from the text of its replies.

    As in the scripts any text counts, including refusals and truncated replies; empty ones do not.
    """
    queries = queries_of(suite.questions())
    found: list[Scores] = []
    for model, mine in by_model(row for row in rows if isinstance(row, ToolRow)).items():
        asked = {kind: [r for r in mine if r.kind == kind] for kind in ("recognition", "plan")}
        given = {
            kind: [(r.published_id, r.reply.strip()) for r in some if r.reply.strip()]
            for kind, some in asked.items()
        }
        lists = [(key, said) for key, reply in given["recognition"] if (said := listed(reply))]
        scores = {
            ("I", f"{metric}, {method}"): score
            for method in ("fuzzy", "string")
            for metric, score in recognition_scores(queries, lists, method).items()
        }
        scores |= {("II", m): score for m, score in plan_scores(queries, given["plan"]).items()}
        for (task, metric), (value, n) in scores.items():
            of = len(asked["recognition" if task == "I" else "plan"])
            row = {"model": model, "task": task, "metric": metric, "published": value}
            found += [{**row, "answered": n, "asked": of}] if of else []
    note = "Means over the answers that the published scripts count, of all that was asked."
    return [PublishedTable(title="Tools", note=note, rows=tuple(found))]


def listed(reply: str) -> list[str]:
    """Names that Task I parses from a reply; a reply without names is asked again, never scored."""
    return [part.strip() for part in reply.split(",") if part.strip()]


def queries_of(questions: Iterable[Question]) -> dict[str, Query]:
    """Gold answers by key (``ID_slot_N``), in the suite's order, from each query's questions."""
    parts: dict[str, dict] = {}
    for question in questions:
        known = parts.setdefault(question.topic, {})
        if question.kind == "recognition":
            known["shown"] = question.accepted
        elif question.kind in ("plan", "named_plan"):
            known |= {
                "tools": tuple(name.lower() for name in question.accepted),
                "steps": question.steps,
                "ordered": not question.order_free,
                "matches": question.synonyms,
            }
    found = {}
    for key, known in parts.items():
        original, _, slot = key.rpartition("_slot_")
        found[key] = Query(original, int(slot), **known)
    return found


def recognition_scores(
    queries: Mapping[str, Query],
    predictions: Sequence[tuple[str, Sequence[str]]],
    method: str,
    threshold: float = FUZZY_THRESHOLD,
) -> dict[str, tuple[float | None, int]]:
    """Task I: mean precision and recall over the pictures of ``predictions``, and their number.

    A picture is found by its original id alone, so that both slots are compared with the later
    one's tools.
    """
    last = {query.original_id: query.shown for query in queries.values()}
    precisions, recalls = [], []
    for key, items in predictions:
        said = [item.strip().lower() for item in items]
        left = [name.strip().lower() for name in last[queries[key].original_id]]
        hits = 0
        for item in said:
            match = _alike(item, left, threshold) if method == "fuzzy" else _named(item, left)
            if match:
                hits += 1
                left.remove(match)
        precisions.append(hits / len(said) if said else 0.0)
        recalls.append(hits / (hits + len(left)) if hits + len(left) else 0.0)
    return {"precision": _mean(precisions), "recall": _mean(recalls)}


def _alike(item: str, names: Sequence[str], threshold: float) -> str | None:
    """The most similar of ``names``, if similar enough; a part of a name counts as similar."""
    best, best_score = None, 0.0
    for name in names:
        score = difflib.SequenceMatcher(None, item, name).ratio()
        if item in name or name in item:
            score = max(score, _PART_OF)
        if score > best_score:
            best, best_score = name, score
    return best if best_score >= threshold else None


def _named(item: str, names: Sequence[str]) -> str | None:
    """The first of ``names`` that contains the item's words, or whose words the item contains.

    Unless the words they share are words of another name, too.
    """
    for name in names:
        joined = [text.replace(" ", "").rstrip("s") for text in (item, name)]
        if item == name or (joined[0] == joined[1] and joined[0]):
            return name
        words, others = set(item.split()), set(name.split())
        shared = words & others
        rest = [set(other.split()) for other in names if other != name]
        whole = shared and shared in (words, others)
        if whole and not any(shared <= other for other in rest):
            return name
    return None


def plan_scores(
    queries: Mapping[str, Query], predictions: Sequence[tuple[str, str]]
) -> dict[str, tuple[float | None, int]]:
    """Task II: every number of the script, with its number of queries."""
    precisions, recalls, exact = [], [], []
    prefixes: dict[int, list[float]] = {k: [] for k in K_VALUES}
    of_all, of_named = [], []
    for key, reply in predictions:
        query = queries[key]
        items = list(dict.fromkeys(_items(reply)))
        matched = _matches(query, items)
        # A name that is needed twice is found at its first step only.
        steps = [query.steps[query.tools.index(matched[i])] for i in items if i in matched]
        hits = len({matched[item] for item in items if item in matched})
        precisions.append(hits / len(items) if items else 0.0)
        recalls.append(hits / len(query.tools) if query.tools else 0.0)
        whole = len(items) == len(query.tools) == hits
        exact.append(float(whole and (not query.ordered or steps == sorted(steps))))
        if not query.ordered:
            continue
        for k in K_VALUES:
            if len(query.tools) >= k:
                prefixes[k].append(float(_succeeds(query, items[:k], matched, k)))
        total = sum(a < b for a, b in combinations(query.steps, 2))
        if total:
            right = sum(a < b for a, b in combinations(steps, 2))
            named = sum(a != b for a, b in combinations(steps, 2))
            of_all.append(right / total)
            of_named.append(right / named if named else 0.0)
    return {
        "precision": _mean(precisions),
        "recall": _mean(recalls),
        "exact match": _mean(exact),
        **{f"SR@{k}": _mean(found) for k, found in prefixes.items()},
        "pairwise order, of all pairs": _mean(of_all),
        "pairwise order, of pairs named": _mean(of_named),
    }


def _items(reply: str) -> list[str]:
    parts = (part.strip() for part in reply.strip().rstrip(".").split(","))
    return [part.lower() for part in parts if part]


def _matches(query: Query, items: Sequence[str]) -> dict[str, str]:
    """Match known matches first, then equal names, then plurals; the first of several wins.

    A known match with a name that is no tool of the task also prevents a match by equal names.
    """
    found = {str(said).lower(): str(name).lower() for said, name in query.matches.items()}
    for item in items:
        if item in query.tools:
            found.setdefault(item, item)
    for item in items:
        if item not in found:
            name = next((n for n in query.tools if differ_in_number(item, n)), None)
            if name is not None:
                found[item] = name
    taken: set[str] = set()
    kept: dict[str, str] = {}
    for item, name in found.items():
        if item in items and name in query.tools and name not in taken:
            taken.add(name)
            kept[item] = name
    return kept


def _succeeds(query: Query, first: Sequence[str], matched: Mapping[str, str], k: int) -> bool:
    if len(first) < k or any(item not in matched for item in first):
        return False
    names = [matched[item] for item in first]
    steps = [query.steps[query.tools.index(name)] for name in names]
    earlier = [n for n, step in zip(query.tools, query.steps, strict=True) if step < max(steps)]
    return steps == sorted(steps) and all(name in names for name in earlier)


def _mean(values: Sequence[float]) -> tuple[float | None, int]:
    return (sum(values) / len(values) if values else None), len(values)
