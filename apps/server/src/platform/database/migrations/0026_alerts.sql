-- Alerts of a trader: what fires them, and how often they have fired. An alert notifies and trades nothing.
create table app.alerts (
  id uuid primary key,
  user_id uuid not null references app.users (id) on delete cascade,
  kind text not null check (kind in ('price', 'change', 'roe', 'liquidation')),
  symbol text not null references app.trading_pairs (symbol),
  position_id uuid references app.positions (id) on delete cascade,
  level numeric(28, 8) not null,
  direction text not null check (direction in ('rises', 'falls')),
  window_minutes integer check (window_minutes in (5, 15, 60, 240, 1440)),
  repeats boolean not null default false,
  state text not null default 'armed' check (state in ('armed', 'paused', 'fired', 'ended')),
  -- A crossing is fired once: the statement that fires names the number that it saw.
  crossings integer not null default 0,
  fired_at timestamptz,
  fired_price numeric(28, 8),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind in ('roe', 'liquidation')) = (position_id is not null)),
  check ((kind = 'change') = (window_minutes is not null))
);
create index alerts_user on app.alerts (user_id, created_at desc, id desc);
create index alerts_position on app.alerts (position_id) where position_id is not null;
-- What a start reads.
create index alerts_pending on app.alerts (id) where state = 'armed' or (position_id is not null and state <> 'ended');

create view api.alerts as
  select id, user_id, kind, symbol, position_id, level, direction, window_minutes, repeats, state, crossings, fired_at,
         fired_price, created_at, updated_at
  from app.alerts;
