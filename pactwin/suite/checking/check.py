"""Check a whole suite: every fault is reported, and malformed content never stops the check."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pactwin.suite.checking.faults import Fault
from pactwin.suite.checking.files import check_files
from pactwin.suite.checking.ladders import check_ladder
from pactwin.suite.checking.twins import check_single, check_twins
from pactwin.suite.checking.views import check_views
from pactwin.suite.digest import ContentHash
from pactwin.suite.errors import SuiteError
from pactwin.suite.parsing import R, parse_record
from pactwin.suite.progress import ProgressCallback, silent
from pactwin.suite.questions import Question
from pactwin.suite.reader import INFO_FILE, QUESTIONS_FILE, SCENES_FILE, Suite, read_info
from pactwin.suite.records import Scene

_ORDER_ALPHA = 1e-3


def check_suite(path: Path | str, progress: ProgressCallback = silent) -> list[Fault]:
    """Faults of the suite at ``path``; empty if there are none.

    It checks the schema, hash and presence of every file, twins, questions, visibility (recomputed
    from the masks), pictures, ids and their order, counts and the content hash. :func:`check_leaks`
    tests separately whether anything reveals the labels.
    """
    path = Path(path)
    try:
        suite = Suite(path, read_info(path))
    except SuiteError as error:
        return [Fault("suite", str(path), str(error))]
    faults = list(check_files(suite, progress))
    found = _Found()
    questions = _questions_by_scene(suite, found, faults)
    faults += _check_scenes(suite, questions, found, progress)
    for scene_id, orphans in questions.items():
        faults += [Fault("question", q.id, f"is about {scene_id}, no scene") for q in orphans]
    faults += _check_truths(found.truths)
    faults += _check_order(found)
    if found.whole:
        faults += _check_totals(suite, found)
    return faults


@dataclass
class _Found:
    """State of a check, collected while records are read."""

    content: ContentHash = field(default_factory=ContentHash)
    counts: Counter[str] = field(
        default_factory=lambda: Counter(pairs=0, scenes=0, views=0, questions=0)
    )
    whole: bool = True
    ids: set[str] = field(default_factory=set)
    infeasible_first: int = 0
    infeasible_lower_id: int = 0
    opposite_pairs: int = 0
    truths: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    ladders: set[str] = field(default_factory=set)


def _records(
    suite: Suite, name: str, model: type[R], found: _Found, faults: list[Fault]
) -> Iterator[R]:
    """Readable records of a file; other lines become faults."""
    try:
        for number, line in enumerate(suite.lines(name), start=1):
            try:
                record = parse_record(model, line, f"line {number}")
            except SuiteError as error:
                found.whole = False
                faults.append(Fault("schema", name, str(error)))
            else:
                yield record
    except SuiteError:  # check_files has named it
        found.whole = False


def _questions_by_scene(
    suite: Suite, found: _Found, faults: list[Fault]
) -> dict[str, list[Question]]:
    questions: dict[str, list[Question]] = defaultdict(list)
    for question in _records(suite, QUESTIONS_FILE, Question, found, faults):
        if question.id in found.ids:
            faults.append(Fault("ids", question.id, "is the id of more than one record"))
        found.ids.add(question.id)
        found.content.add_question(question)
        found.counts["questions"] += 1
        questions[question.scene_id].append(question)
    return questions


def _check_scenes(
    suite: Suite, questions: dict[str, list[Question]], found: _Found, progress: ProgressCallback
) -> list[Fault]:
    faults: list[Fault] = []
    alone: dict[str, Scene] = {}
    total = suite.info.counts.get("scenes", 0)
    previous = None
    ladder: list[tuple[Scene, list[Question]]] = []
    for done, scene in enumerate(_records(suite, SCENES_FILE, Scene, found, faults), start=1):
        if scene.id in found.ids:
            faults.append(Fault("ids", scene.id, "is the id of more than one record"))
        found.ids.add(scene.id)
        found.content.add_scene(scene, suite.info.files)
        found.counts.update(scenes=1, views=len(scene.views))
        faults += check_views(suite, scene)
        if ladder and (scene.step is None or scene.step.ladder != _name(ladder)):
            faults += _check_ladder(ladder, found)
            ladder = []
        if scene.twin_id is None:
            asked_alone = questions.pop(scene.id, [])
            faults += check_single(scene, asked_alone)
            if scene.step is not None:
                ladder.append((scene, asked_alone))
            previous = scene.id
            progress("scenes", done, max(done, total))
            continue
        twin = alone.pop(scene.twin_id, None)
        if twin is None:
            alone[scene.id] = scene
        else:
            if twin.twin_id != scene.id:
                faults.append(Fault("twins", twin.id, f"is not the twin of {scene.id} in turn"))
            if twin.id != previous:
                faults.append(Fault("twins", scene.id, "does not stand beside its twin"))
            found.counts.update({"pairs": 1, f"pairs/{twin.domain}": 1})
            asked = questions.pop(twin.id, []), questions.pop(scene.id, [])
            faults += check_twins(twin, scene, *asked)
            _note_pair(found, twin, scene, asked)
        previous = scene.id
        progress("scenes", done, max(done, total))
    if ladder:
        faults += _check_ladder(ladder, found)
    for scene in alone.values():
        questions.pop(scene.id, None)
        faults.append(Fault("twins", scene.id, f"has no twin: {scene.twin_id} is missing"))
    return faults


def _name(ladder: list[tuple[Scene, list[Question]]]) -> str:
    step = ladder[0][0].step
    return "" if step is None else step.ladder


def _check_ladder(ladder: list[tuple[Scene, list[Question]]], found: _Found) -> Iterator[Fault]:
    """Check that a ladder's steps are adjacent, and count them."""
    scenes = [scene for scene, _ in ladder]
    found.counts.update({"ladders": 1, f"ladders/{scenes[0].domain}": 1})
    if _name(ladder) in found.ladders:
        yield Fault("ladder", _name(ladder), "does not have all its steps beside each other")
    found.ladders.add(_name(ladder))
    yield from check_ladder(scenes, [asked for _, asked in ladder])


