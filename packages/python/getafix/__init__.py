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
import html as html_module
import itertools
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

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

def __getattr__(name: str) -> str:
    if name == "__version__":
        return subprocess.run([program(), "--version"], capture_output=True, check=True, encoding="utf-8").stdout.split()[-1]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


#: What texts may be written in.
_LANGUAGES = ("bp", "c", "mu")


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
    #: The report, one page, once somebody has wanted it.
    _page: _Page = field(repr=False, compare=False)

    @property
    def holds(self) -> bool | None:
        """Whether what was asked is as one hopes: true for status 0, false for 10, and nothing if it is unknown."""
        return {0: True, 10: False}.get(self.status)

    def to_html(self) -> str:
        """The report: the program beside the run, in one page that asks for nothing else.

        If ``check`` was not asked with ``html=True``, the question is asked once more for it; a file that has changed since is an error.
        """
        return self._page.text()

    def _repr_html_(self) -> str:
        """For notebooks: the page in a frame of its own."""
        page = html_module.escape(self._page.text(), quote=True)
        return f'<iframe sandbox="allow-scripts" style="width:100%;height:600px;border:0" srcdoc="{page}"></iframe>'


@dataclass(frozen=True)
class _Source:
    """What is asked about: a file by its path, or a text, which the program reads from its stdin."""

    path: str
    text: str | None = None
    language: str | None = None

    @staticmethod
    def of(source: str | os.PathLike[str], language: str | None) -> _Source:
        if language is not None and language not in _LANGUAGES:
            raise Rejected(f"there is no language {language!r}: expected one of {', '.join(_LANGUAGES)}")
        if isinstance(source, bytes):
            raise TypeError("a program is a str, or the path of a file, and not bytes")
        if not isinstance(source, str):
            return _Source(os.fspath(source), None, language)
        return _Source(source, None, language) if _is_path(source) else _Source("-", source, language)

    def arguments(self) -> list[str]:
        """What the command line says of it; the ending of a file tells its language unless somebody else does."""
        # What begins with a dash would be taken for an option.
        path = f"./{self.path}" if self.text is None and self.path.startswith("-") else self.path
        return [path] if self.language in (None, "mu") else [path, "--language", str(self.language)]


@dataclass(frozen=True)
class _Question:
    """What was asked, so that it can be asked again."""

    source: _Source
    options: tuple[str, ...]
    algorithm: str | os.PathLike[str] | None

    def ask(self, with_page: bool) -> tuple[int, dict[str, Any], str | None]:
        """Status, answer, and the page if it is wanted."""
        with _scratch() as scratch:
            arguments = ["check", *self.source.arguments(), "--json", *self.options]
            if self.algorithm is not None:
                arguments.append(f"--algorithm={_algorithm(self.algorithm, scratch)}")
            page = scratch / "report.html"
            if with_page:
                arguments += ["--html", str(page)]
            status, answer = _ask(arguments, self.source.text)
            return status, answer, page.read_text(encoding="utf-8") if page.exists() else None


@dataclass
class _Page:
    """The report about an answer: there, or asked for when it is wanted."""

    page: str | None
    question: _Question | None = None
    status: int = 0
    verdict: str = ""

    def text(self) -> str:
        if self.page is None:
            if self.question is None:
                raise GetafixError("there is no page about this certificate")
            status, answer, page = self.question.ask(True)
            if page is None or (status, answer["verdict"]) != (self.status, self.verdict):
                raise GetafixError("the page is about another answer: the program has changed, or the limits do not suffice")
            self.page = page
        return self.page


#: A value of a column: a number, a truth value, or the name of one.
Value = Union[int, str, bool]


