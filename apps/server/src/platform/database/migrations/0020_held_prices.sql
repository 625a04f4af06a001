-- A110: the newest price that is held back as absurd, of the same source as the last one; null while none is. A restart
-- does not end a hold.
alter table app.last_prices
  add column held_price numeric(28, 8) check (held_price > 0),
  add column held_priced_at timestamptz,
  add column held_market_time timestamptz,
  add column held_since timestamptz,
  add constraint held_whole_or_not_at_all
    check (num_nulls(held_price, held_priced_at, held_market_time, held_since) in (0, 4));
