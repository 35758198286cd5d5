"""What the example servers must answer: reads `<server>.json`, judges results of tools."""

import base64
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
ASSETS = HERE.parent.parent / "examples" / "brand-kit" / "assets"


class Wrong(Exception):
    """An answer that is not the one expected."""


def load(server):
    """What one example server must offer and answer. `{"$bytes": name}` and `{"$text": name}` are files of the brand kit."""
    return json.loads((HERE / f"{server}.json").read_text(encoding="utf-8"), object_hook=asset)


def asset(value):
    if list(value) == ["$bytes"]:
        return base64.b64encode((ASSETS / value["$bytes"]).read_bytes()).decode("ascii")
    if list(value) == ["$text"]:
        return (ASSETS / value["$text"]).read_text(encoding="utf-8")
    return value


def judge_tools(expected, tools, era):
    """Checks a whole `tools/list`; `tools` are plain JSON objects."""
    names = sorted(tool["name"] for tool in tools)
    require(names == sorted(expected["tools"]), f"tools/list has {names}")
    for tool in tools:
        require(tool.get("description"), f"{tool['name']} has no description")
        require(tool["inputSchema"].get("type") == "object", f"input of {tool['name']} is no object")
        output = tool.get("outputSchema")
        if era == "legacy" and output is not None:
            require(output.get("type") == "object", f"legacy peers get an output of {tool['name']} that is no object")


def judge_call(expected, case, result, era):
    """Checks one `tools/call` result, a plain JSON object, against its case."""
    text = "\n".join(block.get("text", "") for block in result["content"])
    if "content" in case:
        require(same(case["content"], bare(result["content"])), f"the content is {json.dumps(result['content'])[:500]}")
    if "error" in case:
        require(result.get("isError") is True, f"expected an error, got {json.dumps(result)}")
        require("structuredContent" not in result, "an error has no structured content")
        for word in case["error"]:
            require(word in text, f"the error does not mention `{word}`: {text}")
        return
    require(not result.get("isError"), f"failed: {text}")
    if "text" in case or case.get("structured") is False:
        require("structuredContent" not in result, "a text-only tool has no structured content")
        require(text == case.get("text", text), f"the text is {text!r}")
        return
    require("structuredContent" in result, f"no structured content: {json.dumps(result)}")
    value = result["structuredContent"]
    if era == "legacy" and case["tool"] in expected["wrapped"]:
        value = unwrap(value)
    if "value" in case:
        require(same(case["value"], value), f"the value is {json.dumps(value)}")
    if "part" in case:
        require(contains(value, case["part"]), f"the value is {json.dumps(value)}")
    if "length" in case:
        require(len(value) == case["length"], f"{len(value)} elements")
    for name in case.get("without", []):
        require(name not in value, f"the value has `{name}`")


def bare(blocks):
    """Blocks without what a client or the protocol adds to each."""
    return [{key: value for key, value in block.items() if key != "_meta"} for block in blocks]


def unwrap(value):
    """Legacy peers see a result that need not be an object as `{"result": …}`."""
    require(isinstance(value, dict) and list(value) == ["result"], f"not wrapped for a legacy peer: {json.dumps(value)}")
    return value["result"]


def contains(value, part):
    """Whether `value` has at least what `part` has."""
    if isinstance(part, dict):
        return isinstance(value, dict) and all(key in value and contains(value[key], part[key]) for key in part)
    if isinstance(part, list):
        return isinstance(value, list) and len(value) == len(part) and all(map(contains, value, part))
    return same(part, value)


def same(left, right):
    """JSON equality: `1` is `1.0` but not `true`."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def require(holds, message):
    if not holds:
        raise Wrong(message)


def report(row, failures, calls, remark=""):
    """Prints one row of the table; true if all went well."""
    client, era, transport, server = row
    verdict = f"{calls} requests ok" if not failures else f"{calls - len(failures)} of {calls} requests ok"
    print(f"{client:<10} {era:<11} {transport:<6} {server:<10} {verdict}{remark}", flush=True)
    for failure in failures:
        print(f"    {failure}", file=sys.stderr, flush=True)
    return not failures


def title(case):
    about = f" ({case['about']})" if "about" in case else ""
    return f"{case['tool']} {json.dumps(case['arguments'])}{about}"
