"""The site for an ASGI server: pages, and the place where socket routes join."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.prod")

application = ProtocolTypeRouter({"http": get_asgi_application()})
