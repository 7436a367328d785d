"""The site: settings, addresses, servers and the map from refusals to answers.

It joins the three apps and knows none of the game. Celery finds its tasks through `celery_app`.
"""

from rummy_site.celery import app as celery_app

__all__ = ["celery_app"]
