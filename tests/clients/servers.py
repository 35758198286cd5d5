"""Which servers there are to ask, and how they are started and stopped."""

import contextlib
import pathlib
import socket
import subprocess
import tempfile
import time

# For each server and transport, the program and its arguments. The port is a free one, the folder an empty one.
COMMANDS = {
    ("weather", "stdio"): ["weather-example"],
    ("weather", "http"): ["balanced-example", "serve", "127.0.0.1:{port}"],
    ("notes", "http"): ["notes-example", "127.0.0.1:{port}", "{folder}/notes.redb"],
    ("brand-kit", "stdio"): ["brand-kit-example"],
    ("brand-kit", "http"): ["brand-kit-example", "--http", "127.0.0.1:{port}"],
}


@contextlib.contextmanager
def started(target, server, transport):
    """Yields what a client is told: the command of a stdio server, or the URL of one that runs meanwhile."""
    program, *arguments = COMMANDS[server, transport]
    command = [str(pathlib.Path(target) / program), *arguments]
    if transport == "stdio":
        yield command
    else:
        with http(command) as url:
            yield url


@contextlib.contextmanager
def http(command):
    """Runs a server on a free port; yields its URL."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        command = [part.format(port=port, folder=folder) for part in command]
        with open(pathlib.Path(folder) / "log", "w+", encoding="utf-8") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try:
                wait_for(process, port, log)
                yield f"http://127.0.0.1:{port}/mcp"
            finally:
                process.terminate()
                try:
                    process.wait(timeout=10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise RuntimeError("the HTTP server does not stop on SIGTERM") from None


def wait_for(process, port, log):
    """Returns when the port accepts connections."""
    for _ in range(100):
        if process.poll() is not None:
            log.seek(0)
            raise RuntimeError(f"the HTTP server ended with {process.returncode}:\n{log.read()}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise RuntimeError("the HTTP server does not listen after 10 seconds")
