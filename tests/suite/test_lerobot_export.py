"""LeRobotDataset v3: what the files hold. LeRobot's own loader opens them in a nightly test."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow.parquet as pq
import pytest
from commands import invoke
from lerobot_episodes import JOINTS, made_motion, write_episode

from pactwin.suite import EpisodeMotion, InvalidInputError, Suite, export_lerobot
from pactwin.suite.exporting import lerobot_files

KEY = "observation.images.head"


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """Three episodes and one in which the robot did nothing."""
    for seed, frames in ((3, 7), (4, 12), (5, 5)):
        write_episode(tmp_path / "played" / f"{seed}", frames, seed)
    nothing = tmp_path / "played" / "no"
    nothing.mkdir()
    (nothing / "episode.json").write_text(json.dumps({"scene": "0" * 16, "decision": "no"}))
    return tmp_path / "played"


def tables(out: Path) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """Info, rows of data and of episodes."""
    info = json.loads((out / "meta" / "info.json").read_text())
    files = sorted((out / "data").rglob("*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    (episodes,) = (out / "meta" / "episodes").rglob("*.parquet")
    return info, rows, pq.read_table(episodes).to_pylist()


def test_episodes_have_their_joints_actions_and_films(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert export_lerobot(played, out) == {"episodes": 3, "frames": 24, "tasks": 2}
    info, rows, episodes = tables(out)
    assert (info["codebase_version"], info["fps"], info["robot_type"]) == ("v3.0", 12.5, "g1")
    assert (info["total_episodes"], info["total_frames"]) == (3, 24)
    assert info["features"][KEY]["shape"] == [48, 64, 3]
    assert info["features"]["action"]["names"] == list(JOINTS)
    assert [row["index"] for row in rows] == list(range(24))
    tasks = pq.read_table(out / "meta" / "tasks.parquet").to_pandas()
    for number, (seed, frames) in enumerate(((3, 7), (4, 12), (5, 5))):
        episode, motion = episodes[number], made_motion(frames, seed)
        mine = rows[episode["dataset_from_index"] : episode["dataset_to_index"]]
        assert len(mine) == episode["length"] == frames
        assert {row["episode_index"] for row in mine} == {number}
        assert [row["frame_index"] for row in mine] == list(range(frames))
        np.testing.assert_allclose(
            [row["timestamp"] for row in mine], np.arange(frames) / 12.5, atol=1e-5
        )
        for name, told in (("observation.state", "joints_rad"), ("action", "actions_rad")):
            np.testing.assert_allclose([r[name] for r in mine], getattr(motion, told), atol=1e-6)
        assert tasks.index[mine[0]["task_index"]] == f"lift cube {seed % 2}" == episode["tasks"][0]
        assert (episode["scene"], episode["success"]) == (f"{seed:016x}", seed % 3 == 0)
        place = episode[f"videos/{KEY}/chunk_index"], episode[f"videos/{KEY}/file_index"]
        film = out / info["video_path"].format(
            video_key=KEY, chunk_index=place[0], file_index=place[1]
        )
        assert film.read_bytes() == (played / f"{seed}" / "episode.mp4").read_bytes()
        assert episode[f"videos/{KEY}/to_timestamp"] == pytest.approx(frames / 12.5)
        assert cv2.VideoCapture(str(film)).get(cv2.CAP_PROP_FRAME_COUNT) == frames


def test_scenes_are_episodes_of_one_frame_with_depth(fake_suite_path, tmp_path, monkeypatch):
    monkeypatch.setattr(lerobot_files, "_DATA_BYTES", 60_000)  # several files
    suite, out = Suite.open(fake_suite_path), tmp_path / "out"
    result = invoke("export", "lerobot", fake_suite_path, out)
    assert f"{suite.info.counts['scenes']} episodes" in result.stdout
    info, rows, episodes = tables(out)
    assert info["video_path"] is None
    assert len(list((out / "data").rglob("*.parquet"))) > 1
    for row, episode, scene in zip(rows, episodes, suite.scenes(), strict=True):
        assert (episode["scene"], episode["twin"]) == (scene.id, scene.twin_id)
        assert episode["feasible"] == scene.decided.feasible
        file = info["data_path"].format(
            chunk_index=episode["data/chunk_index"], file_index=episode["data/file_index"]
        )
        assert row["index"] in pq.read_table(out / file)["index"].to_pylist()
        for view in scene.views:
            key = f"observation.images.{view.camera.name}"
            assert row[key]["bytes"] == suite.resolve(view.image).read_bytes()
            assert row[f"{key}_depth"]["bytes"] == suite.resolve(str(view.depth)).read_bytes()
            depth = info["features"][f"{key}_depth"]
            assert depth["shape"] == [view.camera.height_px, view.camera.width_px, 1]
            assert depth["info"] == {"is_depth_map": True, "depth_unit": "mm"}


def test_what_cannot_be_one_dataset_is_refused(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    other = made_motion(5, 6, ("right_shoulder", *JOINTS[1:]))
    short = made_motion(4, 6)
    for folder, given, said in (
        ("joints", {"motion": other}, "other joints: export them apart"),
        ("frames", {"motion": short}, "has 5 frames, not 4"),
        ("cameras", {"film": ["side"]}, "no such feature"),
        ("unfilmed", {"film": []}, "has no film: run it again with --film"),
    ):
        write_episode(played / folder, 5, 6, **given)
        refused = invoke("export", "lerobot", played, out, code=2)
        assert said in refused.stderr and folder in refused.stderr and not out.exists()
        for file in (played / folder).iterdir():
            file.unlink()
    with pytest.raises(InvalidInputError, match="no episode in which the robot moved"):
        export_lerobot(played / "no", out)
    with pytest.raises(ValueError, match="one action per frame"):
        EpisodeMotion(fps=1, joints=("a",), joints_rad=((0,), (1,)), actions_rad=((0,),))
