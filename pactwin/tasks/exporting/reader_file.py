"""Standalone reader for exports: parsing, marking and scoring in one standard-library file.

It concatenates the modules themselves without their imports. Private names that occur in two
modules get the module's name as a suffix; nothing else is changed.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pactwin.solvers import PARSER_VERSION
from pactwin.suite import PactwinError

READER_FILE = "pactwin_reader.py"

_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("suite.taxonomy", ()),
    ("suite.constraint_families", ("SCENE_CONSTRAINTS",)),
    ("suite.records", ("Form", "SET_FORMS")),
    ("solvers.replies.text", ()),
    ("solvers.replies.vocabulary", ()),
    ("solvers.replies.places", ()),
    ("solvers.replies.choice", ()),
    ("solvers.replies.reasons", ()),
    ("solvers.replies.selection", ()),
    ("solvers.replies.yes_no", ()),
    ("solvers.replies.parsing", ()),
    ("solvers.outputs", ()),
    ("tasks.core.results", ("AnswerState",)),
    ("tasks.core.scoring", ("_UNANSWERED", "unanswered")),
    ("tasks.core.metrics", ("Estimator", "_Ratio", "Rate", "SumOfRates", "Metric")),
    ("tasks.core.metrics", ("strictly", "COVERAGE", "COMMON")),
    ("tasks.kinds.constraint.marking", ()),
    ("tasks.kinds.constraint.rates", ()),
    ("tasks.exporting.answers", ()),
)
"""Modules and what is taken of them, all where nothing is named; what needs others comes later."""

_HEAD = '''"""Reads replies to questions about constraints, marks them and scores them.

pactwin {version}, parser {parser}. Made by `pactwin export` from pactwin's own modules: change it
there. It needs the standard library of Python 3.11 alone.

    from pactwin_reader import read_answer, scores

    answers = [read_answer(row, reply) for row, reply in ...]  # rows of questions_flat
    scores(answers)["informedness_strict"]
"""

# SPDX-License-Identifier: Apache-2.0
# ruff: noqa

'''


@cache
def reader_source() -> str:
    """Source code of the file."""
    from importlib.metadata import version

    texts: list[str] = []
    imported: set[tuple[str, str]] = set()
    names: Counter[str] = Counter()
    for module, wanted in _PARTS:
        source = _source(module)
        tree = ast.parse(source)
        imported |= set(_imports(tree))
        text, defined = _taken(source, tree, wanted)
        for name in _types_alone(tree):  # annotations of what is not there
            text = text.replace(f'"{name}"', "object")
        for name in defined:
            names[name] += 1
            if names[name] > 1:
                if not name.startswith("_"):
                    raise PactwinError(f"{module} defines {name}, which another module has too")
                own = f"{name}_{module.rpartition('.')[2]}"
                text = re.sub(rf"(?<![\w.]){name}(?!\w)", own, text)
        texts.append(f"# {module.replace('.', '/')}.py\n\n{text.strip()}\n")
    body = "\n\n".join(texts)
    head = _HEAD.format(version=version("pactwin"), parser=PARSER_VERSION)
    return head + "\n".join(_needed(imported, ast.parse(body))) + "\n\n" + body


def _source(module: str) -> str:
    found = find_spec(f"pactwin.{module}")
    if found is None or found.origin is None:
        raise PactwinError(f"pactwin.{module} has no source")
    return Path(found.origin).read_text(encoding="utf-8")


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Statements that import one name of the standard library each, with that name."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from ((f"import {alias.name}", alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("pactwin"):
            yield from (
                (f"from {node.module} import {alias.name}", alias.name) for alias in node.names
            )


def _types_alone(tree: ast.Module) -> Iterator[str]:
    """Names that a module imports for annotations alone, below ``if TYPE_CHECKING``."""
    for node in tree.body:
        if isinstance(node, ast.If):
            for statement in node.body:
                if isinstance(statement, ast.ImportFrom):
                    yield from (alias.name for alias in statement.names)


def _needed(imported: set[tuple[str, str]], tree: ast.Module) -> list[str]:
    """Those imports whose names the file reads and does not define."""
    read: set[str] = set()
    own: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else own).add(node.id)
    return [line for line, name in sorted(imported) if name in read - own]


def _taken(source: str, tree: ast.Module, wanted: tuple[str, ...]) -> tuple[str, list[str]]:
    """The text of a module that is taken, without imports and its docstring, and its names."""
    lines = source.splitlines(keepends=True)
    kept, defined, start, takes = [], [], 0, not wanted
    for number, node in enumerate(tree.body):
        end = node.end_lineno or 0
        names = _names(node)
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text:  # a docstring belongs to what stands before it
            takes = not wanted or bool(set(names) & set(wanted))
        dropped = isinstance(node, (ast.Import, ast.ImportFrom, ast.If)) or (is_text and not number)
        if takes and not dropped:
            kept += lines[start:end]
            defined += names
        start = end
    return "".join(kept), defined


def _names(node: ast.stmt) -> list[str]:
    """What a statement at the top of a module defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    found = [t.elts if isinstance(t, ast.Tuple) else [t] for t in targets]
    return [name.id for some in found for name in some if isinstance(name, ast.Name)]
