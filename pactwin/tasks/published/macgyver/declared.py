"""MacGyver: problems stated in words, with rated answers of people and machines."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pactwin.suite import Question, RatedAnswer, Scene, opaque_id
from pactwin.tasks.published.contract import (
    Benchmark,
    ImportedScene,
    Source,
    content_digest,
    imported_scene,
)
from pactwin.tasks.published.issues import CountComparison, IssueLog
from pactwin.tasks.published.macgyver.scoring import released_rows, score_as_macgyver
from pactwin.tasks.published.macgyver.source import (
    BENCHMARK_FILE,
    CLAIMS,
    HUMAN,
    PROBLEMS,
    SOLVED,
    PublishedFiles,
    PublishedProblem,
    read_files,
)
from pactwin.tasks.published.macgyver.uses import uses_of

DOMAINS = {"unconventional": "unconventional", "conventional": "conventional", "N/A": "unsolvable"}
"""Domain of problems by their published ``Unconventional?``."""
_UNCONVENTIONAL = f"{PROBLEMS}: Unconventional?"
_ANSWERS = f"{BENCHMARK_FILE}: model"


def read(root: Path, issues: IssueLog) -> Source:
    """Read the problems, each with all published answers."""
    files = read_files(root, issues)
    uses: Counter[str] = Counter()

    def scenes() -> Iterator[ImportedScene]:
        for problem in files.problems.values():
            scene = imported_scene(_id(problem.id, "scene"), DOMAINS[problem.unconventional])
            question = _question(scene, problem, files)
            uses.update(question.uses)
            yield ImportedScene(scene, [question])

    def found() -> Mapping[str, Any]:
        values = {name: dict(counts) for name, counts in files.values.items()}
        counts = (
            ("unconventional problems", files.values[_UNCONVENTIONAL]["unconventional"], (1073,)),
            ("conventional problems", files.values[_UNCONVENTIONAL]["conventional"], (233,)),
            ("rated answers", files.values[_ANSWERS].total(), (4100, 4700)),
        )
        return {
            "values": {**values, "uses": dict(uses.most_common())},
            "counts": [CountComparison(what=w, found=n, published=p) for w, n, p in counts],
        }

    data = content_digest(root / name for name in (PROBLEMS, HUMAN, BENCHMARK_FILE)).hexdigest()
    return Source(data, len(files.problems), scenes, found)


def _question(scene: Scene, problem: PublishedProblem, files: PublishedFiles) -> Question:
    """The problem with all published answers; a solution is its rationale only if rated valid."""
    reference = problem.solution if problem.label in SOLVED else ""
    first = RatedAnswer(source=PROBLEMS, rating=problem.label, text=problem.solution)
    return Question(
        id=_id(problem.id, "question"),
        scene_id=scene.id,
        kind="problem",
        form="open",
        text=problem.problem,
        truth=CLAIMS[problem.solvable],
        rationale=reference,
        objects=(),
        views=(),
        topic=problem.id,
        answers=(first, *files.answers.get(problem.id, ())),
        uses=uses_of(reference) if problem.solvable == "Yes" else (),
    )


def _id(*parts: str) -> str:
    return opaque_id("\0".join(("macgyver", *parts)))


BENCHMARK = Benchmark(
    "MacGyver", "macgyver", read, score_as_macgyver, ("openpyxl",), released=released_rows
)
