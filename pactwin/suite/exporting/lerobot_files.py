"""Files of a LeRobotDataset v3: data, videos, episodes, tasks, statistics, info."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pactwin.suite.errors import InvalidInputError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Features = dict[str, dict[str, Any]]
"""Features of a frame: dtype, shape and names by feature."""

_VERSION = "v3.0"
_FILES_PER_CHUNK = 1000
_DATA_BYTES = 100 * 2**20
_DATA_MB, _FILM_MB = 100, 200
_DATA, _EPISODES = (
    "data/chunk-{:03d}/file-{:03d}.parquet",
    "meta/episodes/chunk-000/file-000.parquet",
)
_FILM = "videos/{}/chunk-{:03d}/file-{:03d}.mp4"
_COUNTED = {
    "timestamp": "float32",
    "frame_index": "int64",
    "episode_index": "int64",
    "index": "int64",
    "task_index": "int64",
}
_QUANTILES = (0.01, 0.1, 0.5, 0.9, 0.99)
_EVERY_PX = 4

Stats = dict[str, np.ndarray]


@dataclass(frozen=True)
class Episode:
    """One episode: its task in words, values per frame by feature, videos, and pactwin's facts.

    ``pictures`` are examples (n, h, w, c) by feature, for statistics; ``name`` is for messages.
    """

    name: str
    features: Features
    task: str
    columns: Mapping[str, list[Any]]
    facts: Mapping[str, Any]
    pictures: Mapping[str, np.ndarray]
    films: Mapping[str, Path] = field(default_factory=dict)


class DatasetWriter:
    """Writes episodes one after another into ``folder``; :meth:`finish` closes the dataset.

    ``features`` are those of every episode, ``fps`` the frames per second.
    """

    def __init__(self, folder: Path, features: Features, fps: float, robot: str | None) -> None:
        self._folder, self._fps, self._robot = folder, fps, robot
        self._given = features
        self._features: Features = features | {
            name: {"dtype": dtype, "shape": [1], "names": None} for name, dtype in _COUNTED.items()
        }
        self._schema = _schema(self._features)
        self._tasks: dict[str, int] = {}
        self._episodes: list[dict[str, Any]] = []
        self._stats: list[dict[str, Stats]] = []
        self._frames = self._file = self._bytes = 0
        self._data: pq.ParquetWriter | None = None

    def _require_alike(self, episode: Episode) -> None:
        """Raise InvalidInputError if an episode has other features than the first one."""
        for key in sorted(episode.features.keys() | self._given.keys()):
            mine, theirs = self._given.get(key), episode.features.get(key)
            if mine != theirs:
                what = "no such feature" if theirs is None else f"shape {theirs['shape']}"
                first = "none" if mine is None else f"shape {mine['shape']}"
                raise InvalidInputError(
                    f"{episode.name}: {key} has {what} where the first episode has {first}, or "
                    "other joints: export them apart"
                )

    def add(self, episode: Episode) -> None:
        """Write the next episode: its rows, its videos and its metadata.

        Raises InvalidInputError that names a feature that differs from the first episode's.
        """
        self._require_alike(episode)
        number, first = len(self._episodes), self._frames
        length = len(next(iter(episode.columns.values())))
        task = self._tasks.setdefault(episode.task, len(self._tasks))
        counted = {
            "timestamp": np.arange(length, dtype=np.float32) / np.float32(self._fps),
            "frame_index": np.arange(length),
            "episode_index": np.full(length, number),
            "index": np.arange(first, first + length),
            "task_index": np.full(length, task),
        }
        chunk, file = divmod(self._write_rows({**episode.columns, **counted}), _FILES_PER_CHUNK)
        numeric = {
            key: np.asarray(values)
            for key, values in (*episode.columns.items(), *counted.items())
            if self._features[key]["dtype"] != "image"
        }
        stats = {key: _stats(values.reshape(length, -1)) for key, values in numeric.items()}
        stats |= {key: _picture_stats(found) for key, found in episode.pictures.items()}
        self._stats.append(stats)
        self._frames += length
        self._episodes.append(
            {
                "episode_index": number,
                "tasks": [episode.task],
                "length": length,
                "dataset_from_index": first,
                "dataset_to_index": self._frames,
                "data/chunk_index": chunk,
                "data/file_index": file,
                **self._copy_films(number, length, episode.films),
                "meta/episodes/chunk_index": 0,
                "meta/episodes/file_index": 0,
                **episode.facts,
                **{f"stats/{key}/{name}": value.tolist() for key, name, value in _flat(stats)},
            }
        )

    def _write_rows(self, columns: Mapping[str, Any]) -> int:
        """Append rows as one group to the current file, or a new one; its number."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table(
            {
                name: [{"bytes": data, "path": None} for data in values]
                if self._features[name]["dtype"] == "image"
                else values
                for name, values in columns.items()
            },
            schema=self._schema,
        )
        if self._data is not None and self._bytes + table.nbytes > _DATA_BYTES:
            self._data.close()
            self._data, self._bytes, self._file = None, 0, self._file + 1
        if self._data is None:
            path = self._folder / _DATA.format(*divmod(self._file, _FILES_PER_CHUNK))
            path.parent.mkdir(parents=True, exist_ok=True)
            self._data = pq.ParquetWriter(path, self._schema)
        self._data.write_table(table)
        self._bytes += table.nbytes
        return self._file

    def _copy_films(self, number: int, length: int, films: Mapping[str, Path]) -> dict[str, Any]:
        """Copy an episode's films, a file each; where they are."""
        said: dict[str, Any] = {}
        for key, film in films.items():
            chunk, file = divmod(number, _FILES_PER_CHUNK)
            path = self._folder / _FILM.format(key, chunk, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(film, path)
            place: dict[str, float] = {"chunk_index": chunk, "file_index": file}
            place |= {"from_timestamp": 0.0, "to_timestamp": length / self._fps}
            said |= {f"videos/{key}/{name}": value for name, value in place.items()}
        return said

    def finish(self) -> dict[str, int]:
        """Write the data set's metadata; returns the number of episodes, frames and tasks."""
        import pandas as pd
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._data is not None:
            self._data.close()
        path = self._folder / _EPISODES
        path.parent.mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(self._episodes), path)
        tasks = pd.DataFrame(
            {"task_index": list(self._tasks.values())}, index=pd.Index(self._tasks, name="task")
        )
        tasks.to_parquet(self._folder / "meta" / "tasks.parquet")
        counts = {
            "episodes": len(self._episodes),
            "frames": self._frames,
            "tasks": len(self._tasks),
        }
        films = any(feature["dtype"] == "video" for feature in self._features.values())
        info = {
            "codebase_version": _VERSION,
            "robot_type": self._robot,
            **{f"total_{what}": count for what, count in counts.items()},
            "chunks_size": _FILES_PER_CHUNK,
            "data_files_size_in_mb": _DATA_MB,
            "video_files_size_in_mb": _FILM_MB,
            "fps": self._fps,
            "splits": {"train": f"0:{counts['episodes']}"},
            "data_path": "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
            "video_path": "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
            if films
            else None,
            "features": self._features,
        }
        for name, said in (("info", info), ("stats", _pooled(self._stats))):
            text = json.dumps(said, indent=1, allow_nan=False) + "\n"
            (self._folder / "meta" / f"{name}.json").write_text(text, encoding="utf-8")
        return counts


