"""What the audit log calls deeds and the kinds of their subjects, in the reader's language.

Lines keep codes, such as `tournaments.pause`, and so do filters, files and the API: words may be
said better one day. A code of former days that has no words here is shown as it is.
"""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

ACTIONS: Final[dict[str, Promise]] = {
    "tournaments.create": pgettext_lazy("deed", "Tournament made"),
    "tournaments.edit": pgettext_lazy("deed", "Tournament changed"),
    "tournaments.copy": pgettext_lazy("deed", "Tournament copied"),
    "tournaments.announce": pgettext_lazy("deed", "Tournament announced"),
    "tournaments.retract": pgettext_lazy("deed", "Announcement taken back"),
    "tournaments.open_registration": pgettext_lazy("deed", "Registration opened"),
    "tournaments.close_registration": pgettext_lazy("deed", "Registration closed"),
    "tournaments.reopen_registration": pgettext_lazy("deed", "Registration opened again"),
    "tournaments.end_check_in": pgettext_lazy("deed", "Check-in ended"),
    "tournaments.start": pgettext_lazy("deed", "Tournament started"),
    "tournaments.cancel": pgettext_lazy("deed", "Called off before its start"),
    "tournaments.pause": pgettext_lazy("deed", "Tournament paused"),
    "tournaments.resume": pgettext_lazy("deed", "Tournament resumed"),
    "tournaments.extend_all": pgettext_lazy("deed", "More time given to all"),
    "tournaments.extend": pgettext_lazy("deed", "More time given at a table"),
    "tournaments.go_on": pgettext_lazy("deed", "Next tables opened"),
    "tournaments.abort": pgettext_lazy("deed", "Called off after its start"),
    "tournaments.call": pgettext_lazy("deed", "Players called again"),
    "tournaments.override": pgettext_lazy("deed", "Result given"),
    "tournaments.redo": pgettext_lazy("deed", "Match begun anew"),
    "tournaments.move": pgettext_lazy("deed", "Player moved"),
    "tournaments.substitute": pgettext_lazy("deed", "Player substituted"),
    "tournaments.withdraw": pgettext_lazy("deed", "Player withdrawn"),
    "tournaments.disqualify": pgettext_lazy("deed", "Player disqualified"),
    "tournaments.mute": pgettext_lazy("deed", "Player muted"),
    "tournaments.unmute": pgettext_lazy("deed", "Player let write again"),
    "tournaments.add": pgettext_lazy("deed", "Entrant added"),
    "tournaments.force": pgettext_lazy("deed", "Entrant added against the rules of entry"),
    "tournaments.remove": pgettext_lazy("deed", "Entrant removed"),
    "tournaments.approve": pgettext_lazy("deed", "Entry approved"),
    "tournaments.refuse": pgettext_lazy("deed", "Entry refused"),
    "tournaments.check_in": pgettext_lazy("deed", "Entrant checked in"),
    "tournaments.confirm_birth": pgettext_lazy("deed", "Date of birth confirmed"),
    "tournaments.invite": pgettext_lazy("deed", "Player invited"),
    "tournaments.uninvite": pgettext_lazy("deed", "Invitation taken back"),
    "tournaments.import_entrants": pgettext_lazy("deed", "Entrants read from a file"),
    "tournaments.export_entrants": pgettext_lazy("deed", "Entrants saved to a file"),
    "tournaments.appoint": pgettext_lazy("deed", "Duty given"),
    "tournaments.dismiss": pgettext_lazy("deed", "Duty taken away"),
    "tournaments.keep_template": pgettext_lazy("deed", "Template kept"),
    "tournaments.drop_template": pgettext_lazy("deed", "Template deleted"),
    "tournaments.start_from_template": pgettext_lazy("deed", "Tournament made from a template"),
    "tournaments.schedule": pgettext_lazy("deed", "Schedule made"),
    "tournaments.stop_schedule": pgettext_lazy("deed", "Schedule stopped"),
    "tournaments.resume_schedule": pgettext_lazy("deed", "Schedule resumed"),
    "tournaments.pay_due": pgettext_lazy("deed", "Due prizes paid"),
    "tournaments.approve_payout": pgettext_lazy("deed", "Prizes approved"),
    "tournaments.put_back_payout": pgettext_lazy("deed", "Prizes put back"),
    "tournaments.ask_for_payout": pgettext_lazy("deed", "Prizes submitted for approval"),
    "payouts.export": pgettext_lazy("deed", "Payments saved to a file"),
    "tables.enter_deal": pgettext_lazy("deed", "Deal entered"),
    "tables.correct_deal": pgettext_lazy("deed", "Deal corrected"),
    "tables.answer": pgettext_lazy("deed", "Answer entered"),
    "ledger.adjust": pgettext_lazy("deed", "Account adjusted"),
    "ledger.freeze": pgettext_lazy("deed", "Account frozen"),
    "ledger.open": pgettext_lazy("deed", "Account opened again"),
    "ledger.reverse": pgettext_lazy("deed", "Ledger entry reversed"),
    "ledger.check_books": pgettext_lazy("deed", "Books checked"),
    "ledger.save_statement": pgettext_lazy("deed", "Statement saved to a file"),
    "ledger.approve_cash": pgettext_lazy("deed", "Cash request approved"),
    "ledger.refuse_cash": pgettext_lazy("deed", "Cash request refused"),
    "ledger.approve_reversal": pgettext_lazy("deed", "Reversal approved"),
    "ledger.refuse_reversal": pgettext_lazy("deed", "Reversal refused"),
    "players.make_key": pgettext_lazy("deed", "Key made"),
    "players.revoke_key": pgettext_lazy("deed", "Key revoked"),
    "staff.log_in": pgettext_lazy("deed", "Logged in"),
    "staff.log_in_failed": pgettext_lazy("deed", "Log-in failed"),
    "staff.password_changed": pgettext_lazy("deed", "Password changed"),
    "staff.password_set": pgettext_lazy("deed", "Password set"),
    "staff.password_reset": pgettext_lazy("deed", "Password reset"),
    "staff.email_added": pgettext_lazy("deed", "E-mail address added"),
    "staff.email_changed": pgettext_lazy("deed", "E-mail address changed"),
    "staff.email_removed": pgettext_lazy("deed", "E-mail address removed"),
    "staff.second_factor_added": pgettext_lazy("deed", "Second factor added"),
    "staff.second_factor_removed": pgettext_lazy("deed", "Second factor removed"),
    "staff.export_log": pgettext_lazy("deed", "Audit log saved to a file"),
    "auth.add_user": pgettext_lazy("deed", "User added"),
    "auth.change_user": pgettext_lazy("deed", "User changed"),
    "auth.set_password_of_user": pgettext_lazy("deed", "Somebody's password set"),
    "auth.add_group": pgettext_lazy("deed", "Group added"),
    "auth.change_group": pgettext_lazy("deed", "Group changed"),
    "auth.delete_group": pgettext_lazy("deed", "Group deleted"),
    "mfa.delete_authenticator": pgettext_lazy("deed", "Somebody's second factor taken away"),
    "usersessions.delete_usersession": pgettext_lazy("deed", "Somebody logged out"),
    "account.confirm_emailaddress": pgettext_lazy("deed", "Somebody's e-mail address confirmed"),
}
KINDS: Final[dict[str, Promise]] = {
    "tournament": pgettext_lazy("model", "tournament"),
    "entry": pgettext_lazy("model", "entry"),
    "invitation": pgettext_lazy("model", "invitation"),
    "template": pgettext_lazy("model", "template"),
    "schedule": pgettext_lazy("model", "schedule"),
    "payouts": pgettext_lazy("model", "payouts"),
    "table": pgettext_lazy("model", "table"),
    "account": pgettext_lazy("model", "account"),
    "ledger entry": pgettext_lazy("model", "ledger entry"),
    "cash request": pgettext_lazy("model", "cash request"),
    "user": pgettext_lazy("model", "user"),
    "group": pgettext_lazy("model", "group"),
    "audit_log": pgettext_lazy("model", "audit log"),
    "player": pgettext_lazy("model", "player"),
    "books": pgettext_lazy("model", "books"),
    "key": pgettext_lazy("model", "key"),
}


def action_word(code: str) -> str:
    """What was done, in words."""
    return str(ACTIONS.get(code, code))


def kind_word(code: str) -> str:
    """The kind of what was acted on, in a word."""
    return str(KINDS.get(code, code))
