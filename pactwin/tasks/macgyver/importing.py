"""From the published files to a suite of text problems, and a report of all that was odd."""

import hashlib
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from pactwin.suite import (
    ProgressCallback,
    Question,
    RatedAnswer,
    Scene,
    SuiteInfo,
    SuiteWriter,
    opaque_id,
    silent,
)
from pactwin.tasks.core.import_issues import RowIssueLog, write_report
from pactwin.tasks.macgyver.issues import MacgyverReport
from pactwin.tasks.macgyver.source import (
    BENCHMARK,
    HUMAN,
    PROBLEMS,
    SOLVED,
    ProblemRow,
    Published,
    read_published,
)
from pactwin.tasks.macgyver.uses import uses_of

SUITE_NAME = "macgyver"
DOMAINS = {"unconventional": "unconventional", "conventional": "conventional", "N/A": "unsolvable"}
"""``Unconventional?`` as published, and the domain of such problems."""
_CLAIMS = {"Yes": "solvable", "No": "unsolvable"}
_PRINTED = {
    f"{PROBLEMS}: Unconventional?": "unconventional 1,073 and conventional 233, says the paper",
    f"{BENCHMARK}: model": "4,100 answers, says the paper; 4,700, says the release",
}


def macgyver_report_path(out: Path) -> Path:
    """Where the report of an import into the suite at ``out`` is: beside it."""
    return out.with_name(out.name + ".import.json")


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
    digest = hashlib.sha256()
    for name in (PROBLEMS, HUMAN, BENCHMARK):
        if (root / name).is_file():
            digest.update(name.encode() + hashlib.sha256((root / name).read_bytes()).digest())
    questions: dict[str, Question] = {}
    with SuiteWriter.open(
        out,
        name=SUITE_NAME,
        request={"source": SUITE_NAME, "data": digest.hexdigest()},
        made_by=f"pactwin {version('pactwin')}",
        packages={"openpyxl": version("openpyxl")},
        gl_renderer="none",
    ) as writer:
        for done, row in enumerate(published.problems.values(), start=1):
            scene = _scene(row)
            questions[scene.id] = _question(scene, row, published)
            if writer.info is None and done > writer.units_done:
                writer.add((scene,), {}, {})
            progress("problems", done, len(published.problems))
        uses = Counter(use for question in questions.values() for use in question.uses)
        report = MacgyverReport(
            files=issues.counts(),
            values={column: dict(counts) for column, counts in published.values.items()},
            published=_PRINTED,
            issues_by_kind=issues.by_kind(),
            uses=dict(uses.most_common()),
            issues=tuple(issues.all),
        )
        write_report(report, macgyver_report_path(out))
        if writer.info is None:
            writer.finish(lambda scenes: [questions[scenes[0].id]])
    if writer.info is None:
        raise RuntimeError("a finished suite has its info")
    return writer.info, report


def _scene(row: ProblemRow) -> Scene:
    """What there is of a problem beside its words: an id."""
    return Scene(
        id=_id(row.id, "scene"),
        domain=DOMAINS[row.unconventional],
        source="imported",
        seed=0,
        robot="",
        objects=(),
        views=(),
    )


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
