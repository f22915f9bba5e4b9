"""Rows with pictures as Parquet: streamed, in shards, each picture once per row group."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasets import Features

_SHARD_BYTES = 400 * 2**20
_ROW_GROUP_BYTES = 32 * 2**20


def write_parquet(
    folder: Path,
    features: "Features",
    rows: Iterator[dict[str, Any]],
    advance: Callable[[int], None] = lambda done: None,
) -> int:
    """Stream rows into shards in the new ``folder``; returns the number of shards, at least one.

    ``advance`` is called with the number of rows written. Neighbouring rows with the same picture
    share it through the column's dictionary.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    schema = features.arrow_schema
    number, shard, more = 0, 0, True
    while more:
        path = folder / f"{shard:05d}.parquet"
        with pq.ParquetWriter(
            path, schema, compression="zstd", dictionary_pagesize_limit=_ROW_GROUP_BYTES
        ) as writer:
            size, more = 0, False
            group: list[dict[str, Any]] = []
            group_bytes = 0
            for row in rows:
                number += 1
                group.append(features.encode_example(row))
                group_bytes += _bytes_of(row)
                advance(number)
                if group_bytes >= _ROW_GROUP_BYTES:
                    writer.write_table(pa.Table.from_pylist(group, schema=schema))
                    size, group, group_bytes = size + group_bytes, [], 0
                    if size >= _SHARD_BYTES:
                        more = True
                        break
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
        shard += 1
    return number


def _bytes_of(value: Any) -> int:
    """About how much memory a value takes: its pictures and its texts."""
    if isinstance(value, dict):
        return sum(map(_bytes_of, value.values()))
    if isinstance(value, list):
        return sum(map(_bytes_of, value))
    return len(value) if isinstance(value, (bytes, str)) else 0
