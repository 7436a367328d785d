"""Functions in PostgreSQL that lock and write for a posting, in one round trip each.

They hold no rule of their own: what they insert meets the same guards as anybody's rows.
"""

from __future__ import annotations

from typing import Final

_LOCK: Final = """
DECLARE
    head ledger_journal%ROWTYPE;
    taken bigint;
BEGIN
    PERFORM set_config('lock_timeout', waiting, true);
    SELECT * INTO head FROM ledger_journal WHERE code = journal FOR UPDATE;
    SELECT e.id INTO taken FROM ledger_entry e WHERE e.key = posting_key;
    RETURN QUERY
        SELECT head.id, head.head_seq, head.head_hash, taken, b.account_id, a.asset_id, a.owner,
            a.purpose, a.is_open, b.rule, b.debits, b.credits, b.debits_held, b.credits_held
        FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id
        WHERE b.account_id = ANY (accounts)
        ORDER BY b.account_id
        FOR UPDATE OF b;
END
"""

_WRITE: Final = """
BEGIN
    INSERT INTO ledger_transfer
        (entry_id, line, mode, debit_id, credit_id, amount, hold_id, expires_at)
    SELECT new_id, l.*
        FROM unnest(numbers, modes, debits, credits, amounts, holds, expiries) l;
    INSERT INTO ledger_entry (id, journal_id, seq, kind, key, fingerprint, line_count, actor,
        reference, reason, at, reverses_id, prev_hash, hash)
    VALUES (new_id, journal, number, kind, posting_key, fingerprint, line_count, actor,
        reference, reason, at, reverses, prev_hash, hash);
END
"""

FUNCTIONS: Final = {
    "ledger_lock": (
        "(waiting text, journal text, posting_key text, accounts bigint[])"
        " RETURNS TABLE (journal_id bigint, head_seq bigint, head_hash bytea, entry bigint,"
        " account bigint, asset varchar, owner varchar, purpose varchar, is_open boolean,"
        " rule varchar, debits bigint, credits bigint, debits_held bigint, credits_held bigint)",
        _LOCK,
    ),
    "ledger_write": (
        "(new_id bigint, journal bigint, number bigint, kind text, posting_key text,"
        " fingerprint bytea, line_count integer, actor text, reference text, reason text,"
        " at timestamptz, reverses bigint, prev_hash bytea, hash bytea,"
        " numbers smallint[], modes smallint[], debits bigint[], credits bigint[],"
        " amounts bigint[], holds bigint[], expiries timestamptz[]) RETURNS void",
        _WRITE,
    ),
}
"""Name → its parameters and result, and its body."""
