"""Generated clients against the weather example and the reference servers of the protocol.

First each reference server must still say of its tools what the contract in examples/client/schemas says; then the
tour of each server must print what tests/clients/typed has. With BLESS=1 both are rewritten instead.

    python3 typed.py <client-example> <weather-example> <node> <node_modules>
"""

import contextlib
import difflib
import io
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

import dump
from servers import wait_for

HERE = pathlib.Path(__file__).resolve().parent
SCHEMAS = HERE.parent.parent / "examples" / "client" / "schemas"


def main(client, weather, node, modules):
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "files").mkdir()
        os.environ["MEMORY_FILE_PATH"] = str(scratch / "memory.json")

        def reference(name, *arguments):
            return [node, f"{modules}/.bin/mcp-server-{name}", *arguments]

        commands = {
            "everything": reference("everything"),
            "filesystem": reference("filesystem", str(scratch / "files")),
            "memory": reference("memory"),
        }
        for name, command in commands.items():
            failed += compare(SCHEMAS / name / f"{name}.tools.json", listed(command), f"{name}: the contract is its tools/list")
        for name, command in {"weather": [weather], **commands}.items():
            failed += compare(HERE / "typed" / f"{name}.txt", tour(client, name, command), f"{name}: typed calls over stdio")
        with everything_over_http(reference("everything", "streamableHttp"), scratch) as url:
            failed += compare(HERE / "typed" / "everything.txt", tour(client, "everything", [url]), "everything: typed calls over HTTP")
    return 1 if failed else 0


def listed(command):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        dump.main(command)
    return text.getvalue()


def tour(client, name, target):
    done = subprocess.run([client, name, *target], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        return f"{done.stdout}\nended with {done.returncode}:\n{done.stderr}"
    return done.stdout


@contextlib.contextmanager
def everything_over_http(command, scratch):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with open(scratch / "log", "w+", encoding="utf-8") as log:
        environment = {**os.environ, "PORT": str(port)}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        try:
            wait_for(process, port, log)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                # It keeps its sessions open; that is its own affair.
                process.kill()
                process.wait()


def compare(path, found, what):
    """0 where the file says what was found, else 1 and the difference."""
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    calls = len(found.splitlines())
    if os.environ.get("BLESS") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
        expected = found
    if expected == found:
        print(f"ok    {what} ({calls} lines)")
        return 0
    print(f"FAIL  {what}")
    lines = difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", lineterm="")
    print("\n".join(lines))
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
