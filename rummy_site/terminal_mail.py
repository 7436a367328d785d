"""E-mails of a site on one machine, written to the terminal as somebody would read them."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.core.mail.backends import console


class EmailBackend(console.EmailBackend):
    """To whom, about what, and the plain text with its links; no headers and no second part."""

    def write_message(self, message: EmailMessage) -> None:
        """One e-mail between two lines."""
        line = "-" * 79
        self.stream.write(
            f"{line}\nE-mail to {', '.join(message.recipients())}: {message.subject}\n\n"
            f"{message.body.strip()}\n"
        )
