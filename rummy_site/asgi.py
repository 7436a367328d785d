"""The site for an ASGI server: pages and sockets.

`web` is the bare application; `application` also settles memory at the start, beats while it serves
and closes its threads at the end, for servers that know the lifespan protocol.
"""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.prod")

pages = get_asgi_application()

# After Django is set up: the routes import models.
from rummy_site.lifespan import WithLifespan, beat, settle_memory  # noqa: E402
from rummy_site.sockets import sockets  # noqa: E402
from tables.threads import close_threads  # noqa: E402

web = ProtocolTypeRouter({"http": pages, "websocket": sockets})
application = WithLifespan(web, start=settle_memory, stop=close_threads, beside=beat)
