"""uvicorn's WebSocket protocol, but for a client that pings and does not read, and for the end.

A pong is written whether or not the client takes it, and what is not taken is kept: whoever sends
pings and reads nothing could fill our memory. Here a ping goes unanswered while the client reads
nothing, which it learns from its own time limit, as it does of a line that is dead.

When the server stops it tells those who count sockets before it closes the first one.
"""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tables import attendance


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """Keeps little more for a client than the transport's limit."""

    def shutdown(self) -> None:
        """The server stops, which takes nobody offline who comes back."""
        attendance.close_down()
        super().shutdown()

    def handle_ping(self) -> None:
        """Answer, if the answer can go out."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()
