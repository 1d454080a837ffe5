"""Getafix in Python: a question goes in, an answer comes out.

>>> import getafix
>>> reply = getafix.check("decl x; void main() begin x := *; assert(x); end")
>>> reply.verdict
'reachable'
>>> [step.statement for step in reply.trace.steps]
['x := *']

The program ``getafix`` does the work, in a process of its own: limits hold, Ctrl-C stops it, and nothing it does harms the interpreter.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = [
    "Change",
    "Evaluation",
    "GetafixError",
    "Rejected",
    "Relation",
    "Reply",
    "Step",
    "Target",
    "Trace",
    "check",
    "mu",
    "program",
    "validate",
]

#: What programs may be written in, and the ending of a file for each.
_ENDINGS = {"bp": ".bp", "c": ".c", "mu": ".mu"}


class GetafixError(Exception):
    """Getafix cannot be asked, or has a bug."""


class Rejected(GetafixError):
    """The program, the formula or an option is wrong; the text says where and what was expected."""

    def __init__(self, message: str, diagnostics: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(message)
        #: The messages one by one, with file, line and column where they have one.
        self.diagnostics = list(diagnostics)


@dataclass(frozen=True)
class Target:
    """What a run may reach, and whether one does."""

    name: str
    verdict: str
    reason: str | None = None


@dataclass(frozen=True)
class Change:
    """A variable and what it holds after a step."""

    name: str
    value: str
    #: The function it is a local variable of; nothing for a global one.
    function: str | None = None


@dataclass(frozen=True)
class Step:
    """A step of a run."""

    line: int | None
    statement: str
    function: str
    #: How many calls are around it.
    depth: int
    #: Of a program with threads: whose step it is, such as ``adder[0]``.
    thread: str
    #: What kind of step it is: ``assign``, ``test``, ``call``, ``return`` and others.
    kind: str
    changes: tuple[Change, ...] = ()
    #: All that the JSON object says about it.
    details: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Trace:
    """A run. If it has a cycle, the steps from there on repeat for ever."""

    steps: tuple[Step, ...]
    globals: tuple[Change, ...] = ()
    cycle: dict[str, Any] | None = None
    details: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)


@dataclass(frozen=True)
class Reply:
    """An answer."""

    #: ``reachable``, ``unreachable``, ``holds``, ``violated``, ``unknown`` and so on.
    verdict: str
    #: The exit status: 0 no error, 10 an error, 5 unknown.
    status: int
    targets: tuple[Target, ...]
    trace: Trace | None
    #: Why something is unknown.
    reason: str | None
    #: The whole JSON object.
    json: dict[str, Any] = field(repr=False, compare=False)
    #: The report, one page.
    _page: str | None = field(default=None, repr=False, compare=False)

    @property
    def holds(self) -> bool | None:
        """Whether what was asked is as one hopes: true for status 0, false for 10, and nothing if it is unknown."""
        return {0: True, 10: False}.get(self.status)

    def to_html(self) -> str:
        """The report: the program beside the run, in one page that asks for nothing else. Only if ``check`` was asked with ``html=True``."""
        if self._page is None:
            raise GetafixError("there is no page: ask with html=True")
        return self._page

    def _repr_html_(self) -> str:
        """For notebooks: the page in a frame of its own, or the verdict."""
        if self._page is None:
            return f"<b>{html.escape(self.verdict.upper())}</b>"
        page = html.escape(self._page, quote=True)
        return f'<iframe sandbox="allow-scripts" style="width:100%;height:600px;border:0" srcdoc="{page}"></iframe>'


@dataclass(frozen=True)
class Relation:
    """A relation that a formula file lists."""

    name: str
    columns: tuple[str, ...]
    #: A row for each tuple, or for several: ``None`` stands for every value of its column.
    rows: tuple[tuple[int | str | None, ...], ...]
    #: How many tuples there are.
    n_tuples: int
    #: These are all rows.
    is_complete: bool = True

    def __iter__(self) -> Iterator[tuple[int | str | None, ...]]:
        return iter(self.rows)


@dataclass(frozen=True)
class Evaluation:
    """What a formula file says."""

    #: The truth value of each query, in order; nothing for one that time or memory did not suffice for.
    queries: tuple[bool | None, ...]
    #: The relations that directives list, by their names.
    relations: dict[str, Relation]
    json: dict[str, Any] = field(repr=False, compare=False)


def program() -> str:
    """The path of the program ``getafix``: what GETAFIX names, the one that came with this package, or the one on the path."""
    named = os.environ.get("GETAFIX")
    if named:
        return named
    file = "getafix" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts")]
    with contextlib.suppress(KeyError, AttributeError):
        folders.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    # `pip install --target FOLDER` puts programs into FOLDER/bin.
    folders.append(str(Path(__file__).parent.parent / "bin"))
    for folder in folders:
        place = Path(folder) / file
        if place.is_file():
            return str(place)
    found = shutil.which("getafix")
    if found is None:
        raise GetafixError("the program `getafix` is not found: `pip install getafix` installs it, or GETAFIX names it")
    return found


def check(
    source: str | os.PathLike[str],
    *options: str,
    language: str | None = None,
    target: str | Sequence[str] = (),
    algorithm: str | os.PathLike[str] | None = None,
    ltl: str | None = None,
    switches: int | None = None,
    rounds: int | None = None,
    timeout: float | None = None,
    memory: int | str | None = None,
    html: bool = False,
) -> Reply:
    """Checks a program: a text, or the path of a file.

    A string with a line end or a space in it is a text, and so is every string that names no file. Other options of the command line follow as they are written
    there: ``check(text, "--nonterm")``. ``timeout`` is in seconds, ``memory`` in bytes or as ``"2G"``.
    """
    arguments = list(options)
    for name in [target] if isinstance(target, str) else target:
        arguments += ["--target", name]
    for option, value in (("--ltl", ltl), ("-k", switches), ("--rounds", rounds)):
        if value is not None:
            arguments += [option, str(value)]
    arguments += _limits(timeout, memory)
    with _scratch() as scratch:
        if algorithm is not None:
            arguments += ["--algorithm", _algorithm(algorithm, scratch)]
        path = _file(source, language, scratch)
        page = scratch / "report.html"
        if html:
            arguments += ["--html", str(page)]
        status, answer = _ask(["check", path, "--json", *arguments])
        text = page.read_text(encoding="utf-8") if page.exists() else None
    return _reply(status, answer, text)


def validate(
    source: str | os.PathLike[str], certificate: str | os.PathLike[str], *options: str, language: str | None = None
) -> Reply:
    """Whether a certificate, a file that ``check`` has written, proves what it says of a program."""
    with _scratch() as scratch:
        path = _file(source, language, scratch)
        status, answer = _ask(["validate", path, os.fspath(certificate), "--json", *options])
    return _reply(status, answer, None)


def mu(source: str | os.PathLike[str], *options: str, timeout: float | None = None) -> Evaluation:
    """Evaluates a file of the fixed-point calculus, or its text: the truth of its queries, and the relations that ``#list`` lists."""
    with _scratch() as scratch:
        path = _file(source, "mu", scratch)
        _, answer = _ask(["mu", path, "--json", *_limits(timeout, None), *options])
    queries: list[bool | None] = []
    relations: dict[str, Relation] = {}
    for item in answer.get("answers", []):
        if item["directive"] == "query":
            queries.append(item.get("value"))
        elif "list" in item:
            relations[item["relation"]] = _relation(item["relation"], item["list"])
    return Evaluation(tuple(queries), relations, answer)


