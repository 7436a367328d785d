"""On one machine e-mails are written to the terminal, to be read there."""

from __future__ import annotations

import io

from django.core.mail import EmailMultiAlternatives

from rummy_site.terminal_mail import EmailBackend


def test_an_e_mail_in_the_terminal_is_its_plain_text_with_the_whole_link() -> None:
    link = "http://127.0.0.1:8000/account/confirm-email/" + "MTE:1xY2BN" * 20
    mail = EmailMultiAlternatives(
        "आइए", f"नमस्ते आशा,\n\n{link}\n", to=["a@e.example", "b@e.example"]
    )
    mail.attach_alternative("<p>not for a terminal</p>", "text/html")
    out = io.StringIO()
    assert EmailBackend(stream=out).send_messages([mail, mail]) == 2
    told = out.getvalue()
    assert told.count(f"E-mail to a@e.example, b@e.example: आइए\n\nनमस्ते आशा,\n\n{link}\n") == 2
    assert "terminal" not in told
    assert "Content-Type" not in told
