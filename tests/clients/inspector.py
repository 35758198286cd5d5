"""Drives the Inspector's command line against the example servers.

    inspector.py NODE INSPECTOR FOLDER_OF_THE_SERVERS
"""

import concurrent.futures
import json
import os
import subprocess
import sys

import cases
import servers
import steps

# What the Inspector exits with when a result says `isError`, and when `--strict` finds an error.
IS_ERROR = 5
NOT_PORTABLE = 6
# Inspector 2.12.0 takes a structured `null` for a missing one. It stands on the wire: the Python client, which can
# tell the two apart, makes the same call.
REFUSES_NULL = "declares an output schema but returned no structured content"
# Its command line has no method for these. Who the server is stands on results of the modern era.
UNASKED = ("server", "completion/complete")
SERVER = "io.modelcontextprotocol/serverInfo"
# Nobody sits before it who could be asked; a server must say that this is the reason.
NOBODY = "does not declare the capability `elicitation`"


def main(node, inspector, target):
    good = True
    for era in ("modern", "legacy"):
        for server, transport in servers.COMMANDS:
            with servers.started(target, server, transport) as it:
                command = [node, inspector, "--cli", *([it] if transport == "http" else it)]
                good &= run(command, ("inspector", era, transport, server))
    return 0 if good else 1


def run(command, row):
    """Takes every step, each with a process of its own."""
    _, era, _, server = row
    todo = [step for step in steps.of(server) if step.method not in UNASKED]
    # What a note is called depends on those before it.
    workers = 1 if server == "notes" else os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        failures = [it for it in pool.map(lambda step: attempt(step, command, era, server), todo) if it]
    refused = sum(refuses(step, era) for step in todo)
    remark = f" ({refused} of them refused by this client for a null)" if refused else ""
    return cases.report(row, failures, len(todo), remark)


def attempt(step, command, era, server):
    """What is wrong with the answer, if anything."""
    try:
        done = ask(command, era, options(step))
        if refuses(step, era):
            cases.require(REFUSES_NULL in done.stderr, f"takes a null now: {done.stdout}{done.stderr}")
        elif step.answers:
            cases.require(NOBODY in done.stdout + done.stderr, f"asks nobody, and yet: {done.stdout}{done.stderr}")
        else:
            result = outcome(done)
            step.judge(result, era)
            if not isinstance(result, steps.Refused):
                steps.judge_server(server, result.get("_meta", {}).get(SERVER))
    except (cases.Wrong, subprocess.TimeoutExpired) as error:
        return f"{step.title}: {error}"
    return None


def options(step):
    params = step.params
    match step.method:
        case "tools/list":
            return ["--method", "tools/list", "--strict"]
        case "tools/call":
            arguments = json.dumps(params["arguments"])
            return ["--method", "tools/call", "--tool-name", params["name"], "--tool-args-json", arguments]
        case "resources/read":
            return ["--method", "resources/read", "--uri", params["uri"]]
        case "prompts/get":
            arguments = [f"{name}={value}" for name, value in params["arguments"].items()]
            return ["--method", "prompts/get", "--prompt-name", params["name"], *(["--prompt-args", *arguments] if arguments else [])]
        case _:
            return ["--method", step.method]


def outcome(done):
    """The result that was printed, or the error."""
    cases.require(done.returncode != NOT_PORTABLE, f"not portable:\n{done.stderr}{done.stdout}")
    if not done.stdout.strip():
        cases.require(done.returncode != 0, "says nothing")
        # It prints the message, and neither the code nor what comes with it.
        return steps.Refused(None, done.stderr)
    result = json.loads(done.stdout)["result"]
    cases.require(done.returncode == (IS_ERROR if result.get("isError") else 0), f"exit code {done.returncode}: {done.stderr}")
    return result


def refuses(step, era):
    return era == "modern" and step.gives_null


def ask(command, era, method):
    return subprocess.run(
        [*command, *method, "--format", "json", "--protocol-era", era],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
