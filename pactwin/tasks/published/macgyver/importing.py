"""From the published files to a suite of text problems, and a report of all that was odd."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pactwin.suite import (
    ProgressCallback,
    Question,
    RatedAnswer,
    Scene,
    SuiteInfo,
    opaque_id,
    silent,
)
from pactwin.tasks.core.import_issues import RowIssueLog
from pactwin.tasks.core.imported import (
    ImportedScene,
    content_digest,
    imported_scene,
    write_imported,
)
from pactwin.tasks.published.macgyver.issues import MacgyverReport
from pactwin.tasks.published.macgyver.source import (
    BENCHMARK,
    HUMAN,
    PROBLEMS,
    SOLVED,
    ProblemRow,
    Published,
    read_published,
)
from pactwin.tasks.published.macgyver.uses import uses_of

SUITE_NAME = "macgyver"
DOMAINS = {"unconventional": "unconventional", "conventional": "conventional", "N/A": "unsolvable"}
"""``Unconventional?`` as published, and the domain of such problems."""
_CLAIMS = {"Yes": "solvable", "No": "unsolvable"}
_PRINTED = {
    f"{PROBLEMS}: Unconventional?": "unconventional 1,073 and conventional 233, says the paper",
    f"{BENCHMARK}: model": "4,100 answers, says the paper; 4,700, says the release",
}


def import_macgyver(
    root: Path, out: Path, progress: ProgressCallback = silent
) -> tuple[SuiteInfo, MacgyverReport]:
    """Write the suite at ``out`` and its report, or go on with a suite that is half-written.

    Every row of the three files is in the suite, or among the report's issues with the reason why
    not. Raises InvalidInputError for a folder or file that is not MacGyver's, SuiteError if
    ``out`` holds something else, EnvironmentFaultError where it cannot be written.
    """
    issues = RowIssueLog()
    published = read_published(root, issues)

    def scenes() -> Iterator[ImportedScene]:
        for done, row in enumerate(published.problems.values(), start=1):
            scene = imported_scene(_id(row.id, "scene"), DOMAINS[row.unconventional])
            yield ImportedScene(scene, [_question(scene, row, published)])
            progress("problems", done, len(published.problems))

    def report(questions: Sequence[Question]) -> MacgyverReport:
        uses = Counter(use for question in questions for use in question.uses)
        return MacgyverReport(
            **dict(issues.report()),
            values={column: dict(counts) for column, counts in published.values.items()},
            published=_PRINTED,
            uses=dict(uses.most_common()),
        )

    data = content_digest(root / name for name in (PROBLEMS, HUMAN, BENCHMARK)).hexdigest()
    return write_imported(out, SUITE_NAME, {"data": data}, ["openpyxl"], scenes(), report)


def _question(scene: Scene, row: ProblemRow, published: Published) -> Question:
    """The problem with all published answers; its rationale is a solution only if rated as one."""
    reference = row.solution if row.label in SOLVED else ""
    answers = [RatedAnswer(source=PROBLEMS, rating=row.label, text=row.solution)]
    answers += [
        RatedAnswer.model_validate(
            {"source": a.source, "rating": a.rating, "claim": _CLAIMS.get(a.claim, "")}
            | {"text": a.text}
        )
        for a in published.answers.get(row.id, ())
    ]
    return Question(
        id=_id(row.id, "question"),
        scene_id=scene.id,
        kind="problem",
        form="open",
        text=row.problem,
        truth=_CLAIMS[row.solvable],
        rationale=reference,
        objects=(),
        views=(),
        topic=row.id,
        answers=tuple(answers),
        uses=uses_of(reference) if row.solvable == "Yes" else (),
    )


def _id(*parts: str) -> str:
    return opaque_id("\0".join((SUITE_NAME, *parts)))
