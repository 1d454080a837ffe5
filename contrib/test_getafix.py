"""Tests of the tool-info module. `PYTHONPATH=contrib python3 -m unittest contrib/test_getafix.py` runs them where BenchExec is installed."""

import unittest

import benchexec.result as result
import benchexec.util as util
from benchexec.tools.template import BaseTool2

from getafix import Tool


def answer(code, *lines):
    """What the module makes of an answer."""
    run = BaseTool2.Run(
        cmdline=["getafix"],
        exit_code=util.ProcessExitCode.create(value=code),
        output=BaseTool2.RunOutput([line + "\n" for line in lines]),
        termination_reason=None,
    )
    return Tool().determine_result(run)


def command(file, *options):
    """The command line for a file."""
    task = BaseTool2.Task(
        input_files=[file], identifier=None, property_file=None, options=None
    )
    limits = BaseTool2.ResourceLimits()
    return Tool().cmdline("getafix", list(options), task, limits)


class Answers(unittest.TestCase):
    def test_each_verdict(self):
        self.assertEqual(answer(0, "UNREACHABLE", "no run reaches f"), result.RESULT_TRUE_PROP)
        self.assertEqual(answer(0, "HOLDS", "every infinite run"), result.RESULT_TRUE_PROP)
        self.assertEqual(answer(0, "NO DEADLOCK for every schedule"), result.RESULT_TRUE_PROP)
        self.assertEqual(answer(10, "DEADLOCK within 1 context switch"), result.RESULT_FALSE_PROP)
        self.assertEqual(answer(10, "VIOLATED"), result.RESULT_FALSE_PROP)
        self.assertEqual(answer(10, "REACHABLE"), result.RESULT_FALSE_REACH)
        self.assertEqual(answer(10, "INFINITE RUN"), result.RESULT_FALSE_TERMINATION)
        self.assertEqual(answer(0, "NO INFINITE RUN"), result.RESULT_TRUE_PROP)
        self.assertEqual(answer(5, "UNREACHABLE unless a result overflows"), result.RESULT_UNKNOWN)
        self.assertEqual(answer(5, "UNREACHABLE unless memory is misused"), result.RESULT_UNKNOWN)
        self.assertEqual(answer(0, "UNREACHABLE over the integers only"), result.RESULT_UNKNOWN)
        self.assertEqual(answer(5, "UNKNOWN: timeout after 1s"), result.RESULT_TIMEOUT)
        self.assertTrue(answer(2, "").startswith(result.RESULT_ERROR))

    def test_nothing_undefined_is_for_c(self):
        self.assertEqual(command("a.c")[2:], ["--assume", "defined", "a.c"])
        self.assertEqual(command("a.c", "--int", "wrap")[2:], ["--int", "wrap", "a.c"])
        self.assertEqual(command("a.c", "--int=wrap")[2:], ["--int=wrap", "a.c"])
        self.assertEqual(command("a.bp")[2:], ["a.bp"])


if __name__ == "__main__":
    unittest.main()
