"""Everything that the admin lists has words of its own, for one and for many, in each language."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.utils import translation

from staff.model_words import APPS, MODELS
from tables.models import Match


def test_every_model_of_the_admin_has_words_and_so_has_its_app() -> None:
    listed = {model._meta.label_lower for model in admin.site._registry}
    assert listed == MODELS.keys()
    assert {label.partition(".")[0] for label in listed} == APPS.keys()


def test_what_is_many_is_not_made_by_an_s() -> None:
    with translation.override("en"):
        assert str(Match._meta.verbose_name_plural) == "matches"


def test_the_words_are_those_of_the_reader() -> None:
    with translation.override("hi"):
        told = [str(words) for pair in MODELS.values() for words in pair]
        told += [str(apps.get_app_config(label).verbose_name) for label in APPS]
        told += [str(model._meta.verbose_name) for model in admin.site._registry]
    assert [words for words in told if any("a" <= letter.lower() <= "z" for letter in words)] == []


@pytest.mark.django_db
def test_permissions_keep_their_english_names() -> None:
    """Those stand in the database, which has one language."""
    assert Permission.objects.filter(name="Can view match").exists()
