"""The guards for PostgreSQL: statement triggers where those are enough, row triggers elsewhere.

All are ENABLE ALWAYS, so that a replication role does not silence them. Balances and journal heads
refuse a write that no trigger caused. Functions look rows up one by one, by index (`_BY_INDEX`): a
plan is kept by its connection, be it made while the tables were empty, or for a posting of a
thousand lines.
"""

from __future__ import annotations

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

from ledger.guards import postings

_FROZEN: Final = (
    "ledger_asset",
    "ledger_entry",
    "ledger_transfer",
    "ledger_checkpoint",
    "ledger_accountchange",
    "ledger_cashrequest",
    "ledger_cashdecision",
)
_KEPT: Final = ("ledger_account", "ledger_balance", "ledger_journal")

_FORBID: Final = """
BEGIN
    RAISE EXCEPTION 'ledger:append_only: % of % is not allowed', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
"""

_ACCOUNT_UPDATED: Final = """
BEGIN
    IF (NEW.id, NEW.asset_id, NEW.owner, NEW.purpose, NEW.rule)
        IS DISTINCT FROM (OLD.id, OLD.asset_id, OLD.owner, OLD.purpose, OLD.rule) THEN
        RAISE EXCEPTION 'ledger:append_only: an account changes in is_open only'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
"""

_ACCOUNT_INSERTED: Final = """
BEGIN
    INSERT INTO ledger_balance
        (account_id, rule, debits, credits, debits_held, credits_held, last_transfer)
    SELECT id, rule, 0, 0, 0, 0, 0 FROM fresh;
    RETURN NULL;
END
"""

_JOURNAL_INSERTED: Final = """
BEGIN
    IF NEW.head_seq <> 0 OR NEW.head_hash <> decode(repeat('00', 32), 'hex') THEN
        RAISE EXCEPTION 'ledger:guarded: a journal begins empty'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
"""

_TRANSFERS_INSERTED: Final = """
DECLARE
    problem text;
BEGIN
    SELECT CASE
            WHEN e.id IS NOT NULL THEN 'entry_closed'
            WHEN d.asset_id IS DISTINCT FROM c.asset_id OR d.id IS NULL THEN 'asset_mismatch'
            WHEN f.mode <> 4 AND NOT (d.is_open AND c.is_open) THEN 'account_closed'
            ELSE 'hold_differs'
        END
        INTO problem
        FROM fresh f
        LEFT JOIN ledger_entry e ON e.id = f.entry_id
        LEFT JOIN ledger_account d ON d.id = f.debit_id
        LEFT JOIN ledger_account c ON c.id = f.credit_id
        LEFT JOIN ledger_transfer h ON h.id = f.hold_id
        WHERE e.id IS NOT NULL
            OR d.asset_id IS DISTINCT FROM c.asset_id OR d.id IS NULL
            OR (f.mode <> 4 AND NOT (d.is_open AND c.is_open))
            OR (f.hold_id IS NOT NULL AND (h.mode, h.debit_id, h.credit_id)
                IS DISTINCT FROM (2::smallint, f.debit_id, f.credit_id))
            OR (f.mode = 3 AND f.amount > h.amount)
            OR (f.mode = 4 AND f.amount <> h.amount)
        LIMIT 1;
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'ledger:%', problem USING ERRCODE = 'restrict_violation';
    END IF;
    UPDATE ledger_balance b
        SET debits = b.debits + s.debits, credits = b.credits + s.credits,
            debits_held = b.debits_held + s.debits_held,
            credits_held = b.credits_held + s.credits_held,
            last_transfer = greatest(b.last_transfer, s.last)
        FROM (
            SELECT side.account_id, max(f.id) AS last,
                (sum(side.debit * f.posts * f.amount))::bigint AS debits,
                (sum((1 - side.debit) * f.posts * f.amount))::bigint AS credits,
                (sum(side.debit * f.held))::bigint AS debits_held,
                (sum((1 - side.debit) * f.held))::bigint AS credits_held
            FROM (
                SELECT n.id, n.debit_id, n.credit_id, n.amount,
                    CASE WHEN n.mode IN (1, 3) THEN 1 ELSE 0 END AS posts,
                    CASE n.mode WHEN 1 THEN 0 WHEN 2 THEN n.amount ELSE -h.amount END AS held
                FROM fresh n LEFT JOIN ledger_transfer h ON h.id = n.hold_id
            ) f
            CROSS JOIN LATERAL (VALUES (f.debit_id, 1), (f.credit_id, 0)) side(account_id, debit)
            GROUP BY side.account_id
        ) s
        WHERE b.account_id = s.account_id;
    RETURN NULL;
END
"""

_ENTRY_INSERTED: Final = """
BEGIN
    UPDATE ledger_journal SET head_seq = NEW.seq, head_hash = NEW.hash
        WHERE id = NEW.journal_id AND head_seq = NEW.seq - 1 AND head_hash = NEW.prev_hash;
    IF NOT FOUND OR length(NEW.hash) <> 32 OR length(NEW.fingerprint) <> 32 THEN
        RAISE EXCEPTION 'ledger:chain: the entry does not follow the head of its journal'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.line_count <> (SELECT count(*) FROM ledger_transfer WHERE entry_id = NEW.id) THEN
        RAISE EXCEPTION 'ledger:line_count' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.reverses_id IS NOT NULL AND (
        EXISTS (SELECT FROM ledger_entry WHERE id = NEW.reverses_id AND reverses_id IS NOT NULL)
        OR EXISTS (SELECT FROM ledger_transfer t
            LEFT JOIN ledger_transfer o ON o.entry_id = NEW.reverses_id AND o.line = t.line
            WHERE t.entry_id = NEW.id AND (o.id IS NULL OR o.mode NOT IN (1, 3) OR t.mode <> 1
                OR o.debit_id <> t.credit_id OR o.credit_id <> t.debit_id
                OR t.amount > o.amount))) THEN
        RAISE EXCEPTION 'ledger:not_reversible' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
"""

