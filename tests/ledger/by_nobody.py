"""Services that ask whose account the one who acts has, for tests in which he has none."""

from __future__ import annotations

from functools import partial

from ledger import services

request_cash = partial(services.request_cash, actor_owner="")
approve_cash = partial(services.approve_cash, actor_owner="")
freeze_account = partial(services.freeze_account, actor_owner="")
reopen_account = partial(services.reopen_account, actor_owner="")
ask_reversal = partial(services.ask_reversal, actor_owner="")
approve_reversal = partial(services.approve_reversal, actor_owner="")
