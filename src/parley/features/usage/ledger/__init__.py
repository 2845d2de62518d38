"""The ledger of calls, folded into hours and days."""
