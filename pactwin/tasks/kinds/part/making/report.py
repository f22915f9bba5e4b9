"""Knowledge base and plans of a generated suite, stored beside it as JSON."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter

from pactwin.catalogue import Entity
from pactwin.suite import Record, read_json, write_file
from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase
from pactwin.tasks.kinds.part.making.planning import UsePlan


class KnownPart(Record):
    """Uses that a part serves at the usual limits with their levels, and its cluster's number."""

    affordances: dict[str, int]
    cluster: int


class KnowledgeReport(Record):
    """Measured objects, uses of their parts, and the plan of each question by its id."""

    entities: dict[str, Entity]
    parts: dict[str, dict[str, KnownPart]]
    plans: dict[str, UsePlan]


def knowledge_path(out: Path) -> Path:
    """Path of the knowledge base of the suite at ``out``, beside the suite."""
    return out.with_name(out.name + ".knowledge.json")


def read_knowledge(path: Path) -> KnowledgeReport:
    """Read a file of :func:`write_knowledge`; InvalidInputError for anything else."""
    return read_json(TypeAdapter(KnowledgeReport), path, "a knowledge base")


def write_knowledge(known: KnowledgeBase, plans: Mapping[str, UsePlan], path: Path) -> None:
    """Write the knowledge base and the plans, by question id.

    Raises EnvironmentFaultError if it cannot be written.
    """
    parts: dict[str, dict[str, KnownPart]] = {}
    for kind, part in known.parts:
        parts.setdefault(kind, {})[part] = KnownPart(
            affordances=known.affordances(kind, part), cluster=known.clusters[kind, part]
        )
    report = KnowledgeReport(entities=dict(known.entities), parts=parts, plans=dict(plans))
    write_file(path, report.model_dump_json(indent=1) + "\n")
