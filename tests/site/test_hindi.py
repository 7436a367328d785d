"""The pages, refusals, e-mails and the API in Hindi, as somebody reads who knows no English."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone, translation

from players.models import Profile
from players.services import inbox
from tables.languages import language_of
from tests.programs import key_for
from tests.showcase import VISITOR, Showcase, make_showcase
from tests.site.hindi import english_in, language_and_texts, reader
from tests.tournaments.helpers import NOW, a_tournament, join, players, run_out, started
from tournaments import services
from tournaments.amounts import in_unit
from tournaments.models import Entry, Shape
from wording import moment_text, number_text, part, told
from wording.parts import PART
from wording.retelling import SENTENCE, patterns

pytestmark = pytest.mark.django_db


@pytest.fixture
def showcase() -> Showcase:
    """A site with something of everything."""
    return make_showcase()


@pytest.mark.parametrize("role", ["player", VISITOR, "organiser"])
def test_no_page_has_an_english_word_on_it(showcase: Showcase, role: str) -> None:
    """Whatever is read or read aloud on any page of a player, a visitor or an organiser."""
    browser = reader(showcase.people.get(role))
    english, languages, shown = {}, set(), 0
    for name, address in showcase.pages.items():
        answer = browser.get(address)
        if answer.status_code in (200, 400, 404, 409):
            html = answer.content.decode()
            languages.add(language_and_texts(html)[0])
            shown += 1
            if found := english_in(html):
                english[name] = found
    assert english == {}
    assert languages == {"hi"}
    assert shown > len(showcase.pages) / 2


@pytest.mark.parametrize("shape", [Shape.HEADS_UP, Shape.KNOCKOUT, Shape.SINGLE])
def test_the_grounds_of_ranks_and_prizes_are_told_in_hindi(shape: Shape) -> None:
    """They are kept in English, whoever settles them, and each reader is told them in his words."""
    tournament = started(shape, 4 if shape is not Shape.KNOCKOUT else 9, name="Cup")
    run_out(tournament)
    with translation.override("hi"):
        services.complete(tournament_id=tournament.pk, now=datetime.now(UTC))
        rows = Entry.objects.filter(tournament=tournament).values_list("reason", "prize_reason")
        grounds = {kept: told(kept) for row in rows for kept in row if kept}
    assert grounds
    assert all(text.isascii() for text in grounds)
    assert {text: said for text, said in grounds.items() if english_in(said)} == {}


def test_every_sentence_with_places_is_found_by_what_it_makes() -> None:
    """Filled with names and figures, it is told by its own translation and by no other."""
    wrong = []
    with translation.override("hi"):
        for context, tell in ((SENTENCE, told), (PART, part)):
            for pattern in patterns("hi", context):
                places = pattern.looks.groupindex
                filling = {place: f"x{number}" for number, place in enumerate(places, 1)}
                said, meant = (
                    tell(pattern.text % filling),
                    translation.pgettext(context, pattern.text),
                )
                if said != meant % filling:
                    wrong.append((pattern.text, said))
    assert wrong == []


def test_what_fills_a_place_is_told_too_unless_it_is_a_name() -> None:
    """A state is a word of ours; a tournament may be called like one and keeps its name."""
    with translation.override("hi"):
        assert told("running is paused, not running.") == "running अभी रुका हुआ है, चल नहीं रहा।"
        assert told("Rank 2: 1,00,000 play points.") != "Rank 2: 1,00,000 play points."
        both = told("Rank 2: 850 play points. A ticket for another tournament, worth ₹100.00.")
        assert english_in(both) == []
        assert told("Something that nobody has ever said, by x.").startswith("Something")
    with translation.override("en"):
        assert told("running is paused, not running.") == "running is paused, not running."


def test_numbers_money_and_moments_are_written_as_the_reader_does() -> None:
    """Lakhs in both languages of India; the zone of a time is named."""
    at = datetime(2026, 12, 3, 13, 0, tzinfo=UTC)
    for language, month in (("en", "Dec"), ("hi", "दिस॰")):
        with translation.override(language), timezone.override("Asia/Kolkata"):
            assert number_text(100_000) == "1,00,000"
            assert in_unit(10_000_000, "INR") == "₹1,00,000.00"
            assert told("Give 1 to 1,000,000 minutes.").find("10,00,000") > 0
            assert moment_text(at).endswith("18:30 IST")
            assert month in moment_text(at)


def test_the_api_answers_in_the_language_asked_for_with_the_same_code() -> None:
    """`Accept-Language` chooses the sentence; programs go by the code."""
    [person] = players(1)
    full = a_tournament(capacity=2)
    key = key_for(User.objects.get(pk=person.pk))
    address = f"/api/tournaments/{full.public_id}/withdraw/"
    answers = {}
    for language in ("en", "hi"):
        program = Client(headers={"authorization": f"Token {key}", "accept-language": language})
        answer = program.post(address)
        answers[language] = answer.json()
        assert answer.status_code >= 400
    assert answers["en"]["code"] == answers["hi"]["code"]
    assert answers["en"]["detail"].isascii()
    assert english_in(answers["hi"]["detail"]) == []


def test_a_socket_is_told_in_the_language_of_its_page_or_of_its_program() -> None:
    """The address goes before the header; what the site does not speak is passed over."""

    def asked(query: bytes = b"", header: bytes = b"") -> str:
        return language_of({"query_string": query, "headers": [(b"accept-language", header)]})

    assert asked(b"language=hi", b"en") == "hi"
    assert asked(b"", b"ta, hi-IN;q=0.8, en;q=0.5") == "hi"
    assert asked(b"language=xx", b"") == "en"
    assert language_of({}) == "en"
    many = b"&".join(b"language=x%d" % number for number in range(1000))
    assert asked(many + b"&language=hi") == "en"  # reading them all would hold up the others


@pytest.mark.parametrize(("sender", "receiver"), [("hi", "en"), ("en", "hi")])
def test_news_come_in_the_language_of_who_gets_them(sender: str, receiver: str) -> None:
    """The inbox and the e-mail, whatever language the one speaks who did it."""
    [person] = players(1)
    User.objects.filter(pk=person.pk).update(email="asha@site.example")
    Profile.objects.create(user_id=person.pk, language=receiver, zone="Asia/Kolkata")
    cup = a_tournament(name="cup")
    join(cup, person)
    with translation.override(sender):
        services.cancel(
            tournament_id=cup.pk, actor="organiser", reason="Everybody has left.", now=NOW
        )
    inbox.send_mail(now=NOW)
    reading = reader(None)
    reading.force_login(User.objects.get(pk=person.pk))
    listed = reading.get("/inbox/").content.decode()
    messages = [f"{one.subject} {one.body}" for one in mail.outbox]
    assert len(messages) > 1
    is_hindi = receiver == "hi"
    assert ("सब चले गए।" in listed) is is_hindi
    for text in messages:
        assert text.isascii() is not is_hindi
        if is_hindi:
            assert english_in(text) == []


def test_a_refused_form_says_why_in_hindi() -> None:
    """What our services refuse, what Django's forms refuse, and what allauth refuses."""
    [person] = players(1, points=0)
    browser = reader(User.objects.get(pk=person.pk))
    cup = a_tournament(name="cup")
    answers = [
        browser.post(f"/tournaments/{cup.public_id}/join/", follow=True),
        browser.post("/account/limits/", {"entries": "-1", "points": "x"}),
        browser.post("/account/settings/", {"zone": "No_where", "lead_minutes": "1"}),
        browser.post("/accounts/password/change/", {"oldpassword": "a", "password1": "b"}),
        reader(None).post("/login/", {"login": "nobody", "password": "wrong"}),
        reader(None).post("/accounts/signup/", {"username": "a", "email": "b", "password1": "1"}),
    ]
    english = [english_in(answer.content.decode()) for answer in answers]
    assert [found for found in english if found] == []
