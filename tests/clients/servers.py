"""Starts and stops the example servers."""

import contextlib
import pathlib
import socket
import subprocess
import tempfile
import time


@contextlib.contextmanager
def http(binary):
    """Runs the HTTP example on a free port with an empty database; yields its URL."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        command = [binary, f"127.0.0.1:{port}", str(pathlib.Path(folder) / "notes.redb")]
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
