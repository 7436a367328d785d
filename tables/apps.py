"""The tables app: one table, its match and its deals."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """Knows nothing of tournaments or money."""

    name = "tables"
