-- Conditional orders, orders that end or fill at an instant, orders of a position (A113); funding and financing of net positions.
-- The release before writes none of these columns.
alter table app.orders
  add column trigger_price numeric(28, 8) check (trigger_price > 0),
  add column trail_rate numeric(28, 8) check (trail_rate between 0.1 and 20),
  add column peak_price numeric(28, 8) check (peak_price > 0),
  add column close_position boolean not null default false,
  add column triggered_at timestamptz,
  add column expires_at timestamptz,
  add column due_at timestamptz,
  add column arrival_price numeric(28, 8) check (arrival_price > 0),
  add column quote_id text,
  add column bound_position_id uuid,
  drop constraint orders_type_check,
  add constraint orders_type_check check (type in
    ('MARKET', 'LIMIT', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET')) not valid,
  drop constraint orders_check,
  add constraint orders_price check (type not in ('LIMIT', 'STOP', 'TAKE_PROFIT') or price is not null) not valid,
  drop constraint orders_size_check,
  add constraint orders_size_check check (size > 0 or close_position and size = 0 and triggered_at is null) not valid,
  drop constraint orders_filled,
  add constraint orders_filled check (filled_size <= size and
    (rules <> 'perpetual' or (status = 'FILLED') = (filled_size = size and size > 0))) not valid,
  add constraint orders_trail check ((type = 'TRAILING_STOP_MARKET') = (trail_rate is not null)) not valid,
  drop constraint orders_time_in_force_check,
  add constraint orders_time_in_force_check check (time_in_force in ('GTC', 'IOC', 'FOK', 'GTX', 'GTD')) not valid,
  add constraint orders_expiry check ((time_in_force = 'GTD') = (expires_at is not null)) not valid,
  add constraint orders_arrival check (due_at is null or arrival_price is not null) not valid;

alter table app.positions
  add column funding numeric(28, 8) not null default 0,
  add column funded_at timestamptz;

alter table app.ledger_entries
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (kind in
    ('deposit', 'withdrawal', 'open', 'close', 'adjustment', 'fee', 'reserve', 'release', 'split', 'increase', 'margin',
     'funding', 'financing')) not valid,
  drop constraint ledger_entries_account_check,
  add constraint ledger_entries_account_check check (account in
    ('user:cash', 'user:margin', 'user:order_margin', 'house:pnl', 'house:fees', 'house:funding', 'external', 'insurance'))
    not valid;
alter table app.transactions
  drop constraint transactions_type_check,
  add constraint transactions_type_check check (type in
    ('deposit', 'withdrawal', 'position_closed', 'fee', 'funding', 'financing')) not valid;

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
         p.initial_stop_loss_price, p.fee_rate, p.fees, p.split_from, p.edited_at, p.close_at_reopen, p.entry_value,
         p.funding
  from app.positions p left join app.last_prices l using (symbol);

create or replace view api.orders as
  select id, user_id, symbol, type, side, price, size, leverage, status, reason, take_profit_price, stop_loss_price,
         reserved, position_id, client_id, rules, created_at, updated_at, version, account_version, time_in_force,
         reduce_only, filled_size, filled_value, trigger_price, trail_rate, peak_price, close_position, triggered_at,
         expires_at, due_at, bound_position_id
  from app.orders;

-- The release before calls the third version, so the second one has no caller left.
drop function if exists app.engine_write_v2;
drop type if exists app.wallet_write_v2, app.position_write_v2, app.order_write_v2, app.ledger_entry_write_v2,
  app.transaction_write_v2, app.notification_write_v2, app.equity_write_v2, app.answer_write_v2, app.totals_write_v2;
