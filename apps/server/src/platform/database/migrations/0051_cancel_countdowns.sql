-- The dead-man switch of the exchange's door: unless it is renewed, the waiting orders of the symbol are cancelled at this instant. A row
-- goes once that is done, so that a restart in between does it again.
create table app.cancel_countdowns (
  user_id uuid not null references app.trading_accounts (id) on delete cascade,
  symbol text not null,
  due_at timestamptz not null,
  primary key (user_id, symbol)
);
