"""Drives the Inspector's command line against the example servers.

    inspector.py NODE INSPECTOR WEATHER_BINARY NOTES_BINARY
"""

import json
import subprocess
import sys

import cases
import servers

# What the Inspector exits with when a result says `isError`, and when `--strict` finds an error.
IS_ERROR = 5
NOT_PORTABLE = 6
# Inspector 2.12.0 takes a structured `null` for a missing one. It stands on the wire: the Python client, which can
# tell the two apart, makes the same call.
REFUSES_NULL = "declares an output schema but returned no structured content"


def main(node, inspector, weather, notes):
    good = True
    for era in ("modern", "legacy"):
        good &= run([node, inspector, "--cli", weather], ("inspector", era, "stdio", "weather"))
        with servers.http(notes) as url:
            good &= run([node, inspector, "--cli", url], ("inspector", era, "http", "notes"))
    return 0 if good else 1


def run(command, row):
    """Lists the tools, then makes every call of the server's cases."""
    _, era, _, server = row
    expected = cases.load(server)
    failures = attempt(f"tools/list --strict of {server}", list_tools, command, expected, era)
    for case in expected["calls"]:
        failures += attempt(cases.title(case), call_tool, command, expected, case, era)
    refused = sum(refuses(case, era) for case in expected["calls"])
    remark = f" ({refused} of them refused by this client for a null)" if refused else ""
    return cases.report(row, failures, 1 + len(expected["calls"]), remark)


def attempt(what, step, *arguments):
    try:
        step(*arguments)
    except (cases.Wrong, subprocess.TimeoutExpired) as error:
        return [f"{what}: {error}"]
    return []


def list_tools(command, expected, era):
    done = ask(command, era, ["--method", "tools/list", "--strict"])
    cases.require(done.returncode != NOT_PORTABLE, f"not portable:\n{done.stderr}{done.stdout}")
    cases.require(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    answer = json.loads(done.stdout)
    cases.judge_tools(expected, answer["result"]["tools"], era)


def call_tool(command, expected, case, era):
    arguments = json.dumps(case["arguments"])
    done = ask(command, era, ["--method", "tools/call", "--tool-name", case["tool"], "--tool-args-json", arguments])
    if refuses(case, era):
        cases.require(REFUSES_NULL in done.stderr, f"takes a null now: {done.stdout}{done.stderr}")
        return
    wanted = IS_ERROR if "error" in case else 0
    cases.require(done.returncode == wanted, f"exit code {done.returncode}: {done.stderr}{done.stdout}")
    cases.judge_call(expected, case, json.loads(done.stdout)["result"], era)


def refuses(case, era):
    return era == "modern" and "value" in case and case["value"] is None


def ask(command, era, options):
    return subprocess.run(
        [*command, *options, "--format", "json", "--protocol-era", era],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
