"""Drives clients that take one request per line and print one answer per line: the TypeScript SDK's, and rmcp's.

    lines.py FOLDER_OF_THE_SERVERS NAME COMMAND...

`COMMAND <era> <JSON: URL or list of a command>` connects and prints `{"revision": …}`. It then reads lines
`{"method", "params", "answers"}`, where `answers` is what its user says if asked, and prints `{"result": …}` or
`{"error": {"code", "message", "data"}}` for each.
"""

import json
import subprocess
import sys
import tempfile

import cases
import servers
import steps

REVISIONS = {"modern": "2026-07-28", "legacy": "2025-11-25"}
PATIENCE = 120
# The TypeScript SDK 2.4.0 tells its user this code for an unknown resource, whichever came; the Python client sees which.
UNKNOWN_RESOURCE = -32602


def main(target, name, *command):
    good = True
    for era in REVISIONS:
        for server, transport in servers.COMMANDS:
            with servers.started(target, server, transport) as it:
                good &= run([*command, era, json.dumps(it)], (name, era, transport, server))
    return 0 if good else 1


def run(command, row):
    """Takes every step in one connection. All requests are known beforehand, so one exchange is enough."""
    _, era, _, server = row
    todo = list(steps.of(server))
    requests = "".join(json.dumps({"method": it.method, "params": it.params, "answers": it.answers}) + "\n" for it in todo)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        failures = []
        try:
            done = subprocess.run(command, input=requests, stdout=subprocess.PIPE, stderr=log, text=True, timeout=PATIENCE, check=False)
            first, *answers = [json.loads(line) for line in done.stdout.splitlines()] or [None]
            cases.require(first == {"revision": REVISIONS[era]}, f"speaks {first}")
            cases.require(len(answers) == len(todo), f"{len(answers)} answers to {len(todo)} requests")
            cases.require(done.returncode == 0, f"ended with {done.returncode}")
            failures = [it for it in map(lambda step, answer: attempt(step, answer, row), todo, answers) if it]
        except (cases.Wrong, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
            failures.append(f"the connection: {error}")
        if failures:
            log.seek(0)
            print(log.read(), file=sys.stderr)
    return cases.report(row, failures, len(todo))


def attempt(step, answer, row):
    """What is wrong with the answer, if anything."""
    client, era, _, _ = row
    if "error" in answer:
        error = answer["error"]
        code = error.get("code")
        if client == "typescript" and step.method == "resources/read" and code == UNKNOWN_RESOURCE:
            code = None
        outcome = steps.Refused(code, f"{error.get('message')} {json.dumps(error.get('data'))}")
    else:
        outcome = answer["result"]
    try:
        step.judge(outcome, era)
    except cases.Wrong as error:
        return f"{step.title}: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
