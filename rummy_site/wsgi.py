"""The pages for a WSGI server: in production this serves HTTP faster than ASGI does."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.prod")

application = get_wsgi_application()