def _schema(features: Features) -> "pa.Schema":
    import pyarrow as pa

    def arrow(feature: Mapping[str, Any]) -> "pa.DataType":
        if feature["dtype"] == "image":
            return pa.struct({"bytes": pa.binary(), "path": pa.string()})
        value = pa.type_for_alias(feature["dtype"])
        (size,) = feature["shape"]
        # One joint is still a list of joints; what is counted has no names.
        return value if feature["names"] is None else pa.list_(value, size)

    kept = {key: feature for key, feature in features.items() if feature["dtype"] != "video"}
    return pa.schema([pa.field(key, arrow(feature)) for key, feature in kept.items()])


def _stats(values: np.ndarray) -> Stats:
    """Statistics of values (n, k) over n."""
    found = {
        "min": values.min(0),
        "max": values.max(0),
        "mean": values.mean(0),
        "std": values.std(0),
        "count": np.array([len(values)]),
    }
    quantiles = np.quantile(values, _QUANTILES, axis=0)
    return found | {
        f"q{round(100 * q):02d}": row for q, row in zip(_QUANTILES, quantiles, strict=True)
    }


def _picture_stats(pictures: np.ndarray) -> Stats:
    """Statistics of pictures (n, h, w, c) per channel, (c, 1, 1); colours from 0 to 1, depth mm."""
    downsampled = pictures[:, ::_EVERY_PX, ::_EVERY_PX].reshape(-1, pictures.shape[-1])
    scale = 255.0 if pictures.dtype == np.uint8 else 1.0
    found = _stats(downsampled / scale)
    count = {"count": np.array([len(pictures)])}
    return {name: value[:, None, None] for name, value in found.items()} | count


def _flat(stats: Mapping[str, Stats]) -> list[tuple[str, str, np.ndarray]]:
    return [(key, name, value) for key, found in stats.items() for name, value in found.items()]


def _pooled(episodes: list[dict[str, Stats]]) -> dict[str, dict[str, Any]]:
    """Statistics of all episodes; quantiles are the means of theirs, as LeRobot pools them."""
    pooled: dict[str, dict[str, Any]] = {}
    for key in episodes[0]:
        found = [stats[key] for stats in episodes]
        weights = np.array([stats["count"][0] for stats in found], float)

        def mean(values: list[np.ndarray], weights: np.ndarray = weights) -> np.ndarray:
            return np.average(np.stack(values), axis=0, weights=weights)

        middle = mean([stats["mean"] for stats in found])
        squares = mean([stats["std"] ** 2 + (stats["mean"] - middle) ** 2 for stats in found])
        whole = {
            "min": np.min([stats["min"] for stats in found], axis=0),
            "max": np.max([stats["max"] for stats in found], axis=0),
            "mean": middle,
            "std": np.sqrt(squares),
            "count": np.array([int(weights.sum())]),
        }
        names = [name for name in found[0] if name.startswith("q")]
        whole |= {name: mean([stats[name] for stats in found]) for name in names}
        pooled[key] = {name: value.tolist() for name, value in whole.items()}
    return pooled
