"""All that one server is asked, whoever asks: lists, calls, reads, prompts, completions; and how each answer is judged."""

import json
import pathlib

import cases

CONTRACTS = pathlib.Path(__file__).parent.parent.parent / "schemas"
INVALID_PARAMS = -32602
# What a list is called in its result, and the ends of the names of the contract files with its entries.
LISTS = {
    "tools/list": ("tools", "name", "tool"),
    "resources/list": ("resources", "uri", "resource"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate", "resource"),
    "prompts/list": ("prompts", "name", "prompt"),
}


class Refused(Exception):
    """A JSON-RPC error, as a client tells it. `code` is `None` where the client keeps it for itself."""

    def __init__(self, code, text):
        super().__init__(f"error {code}: {text}")
        self.code = code
        self.text = text


class Step:
    """One request. `judge` takes what came, a result or a `Refused`, and the era."""

    def __init__(self, title, method, params, judge, case=None):
        self.title = title
        self.method = method
        self.params = params
        self.judge = judge
        # What the user of the client says, question by question.
        self.answers = list((case or {}).get("answers", []))
        # Whether the right answer is a structured `null`.
        self.gives_null = case is not None and "value" in case and case["value"] is None


def of(server):
    """Every step of one server."""
    expected = cases.load(server)
    yield Step("the server", "server", {}, lambda info, _: judge_server(server, info))
    for method, (member, _, _) in LISTS.items():
        if member in expected:
            yield Step(method, method, {}, listing(expected, server, method))
    for case in expected["calls"]:
        params = {"name": case["tool"], "arguments": case["arguments"]}
        yield Step(cases.title(case), "tools/call", params, calling(expected, case), case)
    yield Step("an unknown tool", "tools/call", {"name": "no_such_tool", "arguments": {}}, refusing({"code": INVALID_PARAMS, "error": ["no_such_tool"]}))
    for case in expected.get("reads", []):
        yield Step(f"read {case['uri']}", "resources/read", {"uri": case["uri"]}, giving(case, "contents"))
    for case in expected.get("gets", []):
        params = {"name": case["name"], "arguments": case["arguments"]}
        yield Step(f"prompt {case['name']} {json.dumps(case['arguments'])}", "prompts/get", params, giving(case, "messages"))
    for case in expected.get("completions", []):
        params = {"ref": case["ref"], "argument": case["argument"]}
        yield Step(f"complete {json.dumps(case['argument'])} ({case['about']})", "completion/complete", params, completing(case))


def listing(expected, server, method):
    member, key, kind = LISTS[method]

    def judge(result, era):
        entries = answer(result)[member]
        if method == "tools/list":
            cases.judge_tools(expected, entries, era)
        found = sorted(entry[key] for entry in entries)
        cases.require(found == sorted(expected[member]), f"{method} has {found}")
        for entry in entries:
            # A client must see the icons that stand in the contract file, each with all that it says.
            icons = contract(server, f"{entry['name']}.{kind}").get("icons", [])
            cases.require(cases.same(icons, entry.get("icons", [])), f"{entry['name']} has the icons {entry.get('icons')}")

    return judge


def judge_server(server, info):
    """The modern era need not say who the server is; ours do. `None`: the client shows it nowhere."""
    if info is None:
        return
    expected = contract(server, f"{server}.server")
    cases.require(info.get("name") == server, f"the server is {info}")
    cases.require(cases.same(expected.get("icons", []), info.get("icons", [])), f"the server has the icons {info.get('icons')}")


def contract(server, stem):
    """A contract file; a tool may stand elsewhere, in another format, and then it has no icons."""
    path = CONTRACTS / server / f"{stem}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def calling(expected, case):
    return lambda result, era: cases.judge_call(expected, case, answer(result), era)


def giving(case, member):
    """Contents of a resource or messages of a prompt, or the error that the case names."""
    if "error" in case:
        return refusing(case)

    def judge(result, _):
        found = cases.bare(answer(result)[member])
        cases.require(cases.same(case[member], found), f"{member} are {json.dumps(found)[:500]}")

    return judge


def completing(case):
    def judge(result, _):
        found = answer(result)["completion"]["values"]
        cases.require(found == case["values"], f"the values are {found}")

    return judge


def refusing(case):
    def judge(result, era):
        cases.require(isinstance(result, Refused), f"no error, but {json.dumps(result, default=str)[:500]}")
        code = case["code"][era] if isinstance(case["code"], dict) else case["code"]
        cases.require(result.code in (None, code), f"the code is {result.code}: {result.text}")
        for word in case.get("error", []):
            cases.require(word in result.text, f"the error does not mention `{word}`: {result.text}")

    return judge


def answer(result):
    if isinstance(result, Refused):
        raise cases.Wrong(str(result))
    return result
