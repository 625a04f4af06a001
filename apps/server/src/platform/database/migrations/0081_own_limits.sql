-- Limits that a trader sets for their own account (packages/domain/src/own-limits.ts has the shape and when a change holds).
create table app.own_limits (
  account_id uuid primary key references app.trading_accounts (id) on delete cascade,
  limits jsonb not null,
  -- The looser ones, and the start of the day from which they hold.
  waiting jsonb,
  waiting_from timestamptz,
  updated_at timestamptz not null,
  check ((waiting is null) = (waiting_from is null))
);
