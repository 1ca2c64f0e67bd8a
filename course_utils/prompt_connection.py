"""The kernel's way to the page, without waiting for more to send.

A moved slider is answered by several small messages. TCP holds the second one back until the
first is acknowledged, which a browser does up to 40 ms later: longer than the picture takes.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """Jupyter's own connection, whose socket sends each message at once (TCP_NODELAY)."""

    def connect(self) -> Any:
        """Connect as always, once the socket is told."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
