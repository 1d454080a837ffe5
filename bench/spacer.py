#!/usr/bin/env python3
"""Asks Z3's Spacer about Horn clauses as Getafix prints them.

Usage: bench/spacer.py FILE.smt2 [SECONDS] [OPTION=VALUE ...]

Prints `reachable`, `unreachable` or `unknown`, then the seconds of processor time that solving took; reading the file is
not counted.
Options are those of Z3's module `fp`, such as xform.inline_eager=false. Without SECONDS the limit is 60.
"""

import multiprocessing
import sys
import time

ANSWERS = {"sat": "unreachable", "unsat": "reachable", "unknown": "unknown"}


def solve(path, limit, options, answers):
    """Sends something once the file is read, then the answer and the processor time it took."""
    import z3

    z3.set_param("fp.engine", "spacer")
    for option in options:
        name, _, value = option.partition("=")
        z3.set_param("fp." + name, value)
    solver = z3.SolverFor("HORN")
    solver.set("timeout", max(1, int(limit * 1000)))
    solver.from_file(path)
    answers.send(None)
    start = time.process_time()
    answer = ANSWERS[str(solver.check())]
    answers.send((answer, time.process_time() - start))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    try:
        import z3  # noqa: F401
    except ImportError:
        sys.exit("Z3 is missing; install it with: pip install z3-solver")
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    receiver, sender = multiprocessing.Pipe(duplex=False)
    # Z3 does not look at the clock while it simplifies the clauses, so the limit is kept from outside.
    arguments = (sys.argv[1], limit, sys.argv[3:], sender)
    worker = multiprocessing.Process(target=solve, args=arguments, daemon=True)
    worker.start()
    sender.close()
    try:
        receiver.recv()
        answer, seconds = receiver.recv() if receiver.poll(limit + 1) else ("unknown", limit)
    except EOFError:
        sys.exit("Z3 ended without an answer")
    print(f"{answer} {seconds:.4f}")
    worker.kill()


if __name__ == "__main__":
    main()
