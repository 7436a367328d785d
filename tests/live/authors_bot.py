"""A bot as somebody writes it who has read docs/api.md and docs/protocol.md, and nothing else.

It finds a tournament by its name, joins it, plays by a plan - declares wrongly, drops or stays;
buys in again or not; offers to split the prize or takes the offer - and tells what it has won.
From the example it takes what talks to the site; it knows no module of the site itself.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"
_spec = importlib.util.spec_from_file_location("bot", EXAMPLE)
assert _spec is not None
assert _spec.loader is not None
bot = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(bot)

Frame = dict[str, Any]
told: list[str] = []


def wrong(snapshot: Frame) -> Frame | None:
    """Draw, put the first card into the finish slot, and declare all others as one group."""
    may = {move["do"] for move in snapshot["legal"]}
    if "declare" in may:
        [me] = [one for one in snapshot["state"]["seats"] if one["seat"] == snapshot["seat"]]
        return {"type": "declare", "groups": [me["hand"]]}
    finishes = [move["card"] for move in snapshot["legal"] if move["do"] == "finish"]
    if finishes:
        return {"type": "finish", "card": finishes[0]}
    return stay(snapshot)


def drop(snapshot: Frame) -> Frame | None:
    """Before the first card."""
    may = {move["do"] for move in snapshot["legal"]}
    return {"type": "drop"} if "drop" in may else stay(snapshot)


def stay(snapshot: Frame) -> Frame | None:
    """As the example plays."""
    found: Frame | None = bot.choose(snapshot)
    return found


def answer(board: Frame, seat: int) -> Frame | None:
    """Buy in again the first time, if that is the plan; offer to share when three are left."""
    step = board["step"] or {}
    if step.get("step") == "await_rejoin" and seat in step["seats"]:
        yes = PLAN == "wrong, back" and "back" not in told
        told.append("back" if yes else "out")
        return {"type": "rejoin", "yes": yes}
    left = sum(line["still_in"] for line in board["lines"])
    if PLAN == "stay, offer" and step.get("step") == "next_deal" and left <= 3:
        told.append("offer")
        return {"type": "offer_split"}
    found: Frame | None = bot.answer(board, seat)
    if found is not None:
        told.append(found["type"])
    return found


PLAYS = {"wrong": wrong, "drop": drop, "stay": stay}
PLAN = sys.argv[4]


def main(site: str, username: str, name: str) -> None:
    """Play, and say how it ended."""
    key = bot.log_in(site, username)
    [tournament] = bot.ask(site, f"tournaments/?state=open&q={name}", key=key)["results"]
    [offer] = bot.ask(site, f"tournaments/{tournament['id']}/you/", key=key)["offers"]
    assert offer["do"] == "join"
    table = bot.join(site, key, tournament["id"])
    board = asyncio.run(bot.play(site, key, table, PLAYS[PLAN.partition(",")[0]], answer))
    while True:
        [mine] = bot.ask(site, "me/entries/", key=key)["results"]
        if mine["tournament_state"] == "completed":
            break
        bot.time.sleep(1)
    [account] = bot.ask(site, "ledger/accounts/?purpose=wallet&asset=PLAY", key=key)["results"]
    seen = {"told": told, "status": board["status"], "step": board["step"], "entry": mine}
    sys.stdout.write(json.dumps({**seen, "balance": account["balance"]}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
