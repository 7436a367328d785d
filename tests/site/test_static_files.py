"""The files that pages load, under the names that servers give them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from django.core.management import call_command

from tests.site.test_settings import GOOD, read

NAMED = re.compile(r'from "\./([^"]+)"')


def test_scripts_name_one_another_by_the_names_that_pages_ask_for(
    settings: Any, tmp_path: Path
) -> None:
    """Else a browser loads each module twice, and may mix those of two releases."""
    backend = read("STORAGES", "prod", **GOOD)["STORAGES"]["staticfiles"]
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}
    call_command("collectstatic", interactive=False, verbosity=0)
    served = set(json.loads((tmp_path / "staticfiles.json").read_text())["paths"].values())
    scripts = [name for name in served if re.fullmatch(r"rummy_site/.*\.js", name)]
    named = [
        (Path(script).parent / name).as_posix()
        for script in scripts
        for name in NAMED.findall((tmp_path / script).read_text())
    ]
    assert "rummy_site/table/main" in "".join(scripts)
    assert len(named) > len(scripts) / 2
    assert set(named) <= served
