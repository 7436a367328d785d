"""The site on a loopback port, in a thread of the test's process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import uvicorn
from asgiref.sync import SyncToAsync
from django.db import connections

from rummy_site.asgi import application
from tables import consumers
from tables.limits import Allowances
from tables.threads import close_threads

START_SECONDS = 20.0


@contextmanager
def running_site() -> Iterator[str]:
    """Serve until the block ends; gives `127.0.0.1:port`. Nobody has sent it anything before."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(application, lifespan="off", log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + START_SECONDS
    while not server.started:
        if time.monotonic() > deadline:
            raise TimeoutError("The server did not start.")
        time.sleep(0.02)
    try:
        with patch.object(consumers, "allowances", Allowances()):
            yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=START_SECONDS)
        close_threads()
        # Sessions are read in a thread of asgiref's, which keeps its connection.
        SyncToAsync.single_thread_executor.submit(connections.close_all).result()
