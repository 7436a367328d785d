"""What a browser may load and run, page by page: nothing from elsewhere, nothing inline.

The admin is the one exception. Its interface (django-unfold) makes its colours an inline style, and
its Alpine reads expressions, which browsers count as `eval`. Both are let in there only.
"""

from __future__ import annotations

from typing import Any, Final

from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

IN_THE_ADMIN: Final = {
    "script-src": ["'self'", "'unsafe-eval'"],
    "style-src": ["'self'", "'unsafe-inline'"],
}


class PolicyMiddleware(CSPMiddleware):
    """The site's policy, a little wider under the admin."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """As the settings say; what the admin needs is added below its address."""
        parts: PolicyParts = super().get_policy_parts(request, response, report_only)
        if request.path.startswith(reverse("admin:index")):
            update: dict[str, Any] = dict(parts.update or {})
            parts.update = {**update, **IN_THE_ADMIN}
        return parts
