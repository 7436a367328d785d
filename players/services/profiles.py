"""Changing what a player prefers."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import available_timezones

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import PlayerCode, PlayerRefusal
from players.models.profiles import Lead, Profile
from players.services.limits import keep_day


def change(
    *,
    player_id: int,
    zone: str,
    language: str,
    lead_minutes: int,
    mail_calls: bool,
    sounds: bool,
    four_colours: bool,
    is_of_age: bool,
    today: date,
    now: datetime,
) -> Profile:
    """Write a player's settings; an age once confirmed keeps its day, a limit the day that runs.

    Raises `PlayerRefusal` (BAD_ZONE, BAD_SETTING) with the field at fault.
    """
    if zone not in available_timezones():
        raise PlayerRefusal(PlayerCode.BAD_ZONE, _("Choose a zone of the list."), field="zone")
    if language and language not in dict(settings.LANGUAGES):
        raise PlayerRefusal(
            PlayerCode.BAD_SETTING, _("Choose a language of the list."), field="language"
        )
    if lead_minutes not in Lead.values:
        raise PlayerRefusal(
            PlayerCode.BAD_SETTING, _("Choose a time of the list."), field="lead_minutes"
        )
    with transaction.atomic():
        profile, _made = Profile.objects.select_for_update().get_or_create(user_id=player_id)
        if profile.zone != zone:
            keep_day(player_id=player_id, zone=profile.zone, now=now)
        profile.zone, profile.language, profile.lead_minutes = zone, language, lead_minutes
        profile.mail_calls = mail_calls
        profile.sounds, profile.four_colours = sounds, four_colours
        if is_of_age and profile.of_age_since is None:
            profile.of_age_since = today
        profile.save()
    return profile
