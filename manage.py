#!/usr/bin/env python
"""Run a management command; without a setting of its own it works on the development site."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Hand the command line to Django; what is missing is said in its sentence alone."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.dev")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
