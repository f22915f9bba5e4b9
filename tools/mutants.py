"""Do the tests notice when the code is changed? ``make mutants AREA=physics``.

Small changes (another number, sign, comparison, a call left out) are made one at a time to the
files of an area, module constants too, and the area's tests that reach the changed function are
run. A change that fails no test survives, and is printed: either it changes nothing that matters,
or a law is missing. A change with which tests go on without end is counted apart: no test noticed.
Areas, their tests and samples are in pyproject.toml, ``[tool.mutants.*]``.

Changes are made in memory, each in a forked process. Tests are collected once, and the changed
function gets its new code there. What is called or set while modules are imported, as constants and
defaults are, is tried in a process that imports the changed module.
"""

import argparse
import ast
import copy
import gc
import importlib.machinery
import os
import random
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
# pytest-timeout would take the alarm that ends a mutant.
_QUIET = ("-x", "-s", "-p", "no:terminal", "-p", "no:cacheprovider", "-o", "timeout=0")
_SWAPPED: dict[type, type] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change to a file; ``function`` is the line range of the outermost function around it."""

    path: str
    number: int
    line: int
    change: str
    function: tuple[int, int] | None


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """What can stand for a node."""
    new: Any = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[op]) | ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in _SWAPPED:
            swapped = _SWAPPED[type(op)]()
            if isinstance(new, ast.Compare):
                new.ops = [swapped]
            else:
                new.op = swapped
            yield new
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(value * 1.5 if value else 1.0)
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(
            test, ast.Compare | ast.BoolOp | ast.UnaryOp
        ):
            new.test = ast.UnaryOp(ast.Not(), test)
            yield new
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements) if all(
            isinstance(element, ast.Call | ast.Tuple)
            or (isinstance(element, ast.Constant) and isinstance(element.value, str))
            for element in elements
        ):
            for k in range(len(elements)):
                new.elts = elements[:k] + elements[k + 1 :]
                yield new
        case ast.Dict(keys=keys, values=values):
            for k in range(len(keys)):
                new.keys, new.values = keys[:k] + keys[k + 1 :], values[:k] + values[k + 1 :]
                yield new


def _places(tree: ast.Module) -> Iterator[tuple[Callable[[ast.AST], None], ast.AST, Any]]:
    """All nodes that may change, each with how to put another in its place and its function."""

    def walk(node: ast.AST, function: Any) -> Iterator[tuple[Any, ast.AST, Any]]:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            children = value if isinstance(value, list) else [value]
            for k, child in enumerate(children):
                if not isinstance(child, ast.AST):
                    continue
                is_function = isinstance(child, ast.FunctionDef) and function is None
                inner = (child.lineno, child.end_lineno) if is_function else function

                def put(new: ast.AST, node=node, name=name, value=value, k=k) -> None:
                    if isinstance(value, list):
                        value[k] = new
                    else:
                        setattr(node, name, new)

                yield put, child, inner
                yield from walk(child, inner)

    yield from walk(tree, None)


def mutants_of(path: Path) -> list[Mutant]:
    """All changes to a file."""
    tree = ast.parse(path.read_text())
    found: list[Mutant] = []
    for _, node, function in _places(tree):
        for new in _changed(node):
            old, now = (ast.unparse(ast.fix_missing_locations(n)) for n in (node, new))
            line = getattr(node, "lineno", 0)
            text = f"{old.splitlines()[0][:60]} -> {now.splitlines()[0][:60]}"
            found.append(Mutant(str(path.relative_to(ROOT)), len(found), line, text, function))
    return found


def _mutated(mutant: Mutant) -> ast.Module:
    tree = ast.parse((ROOT / mutant.path).read_text())
    number = 0
    for put, node, _ in _places(tree):
        for new in _changed(node):
            if number == mutant.number:
                put(new)
                return ast.fix_missing_locations(tree)
            number += 1
    raise AssertionError(mutant)


def _changed_code(mutant: Mutant) -> dict[str, CodeType]:
    """The codes that the mutant changes, of functions and methods, by qualified names."""

    def codes(tree: ast.Module) -> dict[str, CodeType]:
        found, left = {}, [compile(tree, str(ROOT / mutant.path), "exec")]
        while left:
            for constant in left.pop().co_consts:
                if isinstance(constant, CodeType) and "<" not in constant.co_qualname:
                    found[constant.co_qualname] = constant
                    left.append(constant)
        return found

    old = codes(ast.parse((ROOT / mutant.path).read_text()))
    return {name: code for name, code in codes(_mutated(mutant)).items() if code != old[name]}


def _in_fork(body: Callable[[], int], limit_s: float) -> int:
    """Exit code of ``body`` in a forked process; negative if a signal or a limit ended it.

    The limit is of processor time, so that other work on the machine does not count. What waits
    without end for something else is ended after ten times as long.
    """
    pid = os.fork()
    if pid == 0:
        code = 3
        limit = max(1, round(limit_s))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        signal.alarm(10 * limit)
        with suppress(BaseException), Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            code = body()
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class _Reached:
    """A pytest plugin: which functions of some files each test calls, and how long it takes."""

    def __init__(self, paths: set[str]) -> None:
        self.paths = paths
        self.calls: dict[str, set[tuple[str, int]]] = {}
        self.while_collecting: set[tuple[str, int]] = set()
        self.seconds: dict[str, float] = {}
        self.libraries: list[str] = []

    def _noting(self, calls: set[tuple[str, int]]) -> Iterator[None]:
        def note(frame: Any, event: str, _: object) -> None:
            if event == "call" and frame.f_code.co_filename in self.paths:
                calls.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

        sys.setprofile(note)
        yield
        sys.setprofile(None)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        """Watch what is called while modules are imported."""
        yield from self._noting(self.while_collecting)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch all of a test, its fixtures too."""
        start = time.process_time()
        yield from self._noting(self.calls.setdefault(item.nodeid, set()))
        self.seconds[item.nodeid] = time.process_time() - start

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that may notice, quick ones first: those that reach the changed function.

        All of them where a constant changes, or what is called while modules are imported.
        """
        anywhere = mutant.function is None or _touched(mutant, self.while_collecting)
        tests = [t for t, calls in self.calls.items() if anywhere or _touched(mutant, calls)]
        return sorted(tests, key=self.seconds.__getitem__)


def baseline(tests: list[str], paths: set[str]) -> _Reached:
    """Run the tests as they are, in a fork; what each of them reached."""
    with tempfile.NamedTemporaryFile() as found:

        def body() -> int:
            reached = _Reached(paths)
            code = int(pytest.main([*_QUIET, *tests], plugins=[reached]))
            reached.libraries = [
                name
                for name, module in list(sys.modules.items())
                if "site-packages" in (getattr(module, "__file__", None) or "")
            ]
            Path(found.name).write_text(repr(vars(reached)))
            return code

        if _in_fork(body, 3600):
            sys.exit("the tests fail on the code as it is")
        reached = _Reached(paths)
        vars(reached).update(ast.literal_eval(Path(found.name).read_text()))
        return reached


def _touched(mutant: Mutant, calls: set[tuple[str, int]]) -> bool:
    if mutant.function is None:
        return False
    path, (first, last) = str(ROOT / mutant.path), mutant.function
    return any(name == path and first - 5 <= line <= last for name, line in calls)


def _outcome(tests: list[str], reached: _Reached, run: Callable[[], int]) -> str:
    """What came of tests of a changed function: killed, times out or survives."""
    if not tests:
        return "survives"
    code = _in_fork(run, 30 + 5 * sum(reached.seconds[test] for test in tests))
    if code in (-signal.SIGXCPU, -signal.SIGALRM):
        return "times out"
    return "killed" if code else "survives"


def imported_anew(mutant: Mutant, reached: _Reached) -> str:
    """What comes of the tests where the changed module is imported."""
    path, tests = str(ROOT / mutant.path), reached.tests_of(mutant)
    plain = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> Any:
        if self.path == path:
            return compile(_mutated(mutant), path, "exec")
        return plain(self, fullname)

    def run() -> int:
        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
        return int(pytest.main([*_QUIET, *tests]))

    return _outcome(tests, reached, run)


class _InPlace:
    """A pytest plugin: tries mutants on the tests that were collected, instead of running them."""

    def __init__(self, mutants: list[Mutant], reached: _Reached, report: "_Report") -> None:
        self.mutants, self.reached, self.report = mutants, reached, report

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Each mutant in a fork of its own."""
        items = {item.nodeid: item for item in session.items}

        def outcome(mutant: Mutant) -> str:
            tests = self.reached.tests_of(mutant)

            def run() -> int:
                new = _changed_code(mutant)
                for function in gc.get_objects():
                    if isinstance(function, FunctionType):
                        code = function.__code__
                        if code.co_filename == str(ROOT / mutant.path) and code.co_qualname in new:
                            function.__code__ = new[code.co_qualname]
                mine = [items[test] for test in tests]
                for item, following in zip(mine, [*mine[1:], None], strict=True):
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    if session.testsfailed:
                        return 1
                return 0

            return _outcome(tests, self.reached, run)

        self.report.of(self.mutants, outcome)
        return True