def _note_pair(
    found: _Found, first: Scene, second: Scene, asked: tuple[list[Question], list[Question]]
) -> None:
    if first.decided.feasible != second.decided.feasible:
        found.opposite_pairs += 1
        infeasible, feasible = (second, first) if first.decided.feasible else (first, second)
        found.infeasible_first += infeasible is first
        found.infeasible_lower_id += infeasible.id < feasible.id
    for scene, questions in zip((first, second), asked, strict=True):
        for question in questions:
            if question.kind == "constraint" and question.form == "choice":
                found.truths[question.truth].add(scene.decided.constraint.value)


def _check_truths(truths: dict[str, set[str]]) -> Iterator[Fault]:
    """Check that a choice's wordings mean one constraint throughout the suite."""
    for words, constraints in sorted(truths.items()):
        if len(constraints) > 1:
            named = ", ".join(sorted(constraints))
            yield Fault("question", QUESTIONS_FILE, f"{words!r} is the truth for {named}")


def _check_order(found: _Found) -> Iterator[Fault]:
    """Check that neither the order in the file nor that of ids predicts the infeasible twin."""
    from scipy.stats import binomtest

    if not found.opposite_pairs:
        return
    for what, count in (
        ("comes first in the file", found.infeasible_first),
        ("has the lower id", found.infeasible_lower_id),
    ):
        p = binomtest(count, found.opposite_pairs).pvalue
        if p < _ORDER_ALPHA:
            message = f"the infeasible twin {what} in {count} of {found.opposite_pairs} pairs"
            yield Fault("order", SCENES_FILE, f"{message} (p = {p:.1g})")


def _check_totals(suite: Suite, found: _Found) -> Iterator[Fault]:
    counts = dict(sorted(found.counts.items()))
    for key in sorted(counts.keys() | suite.info.counts.keys()):
        if counts.get(key, 0) != suite.info.counts.get(key, 0):
            message = f"says {suite.info.counts.get(key, 0)} {key}, there are {counts.get(key, 0)}"
            yield Fault("counts", INFO_FILE, message)
    info = suite.info
    if not found.content.fits(info.content_hash, info.counts, info.rejections):
        yield Fault("hash", INFO_FILE, "content_hash does not fit the records or pictures")
