-- What was paid in and out of an account, read beside its equity: a few entries among all those of its trades.
create index ledger_entries_payments on app.ledger_entries (user_id, created_at)
  where user_id is not null and kind in ('deposit', 'withdrawal');
