-- Accounts with net positions (A113): one open position a symbol, whose exact value is kept.
alter table app.trading_accounts
  drop constraint trading_accounts_rules_check,
  add constraint trading_accounts_rules_check check (rules in ('standard', 'as-specified', 'perpetual')),
  drop constraint trading_accounts_fill_profile_check,
  add constraint trading_accounts_fill_profile_check
    check (fill_profile in ('exact', 'ideal', 'retail', 'pro', 'stress')),
  add check ((rules is not distinct from 'perpetual') = (fill_profile <> 'exact'));

alter table app.positions
  add column entry_value numeric(28, 8) check (entry_value > 0),
  drop constraint positions_rules_check,
  add constraint positions_rules_check check (rules in ('standard', 'as-specified', 'perpetual')) not valid,
  add constraint positions_entry_value check ((rules = 'perpetual') = (entry_value is not null)) not valid;
create unique index positions_net on app.positions (user_id, symbol) where rules = 'perpetual' and status = 'open';

-- The release before writes neither of the columns: its orders are filled whole or not at all.
alter table app.orders
  add column time_in_force text not null default 'GTC' check (time_in_force in ('GTC', 'IOC', 'FOK', 'GTX')),
  add column reduce_only boolean not null default false,
  add column filled_size numeric(28, 8) not null default 0 check (filled_size >= 0),
  add column filled_value numeric(28, 8) not null default 0 check (filled_value >= 0),
  drop constraint orders_rules_check,
  add constraint orders_rules_check check (rules in ('standard', 'as-specified', 'perpetual')) not valid,
  drop constraint orders_status_check,
  add constraint orders_status_check
    check (status in ('NEW', 'PARTIALLY_FILLED', 'FILLED', 'REJECTED', 'CANCELED', 'EXPIRED')) not valid,
  drop constraint orders_check2,
  add constraint orders_position check
    (case when rules = 'perpetual' then (filled_size > 0) else status = 'FILLED' end = (position_id is not null)) not valid,
  drop constraint orders_check3,
  add constraint orders_reserve check (status in ('NEW', 'PARTIALLY_FILLED') or reserved = 0) not valid,
  add constraint orders_filled check
    (filled_size <= size and (rules <> 'perpetual' or (status = 'FILLED') = (filled_size = size))) not valid;
create index orders_waiting on app.orders (user_id) where status in ('NEW', 'PARTIALLY_FILLED');
drop index app.orders_open;

alter table app.ledger_entries
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (kind in
    ('deposit', 'withdrawal', 'open', 'close', 'adjustment', 'fee', 'reserve', 'release', 'split', 'increase', 'margin'))
    not valid;

-- The leverage of a symbol, of its net position and of its next orders.
create table app.symbol_leverages (
  user_id uuid not null references app.trading_accounts (id) on delete cascade,
  symbol text not null,
  leverage integer not null check (leverage between 1 and 125),
  primary key (user_id, symbol)
);

-- One row a fill (A114): what was traded, at which price, and what each part of it cost. The engine inserts it with the batch;
-- nothing changes it later. Fills of before this migration have no row.
create table app.executions (
  id uuid not null,
  user_id uuid not null references app.trading_accounts (id) on delete cascade,
  -- Null for a close without an order.
  order_id uuid,
  position_id uuid not null,
  -- The net position that it closed before it opened that one on the other side.
  flipped_from uuid,
  symbol text not null,
  side text not null check (side in ('BUY', 'SELL')),
  size numeric(28, 8) not null check (size > 0),
  -- Price × size over all levels, in USDT.
  value numeric(28, 8) not null check (value >= 0),
  price numeric(28, 8) not null check (price > 0),
  mid numeric(28, 8) not null check (mid > 0),
  -- Null for a fill at the market's one price.
  quote_id text,
  liquidity text not null check (liquidity in ('taker', 'maker')),
  fee numeric(28, 8) not null check (fee >= 0),
  -- Quote units for each unit of size; negative where the trader gained.
  spread_cost numeric(28, 8) not null,
  impact_cost numeric(28, 8) not null,
  latency_cost numeric(28, 8) not null,
  -- Null where the fill opened.
  realized_pnl numeric(28, 8),
  created_at timestamptz not null,
  -- One index for a row that every order has: lists and the row of a moment are an account's.
  primary key (user_id, created_at, id),
  check (price = mid + case side when 'BUY' then 1 else -1 end * (spread_cost + impact_cost + latency_cost))
);
-- Only orders of accounts with net positions fill in parts, on a quote or as a maker.
create index executions_of_order on app.executions (order_id) where quote_id is not null or liquidity = 'maker';

create view api.executions as
  select id, user_id, order_id, position_id, flipped_from, symbol, side, size, value, price, mid, quote_id, liquidity, fee, spread_cost, impact_cost,
         latency_cost, realized_pnl, created_at
  from app.executions;

create or replace view api.positions as
  select p.id, p.user_id, p.symbol, p.side, p.entry_price, p.size, p.leverage, p.margin, p.liquidation_price,
         case when p.status = 'open' then l.price end as mark_price,
         case when p.status = 'open' then
           case when p.entry_value is null then
             round(case p.side when 'BUY' then l.price - p.entry_price else p.entry_price - l.price end * p.size, 8)
           else
             (round(l.price * p.size, 8) - p.entry_value) * case p.side when 'BUY' then 1 else -1 end
           end
         end as unrealized_pnl,
         p.close_price, p.realized_pnl, p.status, p.created_at, p.updated_at, p.closed_at, p.take_profit_price,
         p.stop_loss_price, p.close_reason, p.close_price_source, p.rules, p.version, p.account_version,
         p.initial_stop_loss_price, p.fee_rate, p.fees, p.split_from, p.edited_at, p.close_at_reopen, p.entry_value
  from app.positions p left join app.last_prices l using (symbol);

create or replace view api.orders as
  select id, user_id, symbol, type, side, price, size, leverage, status, reason, take_profit_price, stop_loss_price,
         reserved, position_id, client_id, rules, created_at, updated_at, version, account_version, time_in_force,
         reduce_only, filled_size, filled_value
  from app.orders;

create view api.symbol_leverages as select user_id, symbol, leverage from app.symbol_leverages;

-- Since when every opening and close has its execution. The release before may trade until it is stopped, so an existing database is
-- checked from a day after its upgrade on.
alter table app.checkpoints add column executions_since timestamptz not null default '-infinity';
update app.checkpoints set executions_since = now() + interval '1 day' where exists (select from app.users);

-- The release before called the second version, so the first one has no caller left.
drop function if exists app.engine_write_v1;
drop type if exists app.wallet_write_v1, app.position_write_v1, app.order_write_v1, app.ledger_entry_write_v1,
  app.transaction_write_v1, app.notification_write_v1, app.equity_write_v1, app.answer_write_v1, app.totals_write_v1;
