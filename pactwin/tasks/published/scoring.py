"""Score answers by the rules of the benchmark that their suite was made from."""

from collections.abc import Collection, Sequence
from pathlib import Path

from pactwin.suite import InvalidInputError, Suite
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.log_files import logs_in
from pactwin.tasks.core.results import Row
from pactwin.tasks.published import BENCHMARKS, benchmark
from pactwin.tasks.published.contract import Benchmark, PublishedTable
from pactwin.tasks.running.log_check import require_asked
from pactwin.tasks.running.reading import read_rows


def benchmark_of(suite: Suite) -> Benchmark | None:
    """Benchmark from which ``suite`` was made; None for pactwin's own suites."""
    source = suite.info.request.get("source")
    return next((b for b in map(benchmark, BENCHMARKS) if b.suite_name == source), None)


def released_rows(suite: Suite, asked: Collection[str]) -> list[Row]:
    """Answers published with ``suite`` to the questions ``asked``, as rows."""
    declared = benchmark_of(suite)
    return declared.released(suite, asked) if declared and declared.released else []


def score_as_published(
    suite: Suite,
    logs: Sequence[Path] = (),
    verifier: str | None = None,
    judge_self: bool = False,
    log_dir: Path | str = "verifier-logs",
) -> tuple[list[PublishedTable], str]:
    """Tables of the answers in ``logs`` (files or folders), and notes on omissions.

    ``verifier`` is Inspect's name of a model; it must not be one of the evaluated models unless
    ``judge_self``. Raises InvalidInputError for that, for a suite that was not made from a
    benchmark, for required logs that are missing, unreadable or about another suite, for a verifier
    that the rules do not use, and the errors of asking the verifier.
    """
    declared = benchmark_of(suite)
    if declared is None:
        raise InvalidInputError(f"{suite.path} was not imported from a published benchmark")
    if bool(logs) == bool(declared.released):
        needs = "no logs: its own answers are scored" if logs else "the logs with the answers"
        raise InvalidInputError(f"{declared.title} needs {needs}")
    if verifier is not None and declared.verifier is None:
        raise InvalidInputError(f"the rules of {declared.title} ask no verifier: leave it out")
    rows = read_rows(logs_in(logs))
    for row in rows:
        if row.suite_hash != suite.info.content_hash:
            raise InvalidInputError(
                f"{row.model} answered about {row.suite_name} {row.suite_hash[:12]}, not about "
                f"{suite.path} ({suite.info.content_hash[:12]})"
            )
    require_asked(suite, rows)
    verify = None
    if verifier is not None and declared.verifier is not None:
        if not judge_self:
            refuse_self_judging(verifier, sorted({row.model.partition(" · ")[0] for row in rows}))
        verify = declared.verifier(verifier, log_dir)
    left_out = declared.unverified if verify is None else ""
    return [table for table in declared.score(suite, rows, verify) if table.rows], left_out