_DECISION_INSERTED: Final = """
BEGIN
    IF NEW.entry_id IS NOT NULL AND EXISTS (SELECT FROM ledger_cashrequest
        WHERE id = NEW.request_id AND needs_second
            AND lower(btrim(asked_by)) = lower(btrim(NEW.decided_by))) THEN
        RAISE EXCEPTION 'ledger:four_eyes: somebody else has to approve'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
"""

_TRIGGER: Final = "() RETURNS trigger"
_BODIES: Final = {
    "ledger_forbid": _FORBID,
    "ledger_account_updated": _ACCOUNT_UPDATED,
    "ledger_account_inserted": _ACCOUNT_INSERTED,
    "ledger_journal_inserted": _JOURNAL_INSERTED,
    "ledger_transfers_inserted": _TRANSFERS_INSERTED,
    "ledger_entry_inserted": _ENTRY_INSERTED,
    "ledger_decision_inserted": _DECISION_INSERTED,
}
_FUNCTIONS: Final = {
    **{name: (_TRIGGER, body) for name, body in _BODIES.items()},
    **postings.FUNCTIONS,
}
# A merge or a hash would read the whole of an index, which is quick only while there is little.
_BY_INDEX: Final = " SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off"
# Planned once a connection: to plan for the very values costs more there than to run.
_PLANNED_ONCE: Final = _BY_INDEX + " SET plan_cache_mode = force_generic_plan"
_PLANS: Final = {
    "ledger_transfers_inserted": _BY_INDEX,
    "ledger_entry_inserted": _PLANNED_ONCE,
    "ledger_lock": _PLANNED_ONCE,
    "ledger_write": _PLANNED_ONCE,
}


def _create_function(name: str, signature: str, body: str) -> str:
    plan = _PLANS.get(name, "")
    return f"CREATE FUNCTION {name}{signature} LANGUAGE plpgsql{plan} AS $guard${body}$guard$"


def _forbidding() -> list[tuple[str, str, str]]:
    guards = [
        (f"{table}_frozen", table, "BEFORE DELETE OR UPDATE OR TRUNCATE ON {} FOR EACH STATEMENT")
        for table in _FROZEN
    ]
    guards += [
        (f"{table}_kept", table, "BEFORE DELETE OR TRUNCATE ON {} FOR EACH STATEMENT")
        for table in _KEPT
    ]
    by_trigger = " FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0)"
    guards.append(
        (
            "ledger_balance_by_trigger",
            "ledger_balance",
            "BEFORE INSERT OR UPDATE ON {}" + by_trigger,
        )
    )
    guards.append(
        ("ledger_journal_by_trigger", "ledger_journal", "BEFORE UPDATE ON {}" + by_trigger)
    )
    return [
        (name, table, when + " EXECUTE FUNCTION ledger_forbid()") for name, table, when in guards
    ]


_FRESH: Final = "AFTER INSERT ON {} REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT"

_TRIGGERS: Final = [
    *_forbidding(),
    (
        "ledger_account_only_open",
        "ledger_account",
        "BEFORE UPDATE ON {} FOR EACH ROW EXECUTE FUNCTION ledger_account_updated()",
    ),
    (
        "ledger_account_balance",
        "ledger_account",
        _FRESH + " EXECUTE FUNCTION ledger_account_inserted()",
    ),
    (
        "ledger_journal_empty",
        "ledger_journal",
        "BEFORE INSERT ON {} FOR EACH ROW EXECUTE FUNCTION ledger_journal_inserted()",
    ),
    (
        "ledger_transfer_applied",
        "ledger_transfer",
        _FRESH + " EXECUTE FUNCTION ledger_transfers_inserted()",
    ),
    (
        "ledger_entry_chained",
        "ledger_entry",
        "AFTER INSERT ON {} FOR EACH ROW EXECUTE FUNCTION ledger_entry_inserted()",
    ),
    (
        "ledger_cashdecision_by_another",
        "ledger_cashdecision",
        "BEFORE INSERT ON {} FOR EACH ROW EXECUTE FUNCTION ledger_decision_inserted()",
    ),
]

CREATE: Final[list[str]] = [
    *(_create_function(name, *parts) for name, parts in _FUNCTIONS.items()),
    *(f"CREATE TRIGGER {name} {when.format(table)}" for name, table, when in _TRIGGERS),
    *(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}" for name, table, _ in _TRIGGERS),
]
DROP: Final[list[str]] = [
    *(f"DROP TRIGGER IF EXISTS {name} ON {table}" for name, table, _ in _TRIGGERS),
    *(f"DROP FUNCTION IF EXISTS {name}" for name in _FUNCTIONS),
]
# Triggers are compared with PostgreSQL's own rendering, in which the texts above are written;
# "A" says that the trigger is enabled always.
EXPECTED: Final[dict[str, str]] = {
    **{name: body for name, (_, body) in _FUNCTIONS.items()},
    **{name: f"A CREATE TRIGGER {name} {when.format(table)}" for name, table, when in _TRIGGERS},
}


def installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The functions' bodies, and each trigger as its state (A: always) and definition."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname, prosrc FROM pg_proc"
            " WHERE pronamespace = current_schema()::regnamespace AND proname LIKE 'ledger\\_%'"
        )
        found = dict(cursor.fetchall())
        cursor.execute(
            "SELECT tgname, tgenabled::text || ' ' || pg_get_triggerdef(t.oid, true)"
            " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace"
            " AND c.relname LIKE 'ledger\\_%'"
        )
        found.update(cursor.fetchall())
        return found
