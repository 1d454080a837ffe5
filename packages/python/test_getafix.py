"""Tests of the Python package: `GETAFIX=path/to/getafix python3 packages/python/test_getafix.py`."""

import base64
import dataclasses
import doctest
import hashlib
import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
if os.environ.get("GETAFIX"):
    sys.path.insert(0, str(HERE))
    # Some tests ask from other folders.
    os.environ["GETAFIX"] = str(Path(os.environ["GETAFIX"]).resolve())

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
        self.assertIn("<stdin>:1:", str(caught.exception))
        # What cannot be a program is the name of a file, also where there is none.
        for path in (EXAMPLES / "no_such_file.bp", "no_such_file.bp", "folder/no_such_file"):
            with self.assertRaises(getafix.Rejected) as caught:
                getafix.check(path)
            self.assertIn("no_such_file", str(caught.exception))

    def test_what_is_a_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a program (1).bp"
            path.write_text("void main() begin ERROR: skip; end")
            self.assertEqual(getafix.check(str(path)).verdict, "reachable")
            (Path(folder) / "limits.h").write_text("#define LIMIT 3\n")
            (Path(folder) / "main.c").write_text('#include "limits.h"\nint main(void) { if (LIMIT > 2) reach_error(); }\n')
            self.assertEqual(getafix.check(str(Path(folder) / "main.c")).verdict, "reachable")
        long = "void main() begin " + "skip; " * 5000 + "assert(F); end"
        self.assertEqual(getafix.check(long).verdict, "reachable")
        with self.assertRaises(getafix.Rejected):
            getafix.check("")

    def test_whatever_is_given_is_no_option(self):
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                Path("-x.bp").write_text("void main() begin ERROR: skip; end")
                Path("--help.mu").write_text("mu bool R(bool a) a;")
                self.assertEqual(getafix.check("-x.bp").verdict, "reachable")
                self.assertEqual(getafix.check(Path("-x.bp")).verdict, "reachable")
                self.assertEqual(set(getafix.mu(Path("--help.mu")).relations["R"]), {(True,)})
            finally:
                os.chdir(before)
        for wrong in ({"target": "--help"}, {"ltl": "--help"}, {"switches": -1}, {"memory": "--help"}):
            with self.assertRaises(getafix.Rejected, msg=wrong):
                getafix.check("void main() begin skip; end", **wrong)

    def test_what_cannot_be_asked_is_an_exception(self):
        for source in ("void main() begin \ud800 end", "void main() begin \0 end", Path("a\0b.bp")):
            with self.assertRaises(getafix.Rejected, msg=repr(source)):
                getafix.check(source)
        with self.assertRaises(TypeError):
            getafix.check(b"void main() begin skip; end")

    def test_answers_are_data(self):
        reply = getafix.check(EXAMPLES / "lock.bp")
        again = pickle.loads(pickle.dumps(reply))
        self.assertEqual(again, reply)
        self.assertEqual(again.to_html(), reply.to_html())
        self.assertEqual(dataclasses.asdict(reply)["trace"]["steps"][0]["line"], 35)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            reply.verdict = "unreachable"

    def test_limits_end_in_unknown(self):
        reply = getafix.check(ENDLESS, timeout=1)
        self.assertEqual((reply.verdict, reply.status, reply.holds), ("unknown", 5, None))
        self.assertIn("time", reply.reason)

    def test_limits_are_numbers_of_any_size(self):
        for seconds in (1234567, 86400.5, 2**40):
            self.assertEqual(getafix.check("void main() begin ERROR: skip; end", timeout=seconds).verdict, "reachable")
        self.assertEqual(getafix.check(ENDLESS, timeout=1e-7).verdict, "unknown")
        for wrong in (-1, float("inf"), float("nan")):
            with self.assertRaises(getafix.Rejected):
                getafix.check("void main() begin skip; end", timeout=wrong)

    def test_pages_are_for_notebooks(self):
        reply = getafix.check(EXAMPLES / "lock.bp", html=True)
        self.assertIn("<!DOCTYPE html>", reply.to_html()[:200].replace("doctype", "DOCTYPE"))
        self.assertIn("<iframe", reply._repr_html_())
        self.assertNotIn("<script", reply._repr_html_())
        plain = getafix.check(EXAMPLES / "lock.bp")
        self.assertEqual(plain.to_html(), reply.to_html())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "p.bp"
            path.write_text("decl x; void main() begin x := *; assert(x); end")
            changing = getafix.check(path)
            path.write_text("void main() begin assert(T); end")
            with self.assertRaises(getafix.GetafixError):
                changing.to_html()

    def test_a_certificate_is_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            proof = Path(folder) / "proof"
            getafix.check(EXAMPLES / "safe_lock.bp", "--certificate", str(proof))
            self.assertEqual(getafix.validate(EXAMPLES / "safe_lock.bp", proof).verdict, "accepted")

    @unittest.skipUnless(os.name == "posix", "signals are those of POSIX")
    def test_an_interrupt_ends_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            noted, real = Path(folder) / "pid", getafix.program()
            # The program notes the number of its process, so that it is known when it works and when it has ended.
            wrapper = Path(folder) / "getafix"
            wrapper.write_text(f'#!/bin/sh\necho $$ > "{noted}.new" && mv "{noted}.new" "{noted}"\nexec "{os.path.abspath(real)}" "$@"\n')
            wrapper.chmod(0o755)
            script = f"import getafix; getafix.check({ENDLESS!r})"
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "GETAFIX": str(wrapper)}
            child = subprocess.Popen(
                [sys.executable, "-c", script],
                env=environment,
                stderr=subprocess.PIPE,
                start_new_session=True,
                # A shell lets what it starts behind `&` ignore interrupts, and that is inherited.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
            self.addCleanup(child.kill)
            while not noted.exists():
                self.assertIsNone(child.poll())
                time.sleep(0.05)
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=60)
            self.assertIn(b"KeyboardInterrupt", errors)
            with self.assertRaises(ProcessLookupError):
                os.kill(int(noted.read_text()), 0)


