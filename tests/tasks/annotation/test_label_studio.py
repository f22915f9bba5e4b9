"""The round trip with a real Label Studio server: what was annotated there is what is read here."""

from pathlib import Path

import pytest
from fake_objects import CAMERAS, make_fake_objects
from fakes import make_fake_suite
from label_studio import EXECUTABLE, Client, label_studio

from pactwin.suite import Suite
from pactwin.tasks.annotation.project import write_projects
from pactwin.tasks.annotation.reading import read_exports


@pytest.mark.skipif(EXECUTABLE is None, reason="LABEL_STUDIO names no server (docs/annotating.md)")
@pytest.mark.timeout(600)
def test_labels_come_back_from_the_server_as_they_were_given(tmp_path: Path) -> None:
    suite = Suite.open(make_fake_suite(tmp_path / "suite", n_pairs=6, seed=4))
    questions = {question.id: question for question in suite.questions()}
    write_projects(suite, tmp_path / "out", "front+side", seed=1)
    given: dict[str, str] = {}
    with label_studio(tmp_path / "server") as server:
        project = server.create("round trip", tmp_path / "out" / "constraints")
        for number, task in enumerate(server.tasks(project)):
            asked = task["data"]["questions"]
            if number == 2:
                server.annotate(task["id"], [], was_cancelled=True)
                given |= dict.fromkeys(asked.values(), "")
                continue
            options = {"yes_no": ("yes", "no"), "choice": questions[asked["choice"]].options}
            said = {field: options[field][number % len(options[field])] for field in asked}
            result = [
                {
                    "from_name": field,
                    "to_name": "picture1",
                    "type": "choices",
                    "value": {"choices": [answer]},
                }
                for field, answer in said.items()
            ]
            server.annotate(task["id"], result, lead_time=5 + number)
            given |= {asked[field]: answer for field, answer in said.items()}
        export = server.export(project, tmp_path / "export.json")
        uses = _uses_come_back(server, tmp_path)
    assert uses
    answers = read_exports(suite, [export])
    assert {answer.question_id: answer.answer for answer in answers} == given
    assert {answer.annotator for answer in answers} == {"a1"}
    assert {answer.seconds for answer in answers if answer.says} == {
        5.0 + n for n in range(len(given) // 2) if n != 2
    }


def _uses_come_back(server: Client, folder: Path) -> bool:
    """Properties and text fields of an object, through the same server."""
    suite = Suite.open(make_fake_objects(folder / "objects", ["mug"], CAMERAS[:3]))
    questions = {question.id: question for question in suite.questions()}
    write_projects(suite, folder / "more", "+".join(CAMERAS[:2]), seed=1)
    project = server.create("objects", folder / "more" / "objects")
    (task,) = server.tasks(project)
    result = []
    for field, id in task["data"]["questions"].items():
        name, kind, value = field, "choices", {"choices": [questions[id].truth]}
        if field == "affordance":
            name, kind, value = "affordance2", "textarea", {"text": ["drink <b>from</b> it"]}
        result.append({"from_name": name, "to_name": "picture1", "type": kind, "value": value})
    server.annotate(task["id"], result)
    answers = read_exports(suite, [server.export(project, folder / "objects.json")])
    for answer in answers:
        if questions[answer.question_id].kind == "property":
            assert answer.answer == questions[answer.question_id].truth
        else:
            assert answer.items == ("drink <b>from</b> it",)
    return len(answers) == len(questions)
