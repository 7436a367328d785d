"""What a role of PostgreSQL needs to use the ledger when another role owns its tables.

The owner runs migrations; the site runs as a role that can add rows and cannot change or delete
them, whatever the triggers say. Locking a row takes the right to update it, so balances and
journals are updatable; their guards refuse every update that no trigger caused. A role that could
make a table of its own, be it a temporary one, could hang such a trigger on it: that right goes.
"""

from __future__ import annotations

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

_GRANTS: Final = {
    "SELECT, INSERT": (
        "ledger_asset",
        "ledger_entry",
        "ledger_transfer",
        "ledger_checkpoint",
        "ledger_accountchange",
        "ledger_cashrequest",
        "ledger_cashdecision",
    ),
    "SELECT, INSERT, UPDATE": ("ledger_balance", "ledger_journal"),
    "SELECT, INSERT, UPDATE (is_open)": ("ledger_account",),
}


def statements(connection: BaseDatabaseWrapper, role: str) -> list[str]:
    """The GRANT and REVOKE statements for `role` on PostgreSQL."""
    name = connection.ops.quote_name(role)
    grants = [
        f"GRANT {rights} ON {', '.join(tables)} TO {name}" for rights, tables in _GRANTS.items()
    ]
    sequences = "SELECT quote_ident(sequencename) FROM pg_sequences WHERE sequencename LIKE %s"
    with connection.cursor() as cursor:
        cursor.execute(sequences, ["ledger\\_%"])
        names = [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT quote_ident(current_database()), quote_ident(current_schema())")
        database, schema = cursor.fetchone()
    return [
        *grants,
        f"GRANT USAGE ON SEQUENCE {', '.join(sorted(names))} TO {name}",
        f"REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {name}",
        f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {name}",
    ]