class Formulas(unittest.TestCase):
    def test_queries_and_relations(self):
        text = "enum N {0..5};\nmu bool R(N a) a = 1 | (exists N b. R(b) & a = b + 2);\nR(3);\nR(2);\n#list R;\n"
        evaluation = getafix.mu(text)
        self.assertEqual(evaluation.queries, (True, False))
        self.assertEqual(list(evaluation.relations["R"]), [(1,), (3,), (5,)])
        self.assertEqual(len(evaluation.relations["R"]), 3)

    def test_relations_are_tuples_without_asking_for_a_list(self):
        text = """
            enum N {0..5}; enum C {red, green};
            // bool Ghost(N a)
            bool Any(N a, C c, bool b) a = 1;
            mu bool R(N a, C c) (a = 1 & c = red) | (exists N b. R(b, c) & a = b + 2);
        """
        relations = getafix.mu(text).relations
        self.assertEqual(set(relations), {"Any", "R"})
        self.assertEqual(list(relations["R"]), [(1, "red"), (3, "red"), (5, "red")])
        self.assertEqual(list(relations["Any"]), [(1, c, b) for c in ("red", "green") for b in (False, True)])
        self.assertEqual(len(relations["Any"]), 4)
        self.assertIn((1, "green", True), relations["Any"])
        self.assertNotIn((2, "green", True), relations["Any"])
        self.assertNotIn((1, "green", 1), relations["Any"])
        self.assertEqual(set(getafix.mu(text, relations=["R"]).relations), {"R"})
        with self.assertRaises(getafix.Rejected):
            getafix.mu(text, relations=["Missing"])
        with self.assertRaises(getafix.Rejected):
            getafix.mu(text, relations=["R; #ons R"])

    def test_files_are_read_and_stay_what_they_are(self):
        path = EXAMPLES / "reach.mu"
        before = path.read_bytes()
        evaluation = getafix.mu(path, relations=["Reach"])
        self.assertEqual({room for (room,) in evaluation.relations["Reach"]}, {"gate", "hall", "cellar", "garden"})
        self.assertEqual(path.read_bytes(), before)

    def test_files_are_found_beside_the_file_that_loads_them(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "base.mu").write_text("enum N {0..3};\nbool B(N a) a = 1;\n")
            top = Path(folder) / "top.mu"
            top.write_text('#load "base.mu";\nmu bool R(N a) B(a) | (exists N b. R(b) & a = b + 1);\nR(2);\n')
            for evaluation in (getafix.mu(top), getafix.mu(str(top), relations=["R"])):
                self.assertEqual(list(evaluation.relations["R"]), [(1,), (2,), (3,)])
                self.assertEqual(evaluation.queries, (True,))
            top.write_text("enum N {0..3};\nbool R(N a) b = 1;\n")
            with self.assertRaises(getafix.Rejected) as caught:
                getafix.mu(top)
            self.assertIn("top.mu:2:", str(caught.exception))

    def test_a_relation_that_is_cut_is_not_gone_through(self):
        evaluation = getafix.mu("enum N {0..99}; bool R(N a, N b) a < b;", rows=5)
        self.assertEqual(len(evaluation.relations["R"].rows), 5)
        with self.assertRaises(getafix.GetafixError):
            list(evaluation.relations["R"])

    def test_mistakes_have_their_places(self):
        with self.assertRaises(getafix.Rejected) as caught:
            getafix.mu("enum N {0..5};\nbool R(N a) b = 1;")
        self.assertEqual(caught.exception.diagnostics[0]["place"]["line"], 2)

    def test_limits_of_formulas_end_in_nothing(self):
        evaluation = getafix.mu(EXAMPLES / "counter.mu", "--param", "n=40", timeout=0.5)
        self.assertIn(None, evaluation.queries)


