-- Wallets, ledger, positions, transactions. Every change of money is a ledger group that sums to zero.
create table app.wallets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references app.users (id) on delete cascade,
  -- Cached sums of the user's ledger accounts: cash, margin of open positions, reserve of open orders.
  available_balance numeric(28, 8) not null default 0 check (available_balance >= 0),
  margin numeric(28, 8) not null default 0 check (margin >= 0),
  order_margin numeric(28, 8) not null default 0 check (order_margin >= 0),
  balance numeric(28, 8) generated always as (available_balance + margin + order_margin) stored,
  currency text not null default 'USDT' check (currency = 'USDT'),
  last_updated timestamptz not null default now(),
  -- Raised by one with every change; the engine writes with the version it expects.
  version bigint not null default 0
);

-- No foreign key to users: the books outlive an account.
create table app.ledger_entries (
  id bigint generated always as identity primary key,
  group_id uuid not null,
  account text not null check (account in
    ('user:cash', 'user:margin', 'user:order_margin', 'house:pnl', 'house:fees', 'external', 'insurance')),
  user_id uuid check ((user_id is not null) = (account like 'user:%')),
  amount numeric(28, 8) not null check (amount <> 0),
  kind text not null check (kind in ('deposit', 'withdrawal', 'open', 'close', 'adjustment', 'fee')),
  -- What caused it: a position, a transaction.
  source_id uuid not null,
  created_at timestamptz not null default now()
);
create index ledger_entries_user on app.ledger_entries (user_id, id) where user_id is not null;
create index ledger_entries_source on app.ledger_entries (source_id);

create function app.ledger_group_sums_to_zero() returns trigger language plpgsql as $$
declare broken uuid;
begin
  select group_id into broken from inserted group by group_id having sum(amount) <> 0 limit 1;
  if broken is not null then
    raise exception 'ledger group % does not sum to zero', broken using errcode = 'check_violation';
  end if;
  return null;
end $$;
-- A group is written by one statement, so one check per statement sees it whole.
create trigger ledger_group_sums_to_zero after insert on app.ledger_entries
  referencing new table as inserted for each statement execute function app.ledger_group_sums_to_zero();

create function app.append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger ledger_append_only before update or delete or truncate on app.ledger_entries
  for each statement execute function app.append_only();
create trigger audit_append_only before update or delete or truncate on app.audit_log
  for each statement execute function app.append_only();

create table app.positions (
  id uuid primary key,
  user_id uuid not null references app.users (id) on delete cascade,
  symbol text not null references app.trading_pairs (symbol),
  side text not null check (side in ('BUY', 'SELL')),
  entry_price numeric(28, 8) not null check (entry_price > 0),
  size numeric(28, 8) not null check (size > 0),
  leverage integer not null check (leverage between 1 and 125),
  margin numeric(28, 8) not null check (margin > 0),
  liquidation_price numeric(28, 8) not null check (liquidation_price > 0),
  close_price numeric(28, 8) check (close_price > 0),
  realized_pnl numeric(28, 8),
  status text not null check (status in ('open', 'closed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  take_profit_price numeric(28, 8) check (take_profit_price > 0),
  stop_loss_price numeric(28, 8) check (stop_loss_price > 0),
  initial_stop_loss_price numeric(28, 8) check (initial_stop_loss_price > 0),
  close_reason text check (close_reason in ('manual', 'liquidation', 'take_profit', 'stop_loss', 'staff')),
  close_price_source text check (close_price_source in ('live', 'mark', 'entry')),
  rules text not null check (rules in ('standard', 'as-specified')),
  version integer not null default 1,
  account_version bigint not null,
  check ((status = 'closed') = (closed_at is not null)),
  check ((status = 'closed') = (close_price is not null)),
  check ((status = 'closed') = (realized_pnl is not null)),
  check ((status = 'closed') = (close_reason is not null)),
  -- Isolated margin (A03): a position never loses more than its margin.
  check (realized_pnl >= -margin)
);
create index positions_open on app.positions (user_id) where status = 'open';
create index positions_open_symbol on app.positions (symbol) where status = 'open';
create index positions_user_created on app.positions (user_id, created_at desc);
create index positions_user_closed on app.positions (user_id, closed_at desc) where status = 'closed';

create table app.transactions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  wallet_id uuid,
  type text not null check (type in ('deposit', 'withdrawal', 'position_closed', 'fee')),
  amount numeric(28, 8) not null,
  status text not null check (status in ('completed', 'pending')),
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  description text
);
create index transactions_user on app.transactions (user_id, created_at desc);

-- Stored answers of commands with a client-made id: the same id with the same body returns the same answer.
create table app.commands (
  user_id uuid not null,
  client_id text not null check (length(client_id) between 1 and 64),
  procedure text not null,
  body_hash bytea not null check (length(body_hash) = 32),
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, client_id)
);

-- The engine that may write: each start raises the epoch, and engine_commit refuses an older one.
create table app.engine_epoch (
  singleton boolean primary key default true check (singleton),
  epoch bigint not null
);
insert into app.engine_epoch (epoch) values (0);

-- One row per committed batch: after a lost connection the engine learns from it whether its batch is in.
create table app.engine_batches (
  id uuid primary key,
  epoch bigint not null,
  commands integer not null,
  committed_at timestamptz not null default now()
);

create view api.wallets as
  select id, user_id, balance, available_balance, currency, last_updated, version from app.wallets;

-- Positions are marked on read. The CASE below is the one formula outside packages/domain
-- (unrealized PnL has no leverage factor in either rule set, RULE-05, RULE-06); a property test holds it to the domain.
create view api.positions as
  select p.id, p.user_id, p.symbol, p.side, p.entry_price, p.size, p.leverage, p.margin, p.liquidation_price,
         case when p.status = 'open' then l.price end as mark_price,
         case when p.status = 'open' then
           round(case p.side when 'BUY' then l.price - p.entry_price else p.entry_price - l.price end * p.size, 8)
         end as unrealized_pnl,
         p.close_price, p.realized_pnl, p.status, p.created_at, p.updated_at, p.closed_at, p.take_profit_price,
         p.stop_loss_price, p.close_reason, p.close_price_source, p.rules, p.version, p.account_version
  from app.positions p left join app.last_prices l using (symbol);

create view api.transactions as
  select id, user_id, wallet_id, type, amount, status, created_at, completed_at, description from app.transactions;
