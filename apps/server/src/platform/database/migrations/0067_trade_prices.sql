-- What prices did while a trade was open and after it, stored once the time after it is over: bars are deleted, reviews stay the same.
-- A correction of the trade's times makes the row void. Null where no bar lay within.
create table app.trade_prices (
  position_id uuid primary key references app.positions (id) on delete cascade,
  opened_at timestamptz not null,
  closed_at timestamptz not null,
  high_during numeric(28, 8),
  low_during numeric(28, 8),
  high_after numeric(28, 8),
  low_after numeric(28, 8),
  check ((high_during is null) = (low_during is null) and high_during >= low_during),
  check ((high_after is null) = (low_after is null) and high_after >= low_after)
);