class Package(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_everything_has_a_type(self):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(HERE / "getafix")]
        checked = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_the_version_is_that_of_the_program(self):
        self.assertRegex(getafix.__version__, r"^\d+\.\d+\.\d+$")
        with self.assertRaises(AttributeError):
            getafix.no_such_name

    def test_a_wheel_is_the_same_bytes_each_time(self):
        spec = importlib.util.spec_from_file_location("wheel", HERE / "wheel.py")
        wheel = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(wheel)
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_bytes(b"#!/bin/sh\n")
            paths = []
            for name in ("a", "b"):
                to = Path(folder) / name
                to.mkdir()
                paths.append(wheel.write(program, "1.2.3", "manylinux_2_17_x86_64.manylinux2014_x86_64", to, b"inside"))
            self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())
            with zipfile.ZipFile(paths[0]) as archive:
                names = archive.namelist()
                self.assertIn("getafix/py.typed", names)
                about = archive.read("getafix-1.2.3.dist-info/METADATA").decode()
                self.assertIn("Requires-Dist: z3-solver>=4.11.2", about)
                self.assertEqual(archive.read("getafix-1.2.3.dist-info/WHEEL").decode().count("Tag: "), 2)
                for line in archive.read("getafix-1.2.3.dist-info/RECORD").decode().splitlines()[:-1]:
                    name, digest, size = line.split(",")
                    data = archive.read(name)
                    sum_ = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    self.assertEqual((digest, int(size)), (f"sha256={sum_}", len(data)))


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(getafix))
    # The page of the book about Python is true, where the examples are beside it.
    page = doctest.DocFileSuite(
        str(HERE.parent.parent / "docs/book/python.md"),
        module_relative=False,
        encoding="utf-8",
        optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL,
        setUp=lambda _: os.chdir(HERE.parent.parent),
    )
    tests.addTests(page)
    return tests


if __name__ == "__main__":
    unittest.main()
