"""Base class of all records."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Base of all records: frozen, and strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")