@dataclass(frozen=True)
class Relation:
    """A relation of a formula file. To go through it is to go through its tuples; ``tuple in relation`` asks whether it has one."""

    name: str
    columns: tuple[str, ...]
    #: A row for each tuple, or for several: ``None`` stands for every value of its column.
    rows: tuple[tuple[Value | None, ...], ...]
    #: How many tuples there are.
    n_tuples: int
    #: These are all rows.
    is_complete: bool = True
    #: Of each column where some row has ``None``: all values, if they are not too many.
    values: tuple[tuple[Value, ...] | None, ...] = ()

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        """The tuples one by one, in order."""
        if not self.is_complete:
            raise GetafixError(f"not all rows of `{self.name}` were listed: ask with `#list {self.name} N;` for more")
        for row in self.rows:
            choices = [self._choices(column) if cell is None else (cell,) for column, cell in enumerate(row)]
            yield from itertools.product(*choices)

    def __len__(self) -> int:
        return self.n_tuples

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, tuple) or len(item) != len(self.columns):
            return False
        return any(all(self._has(n, cell, part) for n, (cell, part) in enumerate(zip(row, item))) for row in self.rows)

    def _has(self, column: int, cell: Value | None, part: object) -> bool:
        """Whether a cell of a row stands for this value; `1` and `True` are not the same here."""
        stands_for: tuple[Value, ...] | None = (cell,) if cell is not None else None
        if stands_for is None and column < len(self.values):
            stands_for = self.values[column]
        return stands_for is None or any(known == part and type(known) is type(part) for known in stands_for)

    def _choices(self, column: int) -> tuple[Value, ...]:
        choices = self.values[column] if column < len(self.values) else None
        if choices is None:
            raise GetafixError(f"column `{self.columns[column]}` of `{self.name}` has too many values to go through: look at `rows`")
        return choices


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

    A string is a path if there is such a file, or if it looks like the name of one, such as ``driver.bp``; every other string is a program, in the language that
    ``language`` names, ``"bp"`` or ``"c"``. ``algorithm`` is the name of an algorithm, the path of a formula file, or its text.
    Other options of the command line follow as they are written there: ``check(text, "--nonterm")``. ``timeout`` is in seconds, ``memory`` in bytes or as ``"2G"``.

    What is wrong with the program or an option raises ``Rejected``.
    """
    arguments = list(options)
    for name in [target] if isinstance(target, str) else target:
        arguments.append(f"--target={name}")
    for option, value in (("--ltl=", ltl), ("-k", switches), ("--rounds=", rounds)):
        if value is not None:
            arguments.append(f"{option}{value}")
    question = _Question(_Source.of(source, language), (*arguments, *_limits(timeout, memory)), algorithm)
    status, answer, page = question.ask(html)
    return _reply(status, answer, _Page(page, question, status, answer["verdict"]))


def validate(
    source: str | os.PathLike[str], certificate: str | os.PathLike[str], *options: str, language: str | None = None
) -> Reply:
    """Whether a certificate, a file that ``check`` has written, proves what it says of a program."""
    asked = _Source.of(source, language)
    with _scratch() as scratch:
        page = scratch / "report.html"
        status, answer = _ask(["validate", *asked.arguments(), os.fspath(certificate), "--json", "--html", str(page), *options], asked.text)
        text = page.read_text(encoding="utf-8") if page.exists() else None
    return _reply(status, answer, _Page(text))


def mu(
    source: str | os.PathLike[str],
    *options: str,
    relations: Sequence[str] = (),
    rows: int = 10_000,
    timeout: float | None = None,
    memory: int | str | None = None,
) -> Evaluation:
    """Evaluates a file of the fixed-point calculus, or its text: the truth of its queries, and relations as tuples.

    Relations are those that the text lists by ``#list``, and those that are named here; if there are neither, all that a text defines. Of a relation that
    is not listed in the text at most so many rows are asked for.
    """
    asked = _listing(_Source.of(source, "mu"), list(relations), rows)
    _, answer = _ask(["mu", *asked.arguments(), "--json", *_limits(timeout, memory), *options], asked.text)
    queries: list[bool | None] = []
    found: dict[str, Relation] = {}
    for item in answer.get("answers", []):
        if item["directive"] == "query":
            queries.append(item.get("value"))
        elif "list" in item:
            found[item["relation"]] = _relation(item["relation"], item["list"])
    return Evaluation(tuple(queries), found, answer)


def _listing(source: _Source, names: list[str], rows: int) -> _Source:
    """A text that lists these relations, too."""
    for name in names:
        if not re.fullmatch(r"[A-Za-z_][\w'$]*", name):
            raise Rejected(f"{name!r} is no name of a relation")
    try:
        text = source.text if source.text is not None else Path(source.path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        # The program says what is wrong with the file.
        return source
    if not names:
        plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
        names = [] if "#list" in plain else sorted(set(re.findall(r"\bbool\s+([A-Za-z_][\w'$]*)\s*\(", plain)))
    if not names:
        return source
    # What is added stands behind the text, or loads the file, so that messages are about the lines that their author knows.
    if source.text is None:
        text = f'#load "{Path(source.path).resolve()}";'
    return _Source("-", text + "".join(f"\n#list {name} {rows};" for name in names) + "\n")


def _limits(timeout: float | None, memory: int | str | None) -> list[str]:
    arguments = []
    if timeout is not None:
        if not 0 <= timeout < math.inf:
            raise Rejected(f"a timeout is a number of seconds, and not {timeout!r}")
        arguments.append(f"--timeout={math.ceil(timeout * 1000)}ms")
    if memory is not None:
        arguments.append(f"--memory={memory}")
    return arguments


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="getafix-") as folder:
        yield Path(folder)


def _is_path(source: str) -> bool:
    """Whether a string names a file: one that is there, or something that cannot be a program."""
    if "\n" in source or len(source) > 1000:
        return False
    try:
        if Path(source).is_file():
            return True
    except (OSError, ValueError):
        return False
    return bool(source) and not any(character in source for character in " \t;{}()") and ("." in source or "/" in source)


def _algorithm(algorithm: str | os.PathLike[str], scratch: Path) -> str:
    """The name of an algorithm that is shipped, a file, or a text of one's own."""
    if isinstance(algorithm, str) and (" " in algorithm or "\n" in algorithm):
        path = scratch / "algorithm.mu"
        path.write_text(algorithm, encoding="utf-8")
        return str(path)
    return os.fspath(algorithm)


