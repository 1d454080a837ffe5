"""Tool-info module of BenchExec for Getafix: how it is called on a verification task, and what its answers mean.

contrib/README.md says how to use it.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Getafix: model checking where the algorithm is a formula."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("getafix")

    def name(self):
        return "Getafix"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="getafix")

    def program_files(self, executable):
        return [executable]

    def cmdline(self, executable, options, task, rlimits):
        """`getafix check PROGRAM`, with the property, the data model and the limit of time of the task.

        The competition counts overflows and misuses of memory as properties of their own, so that other questions are about runs in which nothing undefined happens.
        """
        options = list(options)
        is_c = any(str(file).endswith((".c", ".i", ".yml")) for file in task.input_files_or_identifier)
        if is_c and not any(option.split("=")[0] in ("--int", "--assume") for option in options):
            options += ["--assume", "defined"]
        if task.property_file and "--property" not in options:
            options += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if model and "--data-model" not in options:
            options += ["--data-model", model]
        # An answer in time is better than the end by force, so that some time is left for it.
        if rlimits.cputime and "--timeout" not in options:
            options += ["--timeout", f"{max(1, int(rlimits.cputime * 0.9))}s"]
        return [executable, "check"] + options + list(task.input_files_or_identifier)

    def determine_result(self, run):
        """The answer is the line that begins with a verdict in capitals."""
        code = run.exit_code.value
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.signal or code is None:
            return result.RESULT_ERROR
        if code == 2:
            return result.RESULT_ERROR + " (rejected)"
        if code not in (0, 5, 10):
            return result.RESULT_ERROR
        answer = next((line for line in run.output if self._is_verdict(line)), "").strip()
        if code == 5 or answer.startswith("UNKNOWN"):
            return self._unknown(answer)
        # What holds over the integers of mathematics only, or if they wrap, is no answer about C.
        if "over the integers only" in answer or "integers that wrap" in answer:
            return result.RESULT_UNKNOWN
        if answer.startswith(("UNREACHABLE", "NO INFINITE RUN", "HOLDS", "NO DEADLOCK")):
            return result.RESULT_TRUE_PROP
        if answer.startswith(("VIOLATED", "DEADLOCK")):
            return result.RESULT_FALSE_PROP
        if answer.startswith("INFINITE RUN"):
            return result.RESULT_FALSE_TERMINATION
        if answer.startswith("REACHABLE"):
            if run.output.any_line_contains("an overflow ends a run"):
                return result.RESULT_FALSE_OVERFLOW
            for name, violated in self.OF_MEMORY:
                if any(line.startswith(name + ": ") for line in run.output):
                    return violated
            return result.RESULT_FALSE_REACH
        return result.RESULT_ERROR

    OF_MEMORY = (
        ("valid-deref", result.RESULT_FALSE_DEREF),
        ("valid-free", result.RESULT_FALSE_FREE),
        ("valid-memtrack", result.RESULT_FALSE_MEMTRACK),
        ("valid-memcleanup", result.RESULT_FALSE_MEMCLEANUP),
    )

    VERDICTS = (
        "REACHABLE", "UNREACHABLE", "INFINITE RUN", "NO INFINITE RUN", "HOLDS", "VIOLATED",
        "DEADLOCK", "NO DEADLOCK", "UNKNOWN",
    )

    def _is_verdict(self, line):
        return line.startswith(self.VERDICTS)

    def _unknown(self, answer):
        if "timeout" in answer:
            return result.RESULT_TIMEOUT
        if "out of memory" in answer:
            return "OUT OF MEMORY"
        return result.RESULT_UNKNOWN
