"""Tests of dealer/ledger."""
