"""Pages of the site that are made from the code: all options of all commands, and the Python API.

MkDocs loads this as a hook; see mkdocs.yml. Links to files outside docs/ become their paths.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
FACES = {
    "suite": "Records, reading, writing and checking suites. No simulator, no network.",
    "catalogue": "Kinds of objects, materials, properties and affordances.",
    "sim": "Scenes, trials, pictures and episodes in MuJoCo.",
    "hardware": "Cameras, the robot's link, the rig file, printable targets.",
    "real": "Calibration, placement check, capture sessions, rehearsal.",
    "perception": "Detectors, their scores, and geometry from depth.",
    "solvers": "Prompting strategies, baselines and people.",
    "tasks": "Kinds of questions, running them, published benchmarks.",
    "compare": "Scores, intervals, paired tests, tables and the report.",
}
_WORD = re.compile(r"(?<![&#\w.+/-])[\w.+/-]{4,28}(?![\w.+/-])")
_UNBROKEN = r'<span class="unbroken">\g<0></span>'


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    files.append(_page(config, "commands", _commands()))
    overview = [f"- [`pactwin.{name}`](python-{name}.md): {text}" for name, text in FACES.items()]
    head = "# Python\n\nEach package exports its public names. Scripts import nothing deeper.\n\n"
    files.append(_page(config, "python", head + "\n".join(overview) + "\n"))
    for name, text in FACES.items():
        files.append(_page(config, f"python-{name}", _api(name, text)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Show links to files that are no pages as the paths of these files."""
    return re.sub(r"\[`?([^\]`]+)`?\]\(\.\./([^)]+)\)", _outside, markdown)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Show Sphinx roles as code, link pictures to their full size, do not break words of code."""
    html = re.sub(r":(?:func|class|mod|meth|data|attr):(<code>)~?", r"\1", html)
    html = re.sub(r'(<img [^>]*src="([^"]+)"[^>]*>)', r'<a href="\2">\1</a>', html)
    return re.sub(r"(?<=<code>)[^<]+(?=</code>)", lambda code: _WORD.sub(_UNBROKEN, code[0]), html)


def _outside(link: re.Match[str]) -> str:
    text, path = link.groups()
    return f"`{path}`" if path.endswith(text) else f"{text} (`{path}`)"


def _page(config: MkDocsConfig, name: str, text: str) -> File:
    return File.generated(config, f"reference/{name}.md", content=text)


def _commands() -> str:
    """All commands with all options, as Typer documents them, without names of the last release."""
    words = [sys.executable, "-m", "typer", "pactwin.cli", "utils", "docs", "--name", "pactwin"]
    text = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    sections = re.split(r"^(?=##+ `)", text, flags=re.MULTILINE)
    kept = [s for s in sections if not re.match(r"##+ `[^`]+`\n\n(Renamed|.*former)", s)]
    # Lists of subcommands cut their texts short: the sections have all of them.
    full = dict(re.findall(r"^##+ `([^`]+)`\n\n([^\n]+)", text, re.MULTILINE))
    for k, section in enumerate(kept):
        parent = re.match(r"#+ `([^`]+)`", section.lstrip())[1]
        kept[k] = re.sub(
            r"(?m)^\* `([\w-]+)`: .*\.\.\.$",
            lambda cut, parent=parent: f"* `{cut[1]}`: {full[f'{parent} {cut[1]}']}",
            section,
        )
    listed = "".join(kept).replace("# `pactwin`", "# All options", 1)
    return re.sub(r"^\* `[\w-]+`: Renamed:.*\n", "", listed, flags=re.MULTILINE)


def _api(package: str, text: str) -> str:
    """The public functions and classes of a package, from its stub."""
    tree = ast.parse((ROOT / "pactwin" / package / "__init__.pyi").read_text(encoding="utf-8"))
    lines = [f"# pactwin.{package}\n\n{text}\n"]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:  # else a module: no class or function
            names = [name.name for name in node.names if not name.name.isupper()]
            lines += [f"::: pactwin.{package}.{node.module}.{name}\n" for name in names]
    return "\n".join(lines)