def _ask(arguments: list[str], text: str | None = None) -> tuple[int, dict[str, Any]]:
    """Runs the program, which reads a text from its stdin; an interrupt stops it, and it ends before the interrupt goes on."""
    try:
        given = (text or "").encode("utf-8")
        child = subprocess.Popen([program(), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except ValueError as error:
        # Half a character of UTF-16 in a text, or a zero in a name.
        raise Rejected(f"this cannot be asked: {error}") from None
    try:
        output, told = child.communicate(given)
    except BaseException:
        child.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        try:
            child.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
        raise
    errors = told.decode("utf-8", "replace")
    try:
        answer = json.loads(output.decode("utf-8", "replace"))
    except json.JSONDecodeError:
        answer = None
    if child.returncode == 2:
        diagnostics = answer.get("diagnostics", []) if answer else []
        raise Rejected(errors.strip() or _shown(diagnostics), diagnostics)
    if answer is None or child.returncode not in (0, 5, 10):
        raise GetafixError(errors.strip() or f"getafix ended with status {child.returncode}, and without an answer as one JSON object")
    return child.returncode, answer


def _shown(diagnostics: Sequence[dict[str, Any]]) -> str:
    return "\n".join(str(diagnostic.get("message", diagnostic)) for diagnostic in diagnostics)


def _reply(status: int, answer: dict[str, Any], page: _Page) -> Reply:
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
    rows = tuple(tuple(None if cell is None else _value(cell) for cell in row) for row in listed["rows"])
    values = tuple(None if column is None else tuple(map(_value, column)) for column in listed.get("values", []))
    return Relation(name, tuple(listed["columns"]), rows, int(listed["n_tuples"]), listed["is_complete"], values)


def _value(cell: str) -> Value:
    if cell in ("true", "false"):
        return cell == "true"
    return int(cell) if cell.isdecimal() else cell
