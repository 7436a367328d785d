"""Everything that changes a tournament: keyword-only use cases, one transaction each."""

from __future__ import annotations

from tournaments.services.aborting import abort, cancel, preview_abort
from tournaments.services.calls import call_again
from tournaments.services.check_in import check_in, end_check_in
from tournaments.services.desk import disqualify, extend
from tournaments.services.drafting import create
from tournaments.services.editing import change_capacity, copy, edit
from tournaments.services.eligibility import confirm_birth, invite, uninvite
from tournaments.services.late import re_enter
from tournaments.services.lifecycle import (
    announce,
    close_registration,
    open_registration,
    reopen_registration,
    retract,
    start,
)
from tournaments.services.moving import move, preview_move
from tournaments.services.muting import mute
from tournaments.services.overrides import override, preview_override
from tournaments.services.pausing import pause, resume
from tournaments.services.payments import pay_due
from tournaments.services.progress import go_on
from tournaments.services.quick import leave, sit_down
from tournaments.services.rebuys import rebuy
from tournaments.services.registration import register, withdraw
from tournaments.services.replays import preview_redo, redo
from tournaments.services.rounds import open_due, open_round
from tournaments.services.schedules import (
    make_due,
    next_dates,
    resume_schedule,
    schedule,
    stop_schedule,
)
from tournaments.services.settlement import (
    approve_payout,
    ask_for_payout,
    complete,
    put_back_payout,
)
from tournaments.services.staffing import (
    add,
    add_many,
    approve,
    refuse,
    remove,
    remove_many,
)
from tournaments.services.substitution import substitute
from tournaments.services.sweep import act_on_due
from tournaments.services.templates import drop, keep, start_from
from tournaments.services.tickets import pay_out_unused, use_ticket

__all__ = [
    "abort",
    "act_on_due",
    "add",
    "add_many",
    "announce",
    "ask_for_payout",
    "approve",
    "approve_payout",
    "call_again",
    "cancel",
    "change_capacity",
    "check_in",
    "close_registration",
    "complete",
    "confirm_birth",
    "copy",
    "create",
    "disqualify",
    "drop",
    "edit",
    "end_check_in",
    "extend",
    "go_on",
    "invite",
    "keep",
    "make_due",
    "leave",
    "move",
    "mute",
    "next_dates",
    "open_due",
    "open_registration",
    "open_round",
    "override",
    "pause",
    "pay_due",
    "put_back_payout",
    "pay_out_unused",
    "preview_abort",
    "preview_move",
    "preview_override",
    "preview_redo",
    "re_enter",
    "rebuy",
    "redo",
    "refuse",
    "register",
    "remove",
    "remove_many",
    "reopen_registration",
    "resume",
    "resume_schedule",
    "retract",
    "schedule",
    "sit_down",
    "start",
    "start_from",
    "stop_schedule",
    "substitute",
    "uninvite",
    "use_ticket",
    "withdraw",
]