def _limits(timeout: float | None, memory: int | str | None) -> list[str]:
    arguments = []
    if timeout is not None:
        arguments += ["--timeout", f"{timeout:g}"]
    if memory is not None:
        arguments += ["--memory", str(memory)]
    return arguments


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="getafix-") as folder:
        yield Path(folder)


def _file(source: str | os.PathLike[str], language: str | None, scratch: Path) -> str:
    """The path of a source: of the file that it names, or of one that holds it."""
    if not isinstance(source, str):
        return os.fspath(source)
    is_text = any(character in source for character in " \n;{}")
    if not is_text and Path(source).suffix and (Path(source).exists() or "/" in source):
        return source
    if language is not None and language not in _ENDINGS:
        raise Rejected(f"there is no language {language!r}: expected one of {', '.join(_ENDINGS)}")
    path = scratch / ("program" + _ENDINGS[language or "bp"])
    path.write_text(source, encoding="utf-8")
    return str(path)


def _algorithm(algorithm: str | os.PathLike[str], scratch: Path) -> str:
    """The name of an algorithm that is shipped, a file, or a text of one's own."""
    if isinstance(algorithm, str) and (" " in algorithm or "\n" in algorithm):
        path = scratch / "algorithm.mu"
        path.write_text(algorithm, encoding="utf-8")
        return str(path)
    return os.fspath(algorithm)


def _ask(arguments: list[str]) -> tuple[int, dict[str, Any]]:
    """Runs the program; an interrupt stops it, and it ends before the interrupt goes on."""
    child = subprocess.Popen(
        [program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    try:
        output, errors = child.communicate()
    except BaseException:
        child.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        try:
            child.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
        raise
    try:
        answer = json.loads(output)
    except json.JSONDecodeError:
        answer = None
    if child.returncode == 2:
        diagnostics = answer.get("diagnostics", []) if answer else []
        raise Rejected(errors.strip() or _shown(diagnostics), diagnostics)
    if answer is None or child.returncode not in (0, 5, 10):
        raise GetafixError(errors.strip() or f"getafix ended with status {child.returncode}")
    return child.returncode, answer


def _shown(diagnostics: Sequence[dict[str, Any]]) -> str:
    return "\n".join(str(diagnostic.get("message", diagnostic)) for diagnostic in diagnostics)


def _reply(status: int, answer: dict[str, Any], page: str | None) -> Reply:
    targets = tuple(Target(item["target"], item["verdict"], item.get("reason")) for item in answer["targets"])
    trace = _trace(answer["trace"]) if answer.get("trace") else None
    return Reply(answer["verdict"], status, targets, trace, answer.get("reason"), answer, page)


def _trace(trace: dict[str, Any]) -> Trace:
    threads = trace.get("threads", [])
    steps = tuple(_step(step, len(threads) > 1) for step in trace["steps"])
    return Trace(steps, _changes(trace.get("globals", [])), trace.get("cycle"), trace)


def _step(step: dict[str, Any], has_threads: bool) -> Step:
    thread = step.get("thread", "main")
    if has_threads and "copy" in step:
        thread = f"{thread}[{step['copy']}]"
    return Step(
        line=step.get("line"),
        statement=step.get("statement", ""),
        function=step.get("function", ""),
        depth=step.get("depth", 0),
        thread=thread,
        kind=step.get("kind", ""),
        changes=_changes(step.get("changes", [])),
        details=step,
    )


def _changes(changes: list[dict[str, Any]]) -> tuple[Change, ...]:
    return tuple(Change(item["name"], item["value"], item.get("function")) for item in changes)


def _relation(name: str, listed: dict[str, Any]) -> Relation:
    rows = tuple(tuple(_value(cell) for cell in row) for row in listed["rows"])
    return Relation(name, tuple(listed["columns"]), rows, int(listed["n_tuples"]), listed["is_complete"])


def _value(cell: str | None) -> int | str | None:
    return int(cell) if cell is not None and cell.isdecimal() else cell
