"""Drives the Python SDK's client against the example servers.

    python_client.py FOLDER_OF_THE_SERVERS
"""

import json
import sys
import tempfile

import anyio
from mcp import Client, MCPError, StdioServerParameters, types
from mcp.client.stdio import stdio_client

import cases
import servers
import steps

# How the client is told to speak, and the revision that must come of it.
ERAS = {"modern": ("2026-07-28", "2026-07-28"), "discovered": ("auto", "2026-07-28"), "legacy": ("legacy", "2025-11-25")}


async def main(target):
    good = True
    for era in ERAS:
        for server, transport in servers.COMMANDS:
            with tempfile.TemporaryFile("w+", encoding="utf-8") as log, servers.started(target, server, transport) as it:
                if transport == "stdio":
                    it = stdio_client(StdioServerParameters(command=it[0], args=it[1:]), errlog=log)
                fine = await run(it, ("python", era, transport, server))
                if not fine:
                    log.seek(0)
                    print(log.read(), file=sys.stderr)
                good &= fine
    return 0 if good else 1


async def run(target, row):
    """Connects and takes every step."""
    _, era, _, server = row
    mode, revision = ERAS[era]
    failures, count = [], 0
    answers = []

    async def elicit(_context, _params):
        return types.ElicitResult.model_validate(answers.pop(0))

    try:
        with anyio.fail_after(120):
            async with Client(target, mode=mode, elicitation_callback=elicit) as client:
                cases.require(client.protocol_version == revision, f"speaks {client.protocol_version}")
                for step in steps.of(server):
                    count += 1
                    answers[:] = step.answers
                    try:
                        step.judge(await ask(client, step), "legacy" if era == "legacy" else "modern")
                    except Exception as error:  # noqa: BLE001: whatever goes wrong in one step is a row of the report
                        failures.append(f"{step.title}: {type(error).__name__}: {error}")
    except Exception as error:  # noqa: BLE001: see above
        failures.append(f"the connection: {type(error).__name__}: {error}")
    return cases.report(row, failures, count)


async def ask(client, step):
    params = step.params
    try:
        match step.method:
            case "server":
                return dump(client.server_info) if client.server_info else None
            case "tools/list":
                return dump(await client.list_tools())
            case "tools/call":
                return dump(await client.call_tool(params["name"], params["arguments"]))
            case "resources/list":
                return dump(await client.list_resources())
            case "resources/templates/list":
                return dump(await client.list_resource_templates())
            case "resources/read":
                return dump(await client.read_resource(params["uri"]))
            case "prompts/list":
                return dump(await client.list_prompts())
            case "prompts/get":
                return dump(await client.get_prompt(params["name"], params["arguments"]))
            case "completion/complete":
                return dump(await client.complete(reference(params["ref"]), params["argument"]))
    except MCPError as error:
        return steps.Refused(error.code, f"{error.message} {json.dumps(error.data)}")
    raise cases.Wrong(f"asks nothing called {step.method}")


def reference(ref):
    kind = types.PromptReference if ref["type"] == "ref/prompt" else types.ResourceTemplateReference
    return kind.model_validate(ref)


def dump(model):
    """The model as it stood on the wire: what was not sent is not there, what was sent as `null` is."""
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


if __name__ == "__main__":
    sys.exit(anyio.run(main, *sys.argv[1:]))
