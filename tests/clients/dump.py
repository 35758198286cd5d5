"""Prints the `tools/list` result of a stdio server, as it sends it: a contract file of kind `*.tools.json`.

    python3 dump.py <command> [arguments]
"""

import json
import subprocess
import sys


def main(command):
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        ask(server, 1, "initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "dump", "version": "1"},
        })
        send(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools, cursor, number = [], None, 2
        while True:
            page = ask(server, number, "tools/list", {"cursor": cursor} if cursor else {})
            tools += page["tools"]
            cursor, number = page.get("nextCursor"), number + 1
            if not cursor:
                break
        print(json.dumps({"tools": tools}, indent=2, ensure_ascii=False))
    finally:
        server.stdin.close()
        server.terminate()
        server.wait(timeout=10)


def send(server, message):
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()


def ask(server, number, method, params):
    """The result of a request; notifications before it are skipped."""
    send(server, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    for line in server.stdout:
        message = json.loads(line)
        if message.get("id") == number and "method" not in message:
            if "error" in message:
                raise RuntimeError(f"{method}: {message['error']}")
            return message["result"]
    raise RuntimeError(f"{method}: the server ended")


if __name__ == "__main__":
    main(sys.argv[1:])
