-- What the lists of the back office are read by, over books of a large firm: a page costs what is on it, also a deep one.
-- Wallets get no index: nearly every commit changes their balance and their time, and a hundred thousand of them are sorted
-- faster than that.

-- Positions of everybody. Open ones are sorted by every order that is offered, and none of these needs more of a row than the
-- index holds; their number is what is open, not what ever was. Closed ones have the two orders that are offered of everybody's:
-- every close writes into each index here, so an order that few ask for is left to one person's (A78).
create index positions_all_open on app.positions (created_at desc, id desc)
  include (user_id, symbol, side, entry_price, size, leverage) where status = 'open';
create index positions_all_closed on app.positions (closed_at desc, id desc) where status = 'closed';
create index positions_all_pnl on app.positions (realized_pnl desc, id desc) where status = 'closed';

-- People: a search reads names and addresses here and not whole rows.
create index users_searched on app.users (lower(username), id) include (username, email);
create index users_newest on app.users (created_at desc, id desc);
create index users_seen on app.users (last_login desc nulls last, id desc);

-- Transactions of everybody (METR-15), and what the house earned by day; the ledger grows at its end only, so a few pages
-- of ranges find a day.
create index transactions_newest on app.transactions (created_at desc, id desc);
create index ledger_entries_when on app.ledger_entries using brin (created_at) with (pages_per_range = 32);

-- The audit log by what was done.
create index audit_log_action on app.audit_log (action, at desc, id desc);

-- Days that are over, counted once, on the first look at them: what happened on a day stays so, whoever is deleted later.
create table app.house_days (
  day date primary key,
  -- Who opened or closed a position.
  active_traders integer not null check (active_traders >= 0),
  liquidations integer not null check (liquidations >= 0),
  transactions integer not null check (transactions >= 0),
  -- What the house won from positions, and fees; USDT.
  house_pnl numeric(38, 8) not null
);