class _Report:
    """Prints which mutants survive, as they are tried."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.counts: Counter[str] = Counter()

    def of(self, mutants: list[Mutant], outcome: Callable[[Mutant], str]) -> None:
        """Try mutants, several at once."""
        with ThreadPoolExecutor(self.jobs) as pool:
            for mutant, what in zip(mutants, pool.map(outcome, mutants), strict=True):
                self.counts[what] += 1
                if what != "killed":
                    n = self.counts.total()
                    print(f"{n:4} {what} {mutant.path}:{mutant.line}: {mutant.change}", flush=True)


def main() -> None:
    """Try a sample of an area's mutants and print which survive."""
    areas = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutants"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("area", choices=sorted(areas))
    parser.add_argument("--sample", type=int, help="how many mutants; default: the area's")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--only", default="", help="mutants of paths that contain this")
    parser.add_argument("--tests", nargs="+", help="tests to run; default: the area's")
    options = parser.parse_args()
    area = areas[options.area]
    tests = options.tests or area["tests"]
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    files = [
        file
        for path in area["mutate"]
        for file in (
            sorted((ROOT / path).rglob("*.py")) if (ROOT / path).is_dir() else [ROOT / path]
        )
        if options.only in str(file)
    ]
    everything = [mutant for file in files for mutant in mutants_of(file)]
    size = min(options.sample or area["sample"], len(everything))
    chosen = random.Random(options.seed).sample(everything, size)
    reached = baseline(tests, {str(file) for file in files})
    in_place = [
        mutant
        for mutant in chosen
        if mutant.function
        and not _touched(mutant, reached.while_collecting)
        and _changed_code(mutant)
    ]
    for name in reached.libraries:  # imported once, not by every fork
        with suppress(Exception):
            __import__(name)
    report = _Report(options.jobs)
    report.of([m for m in chosen if m not in in_place], lambda m: imported_anew(m, reached))
    pytest.main([*_QUIET, *tests], plugins=[_InPlace(in_place, reached, report)])
    counts = report.counts
    assert counts.total() == size
    print(
        f"{counts['killed']} of {size} killed ({counts['killed'] / size:.0%}), "
        f"{counts['times out']} timed out, {counts['survives']} survived, "
        f"of {len(everything)} in {options.area}"
    )


if __name__ == "__main__":
    main()
