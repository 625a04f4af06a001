-- Weeks whose recap is written, so that each is written once, whoever does it and whatever became of the journal entry.
create table app.weekly_recaps (
  account_id uuid not null references app.trading_accounts (id) on delete cascade,
  -- Its Monday, UTC.
  week date not null,
  created_at timestamptz not null,
  primary key (account_id, week)
);
