"""Tests of the ledger; they run on whichever database the settings name."""
