"""Drives the Python SDK's client against the example servers.

    python_client.py WEATHER_BINARY NOTES_BINARY
"""

import sys
import tempfile

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

import cases
import servers

# How the client is told to speak, and the revision that must come of it.
ERAS = {"modern": ("2026-07-28", "2026-07-28"), "discovered": ("auto", "2026-07-28"), "legacy": ("legacy", "2025-11-25")}
INVALID_PARAMS = -32602


async def main(weather, notes):
    good = True
    for era in ERAS:
        with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
            server = stdio_client(StdioServerParameters(command=weather), errlog=log)
            fine = await run(server, ("python", era, "stdio", "weather"))
            if not fine:
                log.seek(0)
                print(log.read(), file=sys.stderr)
            good &= fine
        with servers.http(notes) as url:
            good &= await run(url, ("python", era, "http", "notes"))
    return 0 if good else 1


async def run(server, row):
    """Connects, lists the tools, makes every call of the server's cases and one to a tool that does not exist."""
    _, era, _, name = row
    expected = cases.load(name)
    mode, revision = ERAS[era]
    failures = []

    async def attempt(what, step, *arguments):
        try:
            await step(*arguments)
        except Exception as error:  # noqa: BLE001: whatever goes wrong in one call is a row of the report
            failures.append(f"{what}: {type(error).__name__}: {error}")

    try:
        with anyio.fail_after(60):
            async with Client(server, mode=mode) as client:
                await attempt("connecting", judge_connection, client, name, revision)
                await attempt("tools/list", list_tools, client, expected, revision)
                for case in expected["calls"]:
                    await attempt(cases.title(case), call_tool, client, expected, case, revision)
                await attempt("unknown tool", call_unknown, client)
    except Exception as error:  # noqa: BLE001: see above
        failures.append(f"the connection: {type(error).__name__}: {error}")
    return cases.report(row, failures, 3 + len(expected["calls"]))


def era_of(revision):
    return "modern" if revision == "2026-07-28" else "legacy"


async def judge_connection(client, name, revision):
    cases.require(client.protocol_version == revision, f"speaks {client.protocol_version}")
    if client.server_info is not None:
        cases.require(client.server_info.name == name, f"the server is {client.server_info.name}")


async def list_tools(client, expected, revision):
    tools = (await client.list_tools()).tools
    cases.judge_tools(expected, [dump(tool) for tool in tools], era_of(revision))


async def call_tool(client, expected, case, revision):
    result = dump(await client.call_tool(case["tool"], case["arguments"]))
    cases.judge_call(expected, case, result, era_of(revision))


async def call_unknown(client):
    try:
        await client.call_tool("no_such_tool", {})
    except MCPError as error:
        cases.require(error.code == INVALID_PARAMS, f"the code is {error.code}")
    else:
        raise cases.Wrong("no error")


def dump(model):
    """The model as it stood on the wire: what was not sent is not there, what was sent as `null` is."""
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


if __name__ == "__main__":
    sys.exit(anyio.run(main, *sys.argv[1:]))
