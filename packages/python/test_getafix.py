"""Tests of the Python package: `GETAFIX=path/to/getafix python3 packages/python/test_getafix.py`."""

import doctest
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
if os.environ.get("GETAFIX"):
    sys.path.insert(0, str(HERE))

import getafix  # noqa: E402

EXAMPLES = HERE.parent.parent / "examples"
ENDLESS = "decl a: int<32>, b: int<32>; void main() begin while (*) do a, b := a * b, b + a; od; assert(a * a != 17 | b * b != 9); end"


class Check(unittest.TestCase):
    def test_a_text_and_a_file_are_checked(self):
        reply = getafix.check("decl x;\nvoid main() begin x := *; assert(x); end")
        self.assertEqual((reply.verdict, reply.status, reply.holds), ("reachable", 10, False))
        self.assertEqual([step.statement for step in reply.trace], ["x := *"])
        self.assertEqual(reply.trace.steps[0].changes, (getafix.Change("x", "F"),))
        reply = getafix.check(EXAMPLES / "lock.bp")
        self.assertEqual({target.name: target.verdict for target in reply.targets}["ERROR"], "reachable")
        self.assertEqual(len(reply.trace), 12)
        self.assertEqual(getafix.check(str(EXAMPLES / "safe_lock.bp")).holds, True)

    def test_threads_and_options(self):
        reply = getafix.check(EXAMPLES / "bluetooth.bp", switches=3)
        self.assertEqual((reply.verdict, reply.json["least"]), ("reachable", 3))
        self.assertIn("adder[0]", {step.thread for step in reply.trace})
        self.assertEqual(getafix.check(EXAMPLES / "bluetooth.bp", "-k", "2").holds, True)
        looping = getafix.check("void main() begin while (T) do skip; od; end", "--nonterm")
        self.assertEqual(looping.verdict, "infinite run")
        self.assertIsNotNone(looping.trace.cycle)

    def test_programs_in_c(self):
        reply = getafix.check("int main(void) { int x = 3; if (x > 2) reach_error(); return 0; }", language="c")
        self.assertEqual(reply.verdict, "reachable")

    def test_an_algorithm_of_ones_own(self):
        text = (EXAMPLES.parent / "algorithms" / "summary.mu").read_text(encoding="utf-8")
        self.assertEqual(getafix.check(EXAMPLES / "lock.bp", algorithm=text).verdict, "reachable")

    def test_what_is_wrong_is_an_exception(self):
        with self.assertRaises(getafix.Rejected) as caught:
            getafix.check("void main() begin x := T; end")
        self.assertIn("x", str(caught.exception))
        self.assertEqual(caught.exception.diagnostics[0]["place"]["line"], 1)
        with self.assertRaises(getafix.Rejected):
            getafix.check("void main() begin end", language="cobol")
        with self.assertRaises(getafix.Rejected):
            getafix.check(EXAMPLES / "no_such_file.bp")

    def test_limits_end_in_unknown(self):
        reply = getafix.check(ENDLESS, timeout=1)
        self.assertEqual((reply.verdict, reply.status, reply.holds), ("unknown", 5, None))
        self.assertIn("time", reply.reason)

    def test_pages_are_for_notebooks(self):
        reply = getafix.check(EXAMPLES / "lock.bp", html=True)
        self.assertIn("<!DOCTYPE html>", reply.to_html()[:200].replace("doctype", "DOCTYPE"))
        self.assertIn("<iframe", reply._repr_html_())
        self.assertNotIn("<script", reply._repr_html_())
        plain = getafix.check(EXAMPLES / "lock.bp")
        with self.assertRaises(getafix.GetafixError):
            plain.to_html()

    def test_a_certificate_is_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            proof = Path(folder) / "proof"
            getafix.check(EXAMPLES / "safe_lock.bp", "--certificate", str(proof))
            self.assertEqual(getafix.validate(EXAMPLES / "safe_lock.bp", proof).verdict, "accepted")

    @unittest.skipUnless(os.name == "posix", "signals are those of POSIX")
    def test_an_interrupt_ends_the_program(self):
        script = f"import getafix; getafix.check({ENDLESS!r})"
        path = os.pathsep.join(sys.path)
        environment = {**os.environ, "PYTHONPATH": path}
        child = subprocess.Popen([sys.executable, "-c", script], env=environment, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(1.5)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=30)
        self.assertIn(b"KeyboardInterrupt", errors)


class Formulas(unittest.TestCase):
    def test_queries_and_relations(self):
        text = "enum N {0..5};\nmu bool R(N a) a = 1 | (exists N b. R(b) & a = b + 2);\nR(3);\nR(2);\n#list R;\n"
        evaluation = getafix.mu(text)
        self.assertEqual(evaluation.queries, (True, False))
        self.assertEqual(sorted(evaluation.relations["R"]), [(1,), (3,), (5,)])
        self.assertEqual(evaluation.relations["R"].n_tuples, 3)


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(getafix))
    return tests


if __name__ == "__main__":
    unittest.main()
