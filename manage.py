#!/usr/bin/env python
"""Run a management command; without a setting of its own it works on the development site."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.dev")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
