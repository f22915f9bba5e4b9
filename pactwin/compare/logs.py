"""Reading logs, scoring them, and writing the JSON table and the report."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pactwin.compare.dependence import Curve, SceneKey, dependence, scenes_of
from pactwin.compare.judge_trust import LEAST_AGREEMENT, JudgeTrust, read_agreements
from pactwin.compare.metrics import score
from pactwin.compare.perceived import Perceived, perceived
from pactwin.compare.published import read_published
from pactwin.compare.report import write_report
from pactwin.compare.scores import Score, by_kind, decisions_of
from pactwin.compare.sim_to_real import SimToReal, one_source, sim_to_real
from pactwin.suite import (
    SEALED_DOMAIN,
    InvalidInputError,
    Scene,
    Suite,
    SuiteError,
    edition_folder,
    load_suite,
    write_file,
)
from pactwin.tasks import (
    FOREIGN_LOGS,
    KINDS,
    PUBLISHED,
    AnswerRow,
    PublishedTable,
    Row,
    foreign_reader,
    logs_in,
    read_header,
    read_newest,
    read_rows,
    released_rows,
    require_asked,
)


@dataclass(frozen=True)
class Comparison:
    """Answers with their scores and suites, and further contents of the report.

    ``released`` are answers published with a suite, scored beside the others. ``replaced`` are logs
    of which another one replaces answers to the same questions, each with the reason.
    """

    rows: list[Row]
    scores: list[Score]
    suites: list[Suite]
    published: list[PublishedTable]
    released: list[Row]
    trust: JudgeTrust
    perceived: Mapping[str, Perceived] = field(default_factory=dict)
    replaced: Mapping[Path, str] = field(default_factory=dict)

    @property
    def decisions(self) -> list[AnswerRow]:
        """Answers about feasibility, for scenes of every source."""
        return decisions_of(self.rows)

    @property
    def scenes(self) -> dict[SceneKey, Scene]:
        """Scenes of all suites that were found."""
        return scenes_of(self.suites)

    @property
    def curves(self) -> list[Curve]:
        """Curves of correctness over picture and scene quantities."""
        return dependence(one_source(self.decisions, self.scenes)[1], self.scenes)

    @property
    def sim_to_real(self) -> list[SimToReal]:
        """Comparison of simulated with captured answers, a panel per source."""
        return sim_to_real(self.decisions, self.scenes)

    def write_report(self, out_html: Path) -> None:
        """Write the page."""
        write_report(
            self.rows,
            self.scores,
            self.suites,
            out_html,
            published=self.published,
            released=self.released,
            trust=self.trust,
            perceived=self.perceived,
        )


def read_comparison(
    paths: Sequence[Path],
    suites: Sequence[Path] | None = None,
    published: Path | None = None,
    agreement: Path | None = None,
    least_agreement: float = LEAST_AGREEMENT,
    detections: str | None = None,
) -> Comparison:
    """Read and score the answers in logs (files, or folders of ``.eval`` files).

    Where a model answered a question in several logs, the newest counts whose run was completed.

    ``suites`` fill the report's gallery. If None, they are read from the paths in the logs; if such
    a suite is missing or has changed, the report has no gallery and says so. ``published`` is a
    file of ``pactwin compare --as-published --json``. ``agreement`` is a file of ``pactwin people
    agreement --json`` about judges of problems: conclusions need a judge whose lower bound of
    agreement reaches ``least_agreement``. Released answers to the same problems are scored too.
    ``detections`` names detection files to compare between a captured suite and its original.

    Raises InvalidInputError for unreadable logs, for logs that contradict their suite's questions,
    and for a suite that no log is about, or without such files; SuiteError for a given folder that
    is not a suite.
    """
    tables = [] if published is None else read_published(published)
    logs = logs_in(paths, FOREIGN_LOGS)
    rows, replaced = read_newest(logs)
    opened = _asked_suites(logs, rows, suites)
    trust = JudgeTrust(tuple(read_agreements(agreement)) if agreement else (), least_agreement)
    asked = {row.question_id for row in rows}
    released: list[Row] = [row for suite in opened for row in released_rows(suite, asked)]
    scores = score_all(rows, released, scenes_of(opened), trust)
    seen = {} if detections is None else perceived(opened, detections)
    return Comparison(rows, scores, opened, tables, released, trust, seen, replaced)


def read_asked(
    logs: Sequence[Path], suites: Sequence[Path] | None = None
) -> tuple[list[Row], list[Suite]]:
    """Read all answers in ``logs`` with their suites: ``suites``, or those that the logs name.

    Raises InvalidInputError for logs that disagree with each other, or with their suite, on
    questions or gold answers, and for logs about a sealed suite.
    """
    rows = read_rows(logs)
    return rows, _asked_suites(logs, rows, suites)


def _asked_suites(
    logs: Sequence[Path], rows: Sequence[Row], suites: Sequence[Path] | None
) -> list[Suite]:
    for row in rows:
        if row.domain == SEALED_DOMAIN:
            raise InvalidInputError(
                f"the log of {row.model} is about the sealed suite {row.suite_name}: "
                "its organiser computes the scores with `pactwin challenge grade`"
            )
    opened = _suites_of(logs, rows) if suites is None else _given(suites, rows)
    for suite in opened:
        require_asked(suite, rows)
    return opened


def compare_logs(
    paths: Sequence[Path],
    out_html: Path | None = None,
    json_path: Path | None = None,
    suites: Sequence[Path] | None = None,
) -> list[Score]:
    """Score the answers as :func:`read_comparison` does; write the requested files."""
    comparison = read_comparison(paths, suites)
    if json_path is not None:
        write_scores(comparison.scores, json_path)
    if out_html is not None:
        comparison.write_report(out_html)
    return comparison.scores


def score_all(
    rows: Sequence[Row],
    released: Sequence[Row],
    scenes: Mapping[SceneKey, Scene],
    trust: JudgeTrust,
) -> list[Score]:
    """Scores of all kinds that were asked, with caveats.

    Raises InvalidInputError if there are no rows.
    """
    if not rows:
        raise InvalidInputError("the logs hold no answers to compare")
    scores: list[Score] = []
    for kind, mine in by_kind([*rows, *released]).items():
        scoring = KINDS[kind].scoring
        chosen = one_source(decisions_of(mine), scenes)[1] if scoring.feasibility else mine
        cautions = {}
        for model in {row.model for row in chosen} if scoring.judged else ():
            cautions[model] = trust.caution([row for row in chosen if row.model == model])
        published = {row.model for row in chosen if row.strategy == PUBLISHED}
        scores += [
            replace(s, caution=cautions.get(s.model, ""), published=s.model in published)
            for s in score(chosen, rows)
        ]
    return scores


def write_scores(scores: Sequence[Score], path: Path) -> None:
    """Write scores as JSON: a list of flat records, None as null."""
    lines = ",\n".join(json.dumps(s.record(), allow_nan=False) for s in scores)
    write_file(path, f"[\n{lines}\n]\n")


def _given(paths: Sequence[Path], rows: Sequence[Row]) -> list[Suite]:
    asked = {row.suite_hash for row in rows}
    suites = [load_suite(path).suite for path in paths]
    for suite in suites:
        if suite.info.content_hash not in asked:
            raise InvalidInputError(
                f"no log is about {suite.path} (content hash {suite.info.content_hash[:12]}): "
                f"they are about {', '.join(sorted(h[:12] for h in asked))}"
            )
    return suites


def _suites_of(logs: Sequence[Path], rows: Sequence[Row]) -> list[Suite]:
    """The suites that the logs name, if their content is unchanged."""
    missing = {row.suite_hash for row in rows}
    suites = []
    for log in logs:
        if foreign_reader(log) is not None:
            continue  # it knows the suite's hash, not where it is: name it with --suite
        asked = read_header(log).eval
        named = asked.task_args.get("suite") or edition_folder(
            str((asked.metadata or {}).get("suite_hash"))
        )
        try:
            suite = load_suite(Path(str(named))).suite
        except (SuiteError, OSError, ValueError):  # no file can have any text as its path
            continue  # moved or changed: the report has no gallery of it, and says so
        if suite.info.content_hash in missing:
            missing.remove(suite.info.content_hash)
            suites.append(suite)
    return suites
